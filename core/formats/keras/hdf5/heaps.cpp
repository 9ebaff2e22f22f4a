#include "core/formats/keras/hdf5/heaps.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <optional>

namespace crosswalk::keras::hdf5 {
namespace {

constexpr unsigned hugeObjects = 1; // a type of B-tree
constexpr std::uint64_t largestBlock = std::uint64_t{1} << 40U;

/// A B-tree of version 2: sizes of the pointers in a node depend on how many records may be below it.
class RecordTree {
public:
    RecordTree(const FileView& file, Address address, unsigned type,
               const std::function<void(std::span<const std::byte>)>& visit)
        : m_file(file)
        , m_type(type)
        , m_visit(visit)
    {
        ByteReader reader = file.signedAt(address, "BTHD", "index");
        const std::size_t start = reader.position() - 4;
        if (reader.read<std::uint8_t>("an index") != 0 || reader.read<std::uint8_t>("an index") != type) {
            damaged("is an HDF5 file with an index of the wrong kind");
        }
        m_nodeSize = reader.read<std::uint32_t>("an index");
        m_recordSize = reader.read<std::uint16_t>("an index");
        const auto depth = reader.read<std::uint16_t>("an index");
        reader.take(2, "an index"); // when nodes are split and merged
        const Address root = file.readAddress(reader);
        const auto records = reader.read<std::uint16_t>("an index");
        file.readLength(reader);
        verifyChecksum(file, address, reader.position() + 4 - start, "index");
        if (root == undefinedAddress) {
            return;
        }
        constexpr unsigned overhead = 10; // signature, version, type, checksum
        constexpr unsigned deepest = 16;
        if (m_recordSize == 0 || m_nodeSize <= overhead + m_recordSize || depth > deepest) {
            damaged("is an HDF5 file with an impossible index");
        }
        std::uint64_t most = (m_nodeSize - overhead) / m_recordSize;
        m_countSize = bytesFor(most);
        m_totalSize.push_back(0);
        for (unsigned level = 1; level <= depth; ++level) {
            const std::uint64_t pointer = file.addressSize() + m_countSize + m_totalSize.back();
            if (m_nodeSize < overhead + pointer + m_recordSize) {
                damaged("is an HDF5 file with an impossible index");
            }
            const std::uint64_t inNode = (m_nodeSize - overhead - pointer) / (m_recordSize + pointer);
            constexpr std::uint64_t enough = std::uint64_t{1} << 40U; // keeps the product inside 64 bits
            most = (inNode + 1) * std::min(most, enough / (inNode + 1)) + inNode;
            m_totalSize.push_back(bytesFor(most));
        }
        node(root, depth, records);
    }

private:
    void node(Address address, unsigned depth, std::uint64_t count)
    {
        if (!m_visited.insert(address).second) {
            damaged("is an HDF5 file with a circular index");
        }
        ByteReader reader = m_file.signedAt(address, depth == 0 ? "BTLF" : "BTIN", "node of an index");
        const std::size_t start = reader.position() - 4;
        reader.take(1, "a node");
        if (reader.read<std::uint8_t>("a node") != m_type) {
            damaged("is an HDF5 file with an index of the wrong kind");
        }
        for (std::uint64_t i = 0; i < count; ++i) {
            m_visit(reader.take(m_recordSize, "a record of an index"));
        }
        std::vector<std::pair<Address, std::uint64_t>> children;
        for (std::uint64_t i = 0; depth > 0 && i <= count; ++i) {
            const Address child = m_file.readAddress(reader);
            children.emplace_back(child, readNumber(reader, m_countSize));
            if (depth > 1) {
                reader.take(m_totalSize[depth - 1], "a node");
            }
        }
        verifyChecksum(m_file, address, reader.position() + 4 - start, "a node of an index");
        for (const auto& [child, records] : children) {
            node(child, depth - 1, records);
        }
    }

    const FileView& m_file;
    unsigned m_type;
    const std::function<void(std::span<const std::byte>)>& m_visit;
    std::uint64_t m_nodeSize = 0;
    unsigned m_recordSize = 0;
    unsigned m_countSize = 0;
    std::vector<unsigned> m_totalSize; ///< by depth of the node that is pointed to
    std::set<Address> m_visited;
};

} // namespace

void visitRecords(const FileView& file, Address tree, unsigned type,
                  const std::function<void(std::span<const std::byte>)>& visit)
{
    RecordTree(file, tree, type, visit);
}

LocalHeap::LocalHeap(const FileView& file, Address address)
{
    ByteReader reader = file.signedAt(address, "HEAP", "heap of names");
    reader.take(4, "a heap of names"); // version
    const std::uint64_t size = file.readLength(reader);
    file.readLength(reader); // free space
    m_data = file.bytes(file.readAddress(reader), size, "a heap of names");
}

std::string_view LocalHeap::text(std::uint64_t offset) const
{
    if (offset >= m_data.size()) {
        damaged("is an HDF5 file with a name outside of its heap");
    }
    const auto rest = m_data.subspan(offset);
    const std::string_view text(reinterpret_cast<const char*>(rest.data()), rest.size());
    return text.substr(0, text.find('\0'));
}

std::span<const std::byte> GlobalHeap::object(Address collection, std::uint32_t index)
{
    auto known = m_collections.find(collection);
    if (known == m_collections.end()) {
        known = m_collections.emplace(collection, std::map<std::uint32_t, std::span<const std::byte>>()).first;
        ByteReader reader = m_file.signedAt(collection, "GCOL", "heap of texts");
        const std::size_t start = reader.position() - 4;
        reader.take(4, "a heap of texts"); // version
        const std::uint64_t size = m_file.readLength(reader);
        ByteReader objects(m_file.bytes(collection, size, "a heap of texts"));
        objects.take(reader.position() - start, "a heap of texts");
        const std::size_t head = 8 + m_file.lengthSize();
        while (objects.remaining() >= head) {
            const auto number = objects.read<std::uint16_t>("a heap of texts");
            objects.take(6, "a heap of texts"); // count of references
            const std::uint64_t length = m_file.readLength(objects);
            if (number == 0) {
                break; // the rest is free
            }
            known->second.emplace(number, objects.take(length, "a text"));
            objects.take(std::min<std::uint64_t>((8 - length % 8) % 8, objects.remaining()), "a text");
        }
    }
    const auto found = known->second.find(index);
    if (found == known->second.end()) {
        damaged(fmt::format("is an HDF5 file with damaged structure: the heap of texts at {} has no text {}",
                            collection, index));
    }
    return found->second;
}

FractalHeap::FractalHeap(const FileView& file, Address address)
    : m_file(file)
{
    ByteReader reader = file.signedAt(address, "FRHP", "heap");
    const std::size_t start = reader.position() - 4;
    reader.take(1, "a heap"); // version
    m_idSize = reader.read<std::uint16_t>("a heap");
    const auto filters = reader.read<std::uint16_t>("a heap");
    m_hasChecksums = (reader.read<std::uint8_t>("a heap") & 2U) != 0;
    m_largestManaged = reader.read<std::uint32_t>("a heap");
    file.readLength(reader);
    m_hugeIndex = file.readAddress(reader);
    file.readLength(reader);
    file.readAddress(reader);
    for (int i = 0; i < 8; ++i) {
        file.readLength(reader); // sizes and counts of what is in the heap
    }
    m_width = reader.read<std::uint16_t>("a heap");
    m_firstSize = file.readLength(reader);
    m_largestDirect = file.readLength(reader);
    const auto bits = reader.read<std::uint16_t>("a heap");
    reader.take(2, "a heap");
    m_root = file.readAddress(reader);
    m_rows = reader.read<std::uint16_t>("a heap");
    if (filters != 0) {
        unsupported("compressed lists of objects");
    }
    verifyChecksum(file, address, reader.position() + 4 - start, "heap");
    if (m_width == 0 || !std::has_single_bit(m_firstSize) || !std::has_single_bit(m_largestDirect) ||
        m_firstSize > m_largestDirect || m_largestDirect > largestBlock || bits == 0 || bits > 64 || m_rows > 64) {
        damaged("is an HDF5 file with an impossible heap");
    }
    m_offsetSize = (bits + 7U) / 8U;
    const auto directBits = static_cast<unsigned>(std::bit_width(m_largestDirect)) - 1;
    m_lengthSize = std::min((directBits + 7) / 8, bytesFor(m_largestManaged));
}

std::uint64_t FractalHeap::rowSize(unsigned row) const
{
    return row <= 1 ? m_firstSize : m_firstSize << std::min(row - 1, 40U);
}

std::span<const std::byte> FractalHeap::object(std::span<const std::byte> id) const
{
    ByteReader reader(id);
    const auto head = reader.read<std::uint8_t>("an identifier");
    switch (head >> 4U) { // the version, which is 0, and the kind
    case 0: {
        const std::uint64_t offset = readNumber(reader, m_offsetSize);
        return managed(offset, readNumber(reader, m_lengthSize));
    }
    case 1:
        return huge(reader);
    case 2:
        return reader.take((head & 15U) + 1U, "an object");
    default:
        damaged("is an HDF5 file with a damaged identifier");
    }
}

std::span<const std::byte> FractalHeap::managed(std::uint64_t offset, std::uint64_t size) const
{
    const unsigned directRows =
        static_cast<unsigned>(std::bit_width(m_largestDirect) - std::bit_width(m_firstSize)) + 2;
    Address block = m_root;
    unsigned rows = m_rows;
    std::uint64_t blockSize = m_firstSize;
    while (rows > 0) { // down through blocks of blocks
        unsigned row = 0;
        std::uint64_t rowStart = 0;
        while (row < rows && offset - rowStart >= m_width * rowSize(row)) {
            rowStart += m_width * rowSize(row);
            ++row;
        }
        if (row == rows) {
            damaged("is an HDF5 file with an object outside of its heap");
        }
        const std::uint64_t column = (offset - rowStart) / rowSize(row);
        const std::uint64_t entry = static_cast<std::uint64_t>(row) * m_width + column;
        ByteReader reader = m_file.signedAt(block, "FHIB", "block of a heap");
        reader.take(1 + m_file.addressSize() + m_offsetSize + entry * m_file.addressSize(), "a block of a heap");
        block = m_file.readAddress(reader);
        blockSize = rowSize(row);
        offset -= rowStart + column * blockSize;
        if (row < directRows) {
            break;
        }
        const std::uint64_t firstRow = m_firstSize * m_width;
        const unsigned below = static_cast<unsigned>(std::bit_width(blockSize) - std::bit_width(firstRow)) + 1;
        if (blockSize < firstRow || below >= rows) { // a block below is smaller, so that this ends
            damaged("is an HDF5 file with an impossible heap");
        }
        rows = below;
    }
    m_file.signedAt(block, "FHDB", "block of a heap");
    const auto bytes = m_file.bytes(block, blockSize, "a block of a heap");
    if (offset > bytes.size() || size > bytes.size() - offset) {
        damaged("is an HDF5 file with an object outside of its heap");
    }
    return bytes.subspan(offset, size);
}

std::span<const std::byte> FractalHeap::huge(ByteReader id) const
{
    if (m_idSize > m_file.addressSize() + m_file.lengthSize()) { // found without an index
        const Address address = m_file.readAddress(id);
        return m_file.bytes(address, m_file.readLength(id), "an object");
    }
    const std::uint64_t wanted = readNumber(id, static_cast<unsigned>(std::min<std::size_t>(id.remaining(), 8)));
    std::optional<std::span<const std::byte>> found;
    visitRecords(m_file, m_hugeIndex, hugeObjects, [&](std::span<const std::byte> record) {
        ByteReader reader(record);
        const Address address = m_file.readAddress(reader);
        const std::uint64_t size = m_file.readLength(reader);
        if (m_file.readLength(reader) == wanted) {
            found = m_file.bytes(address, size, "an object");
        }
    });
    if (!found) {
        damaged("is an HDF5 file with an object outside of its heap");
    }
    return *found;
}

} // namespace crosswalk::keras::hdf5
