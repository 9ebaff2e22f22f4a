#include "core/formats/keras/hdf5_file.h"

#include "core/base/diagnostic.h"
#include "core/formats/keras/lzf_filter.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <hdf5.h>
#include <mutex>
#include <simdjson.h>
#include <utility>

namespace crosswalk::keras {
namespace {

constexpr std::string_view signature("\x89HDF\r\n\x1a\n", 8);
constexpr std::size_t firstUserBlock = 512;
/// The most that deflate, the strongest of the filters, expands its input; and the room for chunks of filler values.
constexpr std::uint64_t largestExpansion = 1100;
constexpr std::uint64_t allowedFiller = std::uint64_t{1} << 20U;
constexpr std::size_t mostNames = 1U << 20U; ///< in a list of an attribute, or in a group
constexpr int mostPieces = 4096;             ///< of an attribute in pieces

std::mutex& libraryMutex() // the library has one state for all files
{
    static std::mutex mutex;
    return mutex;
}

/// An identifier of the library with the function that closes it.
class Handle {
public:
    using Close = herr_t (*)(hid_t);

    Handle(hid_t id, Close close)
        : m_id(id)
        , m_close(close)
    {
    }
    Handle(Handle&& other) noexcept
        : m_id(std::exchange(other.m_id, H5I_INVALID_HID))
        , m_close(other.m_close)
    {
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    Handle& operator=(Handle&&) = delete;
    ~Handle()
    {
        if (m_id >= 0) {
            m_close(m_id);
        }
    }
    bool isValid() const { return m_id >= 0; }
    operator hid_t() const { return m_id; } // NOLINT(google-explicit-constructor): it is the library's number

private:
    hid_t m_id;
    Close m_close;
};

[[noreturn]] void damaged(std::string message)
{
    throw ModelError("damaged", std::move(message));
}

std::vector<std::string> stepsOf(const std::string& path)
{
    std::vector<std::string> steps;
    for (std::size_t first = 0; first <= path.size();) {
        const std::size_t end = std::min(path.find('/', first), path.size());
        if (end > first) {
            steps.push_back(path.substr(first, end - first));
        }
        first = end + 1;
    }
    return steps;
}

/// A type of the library in the bytes of a tensor.
struct StoredType {
    ElementType element = ElementType::Undefined;
    Handle memory; ///< the same numbers, little-endian
    bool isAsStored = false;
};

/// Half precision, for which the library has no name.
Handle halfType()
{
    Handle type(H5Tcopy(H5T_IEEE_F32LE), H5Tclose);
    H5Tset_fields(type, 15, 10, 5, 0, 10);
    H5Tset_size(type, 2);
    H5Tset_ebias(type, 15);
    return type;
}

StoredType storedType(hid_t type, const std::string& path)
{
    struct Row {
        ElementType element;
        hid_t type;
    };
    const Handle half = halfType();
    const std::array rows{
        Row{ElementType::Float32, H5T_IEEE_F32LE}, Row{ElementType::Float64, H5T_IEEE_F64LE},
        Row{ElementType::Float16, half},           Row{ElementType::Int8, H5T_STD_I8LE},
        Row{ElementType::UInt8, H5T_STD_U8LE},     Row{ElementType::Int16, H5T_STD_I16LE},
        Row{ElementType::UInt16, H5T_STD_U16LE},   Row{ElementType::Int32, H5T_STD_I32LE},
        Row{ElementType::UInt32, H5T_STD_U32LE},   Row{ElementType::Int64, H5T_STD_I64LE},
        Row{ElementType::UInt64, H5T_STD_U64LE},
    };
    const H5T_class_t kind = H5Tget_class(type);
    const bool isEnum = kind == H5T_ENUM; // h5py's form of booleans
    if (kind != H5T_FLOAT && kind != H5T_INTEGER && !isEnum) {
        damaged(fmt::format("dataset {} does not contain numbers", path));
    }
    const Handle base(isEnum ? H5Tget_super(type) : H5Tcopy(type), H5Tclose);
    Handle little(H5Tcopy(base), H5Tclose);
    H5Tset_order(little, H5T_ORDER_LE);
    for (const Row& row : rows) {
        if (H5Tequal(little, row.type) > 0) {
            const ElementType element = isEnum && row.element == ElementType::Int8 ? ElementType::Bool : row.element;
            const bool isAsStored = H5Tequal(base, little) > 0;
            return {element, isEnum ? Handle(H5Tcopy(type), H5Tclose) : std::move(little), isAsStored};
        }
    }
    damaged(fmt::format("dataset {} has numbers of an unknown format ({} bytes each)", path, H5Tget_size(type)));
}

std::string filterName(H5Z_filter_t filter)
{
    switch (filter) {
    case H5Z_FILTER_SZIP:
        return "SZIP";
    case lzfFilter:
        return "LZF";
    case 32001:
        return "Blosc";
    case 32004:
        return "LZ4";
    case 32008:
        return "Bitshuffle";
    case 32015:
        return "Zstandard";
    default:
        return "unknown";
    }
}

/// A text of fixed length: up to the first NUL, without the spaces that fill it up.
std::string fixedText(const char* bytes, std::size_t size, H5T_str_t padding)
{
    std::string text(bytes, strnlen(bytes, size));
    if (padding == H5T_STR_SPACEPAD) {
        text.erase(text.find_last_not_of(' ') + 1);
    }
    return text;
}

std::vector<std::string> variableTexts(hid_t attribute, hid_t type, hid_t space, std::size_t count)
{
    std::vector<char*> pointers(count);
    const Handle memory(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(memory, H5T_VARIABLE);
    H5Tset_cset(memory, H5Tget_cset(type));
    std::vector<std::string> texts;
    if (H5Aread(attribute, memory, pointers.data()) < 0) {
        damaged("an attribute cannot be read");
    }
    texts.reserve(count);
    for (const char* pointer : pointers) {
        texts.emplace_back(pointer != nullptr ? pointer : "");
    }
    H5Dvlen_reclaim(memory, space, H5P_DEFAULT, pointers.data());
    return texts;
}

/// Opens the bytes of a file where they are. The library takes them for memory of its own, which it would allocate,
/// copy and free by these functions.
Handle openImage(std::span<const std::byte>& bytes)
{
    const auto sameBytes = [](std::size_t size, H5FD_file_image_op_t, void* image) -> void* {
        auto& whole = *static_cast<std::span<const std::byte>*>(image);
        return size <= whole.size() ? const_cast<std::byte*>(whole.data()) : nullptr;
    };
    const auto noCopy = [](void* to, const void* from, std::size_t, H5FD_file_image_op_t, void*) -> void* {
        return to == from ? to : nullptr;
    };
    const auto noResize = [](void*, std::size_t, H5FD_file_image_op_t, void*) -> void* { return nullptr; };
    const auto noFree = [](void*, H5FD_file_image_op_t, void*) -> herr_t { return 0; };
    const auto sameImage = [](void* image) -> void* { return image; };
    const auto keepImage = [](void*) -> herr_t { return 0; };
    H5FD_file_image_callbacks_t callbacks{sameBytes, noCopy, noResize, noFree, sameImage, keepImage, &bytes};
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    constexpr std::size_t step = 65536; // of growth, which does not happen
    if (H5Pset_fapl_core(access, step, false) < 0 || H5Pset_file_image_callbacks(access, &callbacks) < 0 ||
        H5Pset_file_image(access, const_cast<std::byte*>(bytes.data()), bytes.size()) < 0) {
        return {H5I_INVALID_HID, H5Fclose};
    }
    return {H5Fopen("model", H5F_ACC_RDONLY, access), H5Fclose};
}

/// All dimensions multiplied; nothing beyond 62 bits.
std::optional<std::uint64_t> productOf(std::span<const hsize_t> dims, std::uint64_t each)
{
    constexpr std::uint64_t limit = std::uint64_t{1} << 62U;
    std::uint64_t product = each;
    for (const hsize_t dim : dims) {
        if (dim != 0 && product > limit / dim) {
            return std::nullopt;
        }
        product *= dim;
    }
    return product;
}

std::string version()
{
    unsigned numbers[3] = {};
    H5get_libversion(&numbers[0], &numbers[1], &numbers[2]);
    return fmt::format("{}.{}.{}", numbers[0], numbers[1], numbers[2]);
}

} // namespace

struct Hdf5File::State {
    std::shared_ptr<const SourceFile> file;
    std::span<const std::byte> bytes;
    Handle id{H5I_INVALID_HID, H5Fclose};

    explicit State(std::shared_ptr<const SourceFile> source)
        : file(std::move(source))
        , bytes(file->bytes())
        , id(open(bytes))
    {
    }

    static Handle open(std::span<const std::byte>& bytes)
    {
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); // errors are reported by us
        H5PLset_loading_state(0);                    // no code from outside for filters
        registerLzf();
        Handle id = openImage(bytes);
        if (!id.isValid()) {
            throw ModelError("damaged", "is an HDF5 file whose structure cannot be read",
                             "it may be incomplete: download or save it again");
        }
        return id;
    }

    /// Nothing if there is no such object.
    std::optional<Handle> object(const std::string& path) const
    {
        Handle at(H5Gopen2(id, "/", H5P_DEFAULT), H5Oclose);
        if (!at.isValid()) {
            damaged("is an HDF5 file without a root group");
        }
        for (const std::string& step : stepsOf(path)) {
            if (H5Iget_type(at) != H5I_GROUP || step == "." || H5Lexists(at, step.c_str(), H5P_DEFAULT) <= 0) {
                return std::nullopt;
            }
            H5L_info_t link{};
            if (H5Lget_info(at, step.c_str(), &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD) {
                damaged(fmt::format("{} is a link to another place, which is not followed", path));
            }
            Handle next(H5Oopen(at, step.c_str(), H5P_DEFAULT), H5Oclose);
            if (!next.isValid()) {
                throw ModelError("unsupported-file",
                                 fmt::format("{} is damaged, or in a form that is newer than HDF5 {}", path, version()),
                                 "rewrite the file with h5repack, or save it without libver=\"latest\"");
            }
            at.~Handle();
            new (&at) Handle(std::move(next));
        }
        return at;
    }

    std::optional<std::vector<std::string>> attribute(const std::string& path, const std::string& name) const
    {
        const auto holder = object(path);
        if (!holder || H5Aexists(*holder, name.c_str()) <= 0) {
            return std::nullopt;
        }
        const Handle attribute(H5Aopen(*holder, name.c_str(), H5P_DEFAULT), H5Aclose);
        const Handle type(H5Aget_type(attribute), H5Tclose);
        const Handle space(H5Aget_space(attribute), H5Sclose);
        const hssize_t count = H5Sget_simple_extent_npoints(space);
        if (!attribute.isValid() || !type.isValid() || count < 0) {
            damaged(fmt::format("attribute {} of {} cannot be read", name, path));
        }
        if (count == 0) {
            return std::vector<std::string>(); // of any type: h5py writes an empty list as numbers
        }
        if (H5Tget_class(type) != H5T_STRING) {
            damaged(fmt::format("attribute {} of {} is not text", name, path));
        }
        const auto texts = static_cast<std::size_t>(count);
        const std::size_t size = H5Tget_size(type);
        if (texts > mostNames || (H5Tis_variable_str(type) <= 0 && size > file->size() / texts)) {
            damaged(fmt::format("attribute {} of {} is larger than the file", name, path));
        }
        std::vector<std::string> result = H5Tis_variable_str(type) > 0 ? variableTexts(attribute, type, space, texts)
                                                                       : fixedTexts(attribute, type, texts, name);
        if (!std::ranges::all_of(result, [](const std::string& text) { return simdjson::validate_utf8(text); })) {
            damaged(fmt::format("attribute {} of {} is not UTF-8", name, path));
        }
        return result;
    }

    static std::vector<std::string> fixedTexts(hid_t attribute, hid_t type, std::size_t texts, const std::string& name)
    {
        const std::size_t size = H5Tget_size(type);
        std::vector<char> bytes(texts * size);
        const Handle memory(H5Tcopy(type), H5Tclose);
        if (H5Aread(attribute, memory, bytes.data()) < 0) {
            damaged(fmt::format("attribute {} cannot be read", name));
        }
        std::vector<std::string> result;
        for (std::size_t i = 0; i < texts; ++i) {
            result.push_back(fixedText(bytes.data() + i * size, size, H5Tget_strpad(type)));
        }
        return result;
    }

    static void refuseForeignContent(hid_t list, const std::string& path)
    {
        if (H5Pget_layout(list) == H5D_VIRTUAL || H5Pget_external_count(list) > 0) {
            throw ModelError("damaged", fmt::format("dataset {} has its content in other files", path));
        }
        const int filters = H5Pget_nfilters(list);
        for (int i = 0; i < filters; ++i) {
            unsigned flags = 0;
            std::size_t values = 0;
            unsigned config = 0;
            const H5Z_filter_t filter =
                H5Pget_filter2(list, static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, &config);
            if (filter < 0 || H5Zfilter_avail(filter) <= 0) {
                throw ModelError("unsupported-file",
                                 fmt::format("dataset {} is compressed by filter {} ({}), which cannot be read", path,
                                             static_cast<int>(filter), filterName(filter)),
                                 "rewrite the file with h5repack -f GZIP=4");
            }
        }
    }

    /// Throws if a dataset claims more than the bytes that the file has for it can contain.
    void checkSize(hid_t dataset, hid_t list, std::uint64_t size, std::size_t each, const std::string& path) const
    {
        const std::uint64_t stored = H5Dget_storage_size(dataset);
        const bool isChunked = H5Pget_layout(list) == H5D_CHUNKED;
        const std::uint64_t most = isChunked ? std::min(stored, file->size()) * largestExpansion + allowedFiller
                                             : std::min(stored, file->size());
        std::uint64_t needed = size;
        if (isChunked) {
            std::array<hsize_t, H5S_MAX_RANK> chunk{};
            const int rank = H5Pget_chunk(list, static_cast<int>(chunk.size()), chunk.data());
            const auto bytes =
                rank < 0 ? std::nullopt : productOf(std::span(chunk).first(static_cast<std::size_t>(rank)), each);
            needed = std::max(needed, bytes.value_or(std::numeric_limits<std::uint64_t>::max()));
        }
        if (needed > most) {
            damaged(fmt::format("dataset {} claims {} bytes, but the file has {} for it", path, needed, stored));
        }
    }

    Tensor tensor(const std::string& path) const
    {
        const auto dataset = object(path);
        if (!dataset || H5Iget_type(*dataset) != H5I_DATASET) {
            damaged(fmt::format("dataset {} is missing", path));
        }
        const Handle list(H5Dget_create_plist(*dataset), H5Pclose);
        const Handle type(H5Dget_type(*dataset), H5Tclose);
        const Handle space(H5Dget_space(*dataset), H5Sclose);
        if (!list.isValid() || !type.isValid() || !space.isValid()) {
            damaged(fmt::format("dataset {} cannot be read", path));
        }
        refuseForeignContent(list, path);
        StoredType stored = storedType(type, path);
        std::array<hsize_t, H5S_MAX_RANK> extent{};
        const int rank = H5Sget_simple_extent_dims(space, extent.data(), nullptr);
        const std::span<const hsize_t> dims(extent.data(), static_cast<std::size_t>(std::max(rank, 0)));
        const std::size_t each = H5Tget_size(stored.memory);
        const auto size = rank < 0 ? std::nullopt : productOf(dims, each);
        if (!size) {
            damaged(fmt::format("dataset {} has impossible dimensions", path));
        }
        if (stored.element == ElementType::UInt16 && isBfloat16(*dataset)) {
            stored.element = ElementType::BFloat16;
        }
        const std::vector<std::int64_t> shape(dims.begin(), dims.end());
        if (*size == 0) {
            return Tensor::owned(stored.element, shape, {});
        }
        checkSize(*dataset, list, *size, each, path);
        if (stored.isAsStored && H5Pget_layout(list) == H5D_CONTIGUOUS) {
            const haddr_t offset = H5Dget_offset(*dataset);
            if (offset == HADDR_UNDEF || offset > file->size() || *size > file->size() - offset) {
                throw ModelError("truncated", fmt::format("dataset {} ends beyond the end of the file", path));
            }
            return Tensor::mapped(stored.element, shape, file, offset);
        }
        std::vector<std::byte> bytes(*size);
        if (H5Dread(*dataset, stored.memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0) {
            damaged(fmt::format("dataset {} cannot be read", path));
        }
        return Tensor::owned(stored.element, shape, std::move(bytes));
    }

    /// HDF5 has no such type: the bits are stored as uint16, with the type in an attribute.
    static bool isBfloat16(hid_t dataset)
    {
        if (H5Aexists(dataset, "dtype") <= 0) {
            return false;
        }
        const Handle attribute(H5Aopen(dataset, "dtype", H5P_DEFAULT), H5Aclose);
        const Handle type(H5Aget_type(attribute), H5Tclose);
        const Handle space(H5Aget_space(attribute), H5Sclose);
        if (H5Tget_class(type) != H5T_STRING || H5Sget_simple_extent_npoints(space) != 1) {
            return false;
        }
        if (H5Tis_variable_str(type) > 0) {
            return variableTexts(attribute, type, space, 1).front() == "bfloat16";
        }
        std::vector<char> bytes(std::min<std::size_t>(H5Tget_size(type), allowedFiller));
        return H5Tget_size(type) == bytes.size() && H5Aread(attribute, type, bytes.data()) >= 0 &&
               fixedText(bytes.data(), bytes.size(), H5Tget_strpad(type)) == "bfloat16";
    }
};

bool Hdf5File::matches(std::span<const std::byte> bytes)
{
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (text.starts_with(signature)) {
        return true;
    }
    for (std::size_t at = firstUserBlock; at < text.size(); at *= 2) {
        if (text.substr(at).starts_with(signature)) {
            return true;
        }
    }
    return false;
}

Hdf5File::Hdf5File(std::shared_ptr<const SourceFile> file)
{
    const std::lock_guard lock(libraryMutex());
    m_state = std::make_unique<State>(std::move(file));
}

Hdf5File::~Hdf5File()
{
    const std::lock_guard lock(libraryMutex());
    m_state.reset();
}

bool Hdf5File::contains(const std::string& path) const
{
    const std::lock_guard lock(libraryMutex());
    return m_state->object(path).has_value();
}

bool Hdf5File::isDataset(const std::string& path) const
{
    const std::lock_guard lock(libraryMutex());
    const auto object = m_state->object(path);
    return object && H5Iget_type(*object) == H5I_DATASET;
}

std::vector<std::string> Hdf5File::members(const std::string& group) const
{
    const std::lock_guard lock(libraryMutex());
    const auto object = m_state->object(group);
    std::vector<std::string> names;
    if (!object || H5Iget_type(*object) != H5I_GROUP) {
        return names;
    }
    const auto add = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
        auto& all = *static_cast<std::vector<std::string>*>(list);
        if (all.size() >= mostNames) {
            return -1;
        }
        all.emplace_back(name);
        return 0;
    };
    if (H5Literate(*object, H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names) < 0) {
        damaged(fmt::format("group {} cannot be listed", group));
    }
    return names;
}

std::optional<std::string> Hdf5File::text(const std::string& object, const std::string& attribute) const
{
    const std::lock_guard lock(libraryMutex());
    const auto all = m_state->attribute(object, attribute);
    return all && all->size() == 1 ? std::optional(all->front()) : std::nullopt;
}

std::optional<std::vector<std::string>> Hdf5File::texts(const std::string& object, const std::string& attribute) const
{
    const std::lock_guard lock(libraryMutex());
    auto all = m_state->attribute(object, attribute);
    for (int i = 0; !all || i > 0; ++i) {
        const auto piece = i < mostPieces ? m_state->attribute(object, attribute + std::to_string(i)) : std::nullopt;
        if (!piece) {
            break;
        }
        if (!all) {
            all.emplace();
        }
        all->insert(all->end(), piece->begin(), piece->end());
    }
    return all;
}

Tensor Hdf5File::tensor(const std::string& path) const
{
    const std::lock_guard lock(libraryMutex());
    return m_state->tensor(path);
}

} // namespace crosswalk::keras
