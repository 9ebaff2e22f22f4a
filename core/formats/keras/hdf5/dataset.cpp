#include "core/formats/keras/hdf5/dataset.h"

#include "core/base/diagnostic.h"
#include "core/formats/keras/hdf5/filters.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <set>

namespace crosswalk::keras::hdf5 {
namespace {

/// The most that deflate, the strongest of the filters, expands its input; and the room for chunks of filler values.
constexpr std::uint64_t largestExpansion = 1100;
constexpr std::uint64_t allowedFiller = std::uint64_t{1} << 20U;
constexpr std::size_t mostFilters = 32;

// Kinds of index.
constexpr unsigned classicTree = 0;
constexpr unsigned singleChunk = 1;
constexpr unsigned implicitIndex = 2;
constexpr unsigned fixedArray = 3;

struct Chunk {
    std::vector<std::uint64_t> origin; ///< its first element
    Address address = undefinedAddress;
    std::uint64_t size = 0; ///< in the file
    std::uint32_t mask = 0; ///< of filters that were not applied
};

std::uint64_t saturatedProduct(std::uint64_t a, std::uint64_t b)
{
    std::uint64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::uint64_t>::max() : product;
}

std::uint64_t roundedUp(std::uint64_t dim, std::uint64_t chunk)
{
    return dim == 0 ? 0 : (dim - 1) / chunk + 1;
}

/// The chunks of a dataset, each at most once.
class ChunkList {
public:
    ChunkList(const FileView& file, const Layout& layout, const Dataspace& space, std::uint64_t chunkSize,
              bool isFiltered, const std::string& path)
        : m_file(file)
        , m_layout(layout)
        , m_dims(space.dims)
        , m_most(space.most.empty() ? space.dims : space.most)
        , m_chunkSize(chunkSize)
        , m_isFiltered(isFiltered)
        , m_path(path)
    {
        if (layout.address == undefinedAddress) {
            return;
        }
        switch (layout.index) {
        case classicTree:
            readTree(layout.address, std::nullopt);
            break;
        case singleChunk:
            add({std::vector<std::uint64_t>(m_dims.size()), layout.address,
                 m_isFiltered ? layout.filteredSize : m_chunkSize, layout.filterMask});
            break;
        case implicitIndex:
            forEachPlace([&](std::uint64_t i, const std::vector<std::uint64_t>& origin) {
                add({origin, layout.address + i * m_chunkSize, m_chunkSize, 0});
            });
            break;
        case fixedArray:
            readFixedArray();
            break;
        default:
            unsupported("chunks that can grow");
        }
    }

    std::vector<Chunk> take() { return std::move(m_chunks); }

private:
    void add(Chunk chunk)
    {
        for (std::size_t i = 0; i < m_dims.size(); ++i) {
            if (chunk.origin[i] % m_layout.chunk[i] != 0) {
                damaged(fmt::format("dataset {} has a chunk in an impossible place", m_path));
            }
            if (chunk.origin[i] >= m_dims[i]) {
                return; // of a dataset that was larger once
            }
        }
        if (!m_origins.insert(chunk.origin).second) {
            damaged(fmt::format("dataset {} has two chunks in one place", m_path));
        }
        if (!m_isFiltered && chunk.size != m_chunkSize) {
            damaged(fmt::format("dataset {} has a chunk of {} bytes instead of {}", m_path, chunk.size, m_chunkSize));
        }
        m_file.bytes(chunk.address, chunk.size, "a chunk");
        m_chunks.push_back(std::move(chunk));
    }

    void readTree(Address address, std::optional<unsigned> expectedLevel)
    {
        constexpr std::string_view what = "an index of chunks";
        if (!m_visited.insert(address).second) {
            damaged(fmt::format("dataset {} has a circular index", m_path));
        }
        ByteReader reader = m_file.signedAt(address, "TREE", "index of chunks");
        const auto type = reader.read<std::uint8_t>(what);
        const unsigned level = reader.read<std::uint8_t>(what);
        if (type != 1 || (expectedLevel && level != *expectedLevel)) {
            damaged(fmt::format("dataset {} has a damaged index", m_path));
        }
        const auto entries = reader.read<std::uint16_t>(what);
        m_file.readAddress(reader);
        m_file.readAddress(reader);
        for (unsigned i = 0; i < entries; ++i) {
            Chunk chunk;
            chunk.size = reader.read<std::uint32_t>(what);
            chunk.mask = reader.read<std::uint32_t>(what);
            for (std::size_t axis = 0; axis < m_dims.size(); ++axis) {
                chunk.origin.push_back(reader.read<std::uint64_t>(what));
            }
            reader.take(sizeof(std::uint64_t), what); // inside an element
            chunk.address = m_file.readAddress(reader);
            if (level > 0) {
                readTree(chunk.address, level - 1);
            } else {
                add(std::move(chunk));
            }
        }
    }

    /// Calls `visit` with the number and the first element of every chunk of the dataset. Numbers count the chunks that
    /// the dataset would have at its largest.
    void forEachPlace(const std::function<void(std::uint64_t, const std::vector<std::uint64_t>&)>& visit) const
    {
        std::uint64_t count = 1;
        for (std::size_t i = 0; i < m_dims.size(); ++i) {
            count = saturatedProduct(count, roundedUp(m_dims[i], m_layout.chunk[i]));
        }
        if (count > m_file.size()) {
            damaged(fmt::format("dataset {} has more chunks than the file has bytes", m_path));
        }
        std::vector<std::uint64_t> origin(m_dims.size());
        for (std::uint64_t i = 0; i < count; ++i) {
            std::uint64_t number = 0;
            for (std::size_t axis = 0; axis < m_dims.size(); ++axis) {
                const std::uint64_t chunks = roundedUp(m_most[axis], m_layout.chunk[axis]);
                number = number * chunks + origin[axis] / m_layout.chunk[axis];
            }
            visit(number, origin);
            for (std::size_t axis = m_dims.size(); axis-- > 0;) {
                origin[axis] += m_layout.chunk[axis];
                if (origin[axis] < m_dims[axis]) {
                    break;
                }
                origin[axis] = 0;
            }
        }
    }

    /// An array of addresses, divided into pages if it is long.
    void readFixedArray()
    {
        constexpr std::string_view what = "an index of chunks";
        constexpr std::size_t checksum = 4;
        ByteReader reader = m_file.signedAt(m_layout.address, "FAHD", "index of chunks");
        const std::size_t start = reader.position() - 4;
        reader.take(2, what); // version and kind
        const std::uint64_t entrySize = reader.read<std::uint8_t>(what);
        const unsigned pageBits = reader.read<std::uint8_t>(what);
        const std::uint64_t entries = m_file.readLength(reader);
        const Address block = m_file.readAddress(reader);
        verifyChecksum(m_file, m_layout.address, reader.position() + checksum - start, "an index of chunks");
        const unsigned addressSize = m_file.addressSize();
        const std::uint64_t least = m_isFiltered ? addressSize + 5 : addressSize;
        if (entrySize < least || entrySize > least + 7 || pageBits > 32 || entries > m_file.size() / entrySize) {
            damaged(fmt::format("dataset {} has a damaged index", m_path));
        }
        if (block == undefinedAddress) {
            return;
        }
        m_file.signedAt(block, "FADB", "index of chunks");
        const std::uint64_t inPage = std::uint64_t{1} << pageBits;
        const bool isPaged = entries > inPage;
        const std::uint64_t pages = isPaged ? roundedUp(entries, inPage) : 0;
        const std::uint64_t bitmap = (pages + 7) / 8;
        const std::uint64_t head = 6 + addressSize + bitmap;
        const auto isThere = m_file.bytes(block, head, what).last(bitmap); // a bit for each page, the highest first
        verifyChecksum(m_file, block, head + (isPaged ? 0 : entries * entrySize) + checksum, "an index of chunks");
        const std::uint64_t pageSize = inPage * entrySize + checksum;
        forEachPlace([&](std::uint64_t i, const std::vector<std::uint64_t>& origin) {
            if (i >= entries) {
                return;
            }
            Address at = block + head + i * entrySize;
            if (isPaged) {
                const std::uint64_t page = i / inPage;
                if ((std::to_integer<unsigned>(isThere[page / 8]) >> (7 - page % 8) & 1U) == 0) {
                    return;
                }
                at = block + head + checksum + page * pageSize + i % inPage * entrySize;
                if (m_verified.insert(page).second) {
                    const std::uint64_t inThis = std::min(inPage, entries - page * inPage);
                    verifyChecksum(m_file, at - i % inPage * entrySize, inThis * entrySize + checksum, what);
                }
            }
            ByteReader entry(m_file.bytes(at, entrySize, what));
            Chunk chunk{origin, m_file.readAddress(entry), m_chunkSize, 0};
            if (chunk.address == undefinedAddress) {
                return;
            }
            if (m_isFiltered) {
                chunk.size = readNumber(entry, static_cast<unsigned>(entrySize) - addressSize - 4);
                chunk.mask = entry.read<std::uint32_t>(what);
            }
            add(std::move(chunk));
        });
    }

    const FileView& m_file;
    const Layout& m_layout;
    const std::vector<std::uint64_t>& m_dims;
    const std::vector<std::uint64_t>& m_most;
    std::uint64_t m_chunkSize;
    bool m_isFiltered;
    const std::string& m_path;
    std::vector<Chunk> m_chunks;
    std::set<std::vector<std::uint64_t>> m_origins;
    std::set<Address> m_visited;
    std::set<std::uint64_t> m_verified; ///< pages
};

std::span<const std::byte> fillValueOf(const Object& dataset, std::uint32_t each)
{
    constexpr std::string_view what = "a fill value";
    std::span<const std::byte> value;
    if (const Message* message = dataset.find(MessageType::FillValue)) {
        ByteReader reader(message->bytes);
        const auto version = reader.read<std::uint8_t>(what);
        bool isThere = false;
        if (version >= 3) {
            isThere = (reader.read<std::uint8_t>(what) & 0x20U) != 0;
        } else {
            reader.take(2, what);
            isThere = reader.read<std::uint8_t>(what) != 0 || version == 1;
        }
        if (isThere) {
            value = reader.take(reader.read<std::uint32_t>(what), what);
        }
    } else if (const Message* old = dataset.find(MessageType::OldFillValue)) {
        ByteReader reader(old->bytes);
        value = reader.take(reader.read<std::uint32_t>(what), what);
    }
    return value.size() == each ? value : std::span<const std::byte>();
}

/// Copies the part of a chunk that lies inside the dataset, line by line along the last axis.
void place(std::span<const std::byte> chunk, const std::vector<std::uint64_t>& origin, const Layout& layout,
           const std::vector<std::uint64_t>& dims, std::uint64_t each, std::span<std::byte> out)
{
    const std::size_t rank = dims.size();
    std::vector<std::uint64_t> at(rank);
    const std::uint64_t line = std::min(layout.chunk[rank - 1], dims[rank - 1] - origin[rank - 1]) * each;
    while (true) {
        std::uint64_t from = 0;
        std::uint64_t to = 0;
        for (std::size_t i = 0; i < rank; ++i) {
            from = from * layout.chunk[i] + at[i];
            to = to * dims[i] + origin[i] + at[i];
        }
        std::memcpy(out.data() + to * each, chunk.data() + from * each, line);
        std::size_t axis = rank - 1;
        while (axis > 0) {
            --axis;
            if (++at[axis] < layout.chunk[axis] && origin[axis] + at[axis] < dims[axis]) {
                break;
            }
            at[axis] = 0;
            if (axis == 0) {
                return;
            }
        }
        if (rank == 1) {
            return;
        }
    }
}

Layout oldLayout(const FileView& file, ByteReader reader, std::uint64_t size)
{
    constexpr std::string_view what = "a layout";
    Layout layout;
    const auto rank = reader.read<std::uint8_t>(what);
    layout.kind = static_cast<LayoutKind>(std::min<std::uint8_t>(reader.read<std::uint8_t>(what), 3));
    reader.take(5, what);
    if (layout.kind != LayoutKind::Compact) {
        layout.address = file.readAddress(reader);
    }
    for (unsigned i = 0; i < rank; ++i) {
        layout.chunk.push_back(reader.read<std::uint32_t>(what));
    }
    layout.size = size;
    if (layout.kind == LayoutKind::Compact) {
        layout.content = reader.take(reader.read<std::uint32_t>(what), what);
    } else if (layout.kind == LayoutKind::Chunked) {
        // the size of an element is the last dimension
        layout.chunk.resize(layout.chunk.empty() ? 0 : layout.chunk.size() - 1);
    }
    return layout;
}

void readNewChunks(const FileView& file, ByteReader& reader, Layout& layout)
{
    constexpr std::string_view what = "a layout";
    const auto flags = reader.read<std::uint8_t>(what);
    const unsigned rank = reader.read<std::uint8_t>(what);
    const unsigned size = reader.read<std::uint8_t>(what);
    if (size == 0 || size > 8 || rank == 0) {
        damaged("is an HDF5 file with a damaged layout");
    }
    layout.hasRawEdges = (flags & 1U) != 0;
    for (unsigned i = 0; i + 1 < rank; ++i) {
        layout.chunk.push_back(readNumber(reader, size));
    }
    readNumber(reader, size); // of an element
    layout.index = reader.read<std::uint8_t>(what);
    if (layout.index == singleChunk && (flags & 2U) != 0) {
        layout.filteredSize = file.readLength(reader);
        layout.filterMask = reader.read<std::uint32_t>(what);
    } else if (layout.index == fixedArray) {
        reader.take(1, what); // size of a page, which the array has as well
    } else if (layout.index != singleChunk && layout.index != implicitIndex) {
        unsupported("chunks that can grow");
    }
    layout.address = file.readAddress(reader);
}

} // namespace

Layout layoutOf(const FileView& file, const Object& dataset, const Datatype& type, const Dataspace& space)
{
    constexpr std::string_view what = "a layout";
    const Message* message = dataset.find(MessageType::Layout);
    if (message == nullptr || message->isShared) {
        damaged("is an HDF5 file with a dataset without a layout");
    }
    ByteReader reader(message->bytes);
    const auto version = reader.read<std::uint8_t>(what);
    Layout layout;
    if (version < 3) {
        layout = oldLayout(file, reader, space.size(type.size).value_or(std::numeric_limits<std::uint64_t>::max()));
    } else {
        if (version > 5) {
            unsupported(fmt::format("a layout of version {}", version));
        }
        const auto kind = reader.read<std::uint8_t>(what);
        layout.kind = static_cast<LayoutKind>(std::min<std::uint8_t>(kind, 3));
        if (layout.kind == LayoutKind::Compact) {
            layout.content = reader.take(reader.read<std::uint16_t>(what), what);
        } else if (layout.kind == LayoutKind::Contiguous) {
            layout.address = file.readAddress(reader);
            layout.size = file.readLength(reader);
        } else if (layout.kind == LayoutKind::Chunked && version >= 4) {
            readNewChunks(file, reader, layout);
        } else if (layout.kind == LayoutKind::Chunked) {
            const unsigned rank = reader.read<std::uint8_t>(what);
            layout.address = file.readAddress(reader);
            for (unsigned i = 0; i + 1 < rank; ++i) {
                layout.chunk.push_back(reader.read<std::uint32_t>(what));
            }
        }
    }
    if (layout.kind == LayoutKind::Chunked && (layout.chunk.size() != space.dims.size() || layout.chunk.empty() ||
                                               std::ranges::find(layout.chunk, 0U) != layout.chunk.end())) {
        damaged("is an HDF5 file with impossible chunks");
    }
    return layout;
}

std::vector<Filter> filtersOf(const FileView&, const Object& dataset, const std::string& path)
{
    constexpr std::string_view what = "a list of filters";
    constexpr unsigned firstNamed = 256; // filters before it have no name in the newer form
    std::vector<Filter> filters;
    const Message* message = dataset.find(MessageType::Filters);
    if (message == nullptr) {
        return filters;
    }
    ByteReader reader(message->bytes);
    const auto version = reader.read<std::uint8_t>(what);
    const auto count = reader.read<std::uint8_t>(what);
    if (version < 1 || version > 2 || count > mostFilters || message->isShared) {
        damaged(fmt::format("dataset {} has a damaged list of filters", path));
    }
    reader.take(version == 1 ? 6 : 0, what);
    for (unsigned i = 0; i < count; ++i) {
        Filter filter;
        filter.id = reader.read<std::uint16_t>(what);
        const unsigned name = version == 1 || filter.id >= firstNamed ? reader.read<std::uint16_t>(what) : 0U;
        reader.take(2, what); // flags
        const auto values = reader.read<std::uint16_t>(what);
        reader.take(version == 1 ? (name + 7) / 8 * 8 : name, what);
        for (unsigned j = 0; j < values; ++j) {
            filter.values.push_back(reader.read<std::uint32_t>(what));
        }
        reader.take(version == 1 && values % 2 == 1 ? 4 : 0, what);
        if (!canBeUndone(filter)) {
            throw ModelError("unsupported-file",
                             fmt::format("dataset {} is compressed by filter {} ({}), which cannot be read", path,
                                         filter.id, filterName(filter.id)),
                             "rewrite the file with h5repack -f GZIP=4");
        }
        filters.push_back(std::move(filter));
    }
    return filters;
}

std::vector<std::byte> readChunks(const FileView& file, const Object& dataset, const Layout& layout,
                                  const std::vector<Filter>& filters, const Dataspace& space, std::uint32_t each,
                                  std::uint64_t most, const std::string& path)
{
    std::uint64_t chunkSize = each;
    std::uint64_t whole = each; // all chunks, with what is beyond the ends of axes
    for (std::size_t i = 0; i < space.dims.size(); ++i) {
        chunkSize = saturatedProduct(chunkSize, layout.chunk[i]);
        whole = saturatedProduct(saturatedProduct(whole, layout.chunk[i]), roundedUp(space.dims[i], layout.chunk[i]));
    }
    const auto refuse = [&](std::uint64_t stored) {
        damaged(fmt::format("dataset {} claims {} bytes, but the file has {} for it", path, whole, stored));
    };
    if (whole > saturatedProduct(file.size(), largestExpansion) + allowedFiller || whole > most) {
        refuse(file.size());
    }
    const std::vector<Chunk> chunks = ChunkList(file, layout, space, chunkSize, !filters.empty(), path).take();
    std::uint64_t stored = 0;
    for (const Chunk& chunk : chunks) {
        stored += chunk.size;
    }
    if (whole > saturatedProduct(std::min(stored, file.size()), largestExpansion) + allowedFiller) {
        refuse(stored);
    }
    std::vector<std::byte> out(space.size(each).value_or(0));
    if (const auto fill = fillValueOf(dataset, each); !fill.empty()) {
        for (std::size_t i = 0; i < out.size(); i += each) {
            std::ranges::copy(fill, out.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
    for (const Chunk& chunk : chunks) {
        const auto bytes = file.bytes(chunk.address, chunk.size, "a chunk");
        bool crossesEnd = false;
        for (std::size_t i = 0; i < space.dims.size(); ++i) {
            crossesEnd = crossesEnd || layout.chunk[i] > space.dims[i] - chunk.origin[i];
        }
        if (filters.empty() || (layout.hasRawEdges && crossesEnd)) {
            if (bytes.size() != chunkSize) {
                damaged(fmt::format("dataset {} has a damaged chunk", path));
            }
            place(bytes, chunk.origin, layout, space.dims, each, out);
            continue;
        }
        const auto content = unfiltered(bytes, filters, chunk.mask, chunkSize);
        if (content.size() != chunkSize) {
            damaged(fmt::format("dataset {} has a damaged chunk", path));
        }
        place(content, chunk.origin, layout, space.dims, each, out);
    }
    return out;
}

} // namespace crosswalk::keras::hdf5
