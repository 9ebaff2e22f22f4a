#include "core/formats/keras/hdf5_file.h"

#include "core/base/diagnostic.h"
#include "core/formats/keras/hdf5/dataset.h"

#include <algorithm>
#include <fmt/format.h>
#include <simdjson.h>

namespace crosswalk::keras {

namespace {

constexpr std::size_t mostNames = 1U << 20U; ///< in a list of an attribute
constexpr int mostPieces = 4096;             ///< of an attribute in pieces

/// Decompressed bytes of all datasets together, in bytes of the file: what zeros reach with deflate.
constexpr std::uint64_t mostDecompressed = 1100;
constexpr std::uint64_t alwaysDecompressed = std::uint64_t{1} << 24U;

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

/// A text of fixed length: up to the first NUL, without the spaces that fill it up.
std::string fixedText(std::span<const std::byte> bytes, bool isSpacePadded)
{
    std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    text.resize(std::min(text.find('\0'), text.size()));
    if (isSpacePadded) {
        text.erase(text.find_last_not_of(' ') + 1);
    }
    return text;
}

ElementType elementOf(const hdf5::Datatype& type, const std::string& path)
{
    using enum ElementType;
    if (type.kind != hdf5::TypeKind::Integer && type.kind != hdf5::TypeKind::Float &&
        type.kind != hdf5::TypeKind::Enumeration) {
        hdf5::damaged(fmt::format("dataset {} does not contain numbers", path));
    }
    ElementType element = Undefined;
    if (type.isCommon && type.kind == hdf5::TypeKind::Float) {
        element = type.size == 2 ? Float16 : type.size == 4 ? Float32 : Float64;
    } else if (type.isCommon) {
        switch (type.size) {
        case 1:
            element = type.isSigned ? Int8 : UInt8;
            break;
        case 2:
            element = type.isSigned ? Int16 : UInt16;
            break;
        case 4:
            element = type.isSigned ? Int32 : UInt32;
            break;
        case 8:
            element = type.isSigned ? Int64 : UInt64;
            break;
        default:
            break;
        }
    }
    if (element == Undefined) {
        hdf5::damaged(fmt::format("dataset {} has numbers of an unknown format ({} bytes each)", path, type.size));
    }
    return type.kind == hdf5::TypeKind::Enumeration && element == Int8 ? Bool : element; // h5py's form of booleans
}

void swapBytes(std::span<std::byte> bytes, std::size_t each)
{
    for (; bytes.size() >= each; bytes = bytes.subspan(each)) {
        std::ranges::reverse(bytes.first(each));
    }
}

} // namespace

struct Hdf5File::State {
    std::shared_ptr<const SourceFile> file;
    hdf5::FileView view;
    hdf5::GlobalHeap heap{view};
    std::map<hdf5::Address, hdf5::Object> objects; ///< those that were read
    std::map<hdf5::Address, hdf5::Links> links;
    std::uint64_t decompressed = 0;

    explicit State(std::shared_ptr<const SourceFile> source)
        : file(std::move(source))
        , view(file->bytes())
    {
        objectAt(view.root());
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    const hdf5::Object& objectAt(hdf5::Address address)
    {
        const auto known = objects.find(address);
        return known != objects.end() ? known->second
                                      : objects.emplace(address, hdf5::readObject(view, address)).first->second;
    }

    const hdf5::Links& linksAt(hdf5::Address group)
    {
        const auto known = links.find(group);
        return known != links.end() ? known->second
                                    : links.emplace(group, hdf5::linksOf(view, objectAt(group))).first->second;
    }

    /// The address of an object; nothing if there is no such object.
    std::optional<hdf5::Address> find(const std::string& path)
    {
        hdf5::Address at = view.root();
        for (const std::string& step : stepsOf(path)) {
            if (!objectAt(at).isGroup() || step == ".") {
                return std::nullopt;
            }
            const hdf5::Links& group = linksAt(at);
            const auto link = group.find(step);
            if (link == group.end()) {
                return std::nullopt;
            }
            if (!link->second.isHard) {
                hdf5::damaged(fmt::format("{} is a link to another place, which is not followed", path));
            }
            at = link->second.address;
        }
        return at;
    }

    std::optional<std::vector<std::string>> attribute(const std::string& path, const std::string& name)
    {
        const auto holder = find(path);
        const auto attribute = holder ? hdf5::attributeOf(view, objectAt(*holder), name) : std::nullopt;
        if (!attribute) {
            return std::nullopt;
        }
        const auto count = attribute->space.size(1);
        if (count == 0U) {
            return std::vector<std::string>(); // of any type: h5py writes an empty list as numbers
        }
        if (attribute->type.kind != hdf5::TypeKind::Text && attribute->type.kind != hdf5::TypeKind::VariableText) {
            hdf5::damaged(fmt::format("attribute {} of {} is not text", name, path));
        }
        const std::size_t each = attribute->type.size;
        if (!count || *count > mostNames || (each > 0 && *count > attribute->data.size() / each)) {
            hdf5::damaged(fmt::format("attribute {} of {} is larger than the file has room for", name, path));
        }
        std::vector<std::string> result;
        std::uint64_t total = 0;
        for (std::size_t i = 0; i < *count; ++i) {
            result.push_back(text(*attribute, i));
            total += result.back().size();
            if (total > view.size()) { // the same text again and again
                hdf5::damaged(fmt::format("attribute {} of {} is larger than the file", name, path));
            }
            if (!simdjson::validate_utf8(result.back())) {
                hdf5::damaged(fmt::format("attribute {} of {} is not UTF-8", name, path));
            }
        }
        return result;
    }

    std::string text(const hdf5::Attribute& attribute, std::size_t index)
    {
        const std::size_t each = attribute.type.size;
        const auto bytes = attribute.data.subspan(index * each, each);
        if (attribute.type.kind == hdf5::TypeKind::Text) {
            return fixedText(bytes, attribute.type.isSpacePadded);
        }
        ByteReader reader(bytes);
        const auto length = reader.read<std::uint32_t>("a text");
        const hdf5::Address collection = view.readAddress(reader);
        const auto number = reader.read<std::uint32_t>("a text");
        if (length == 0 || collection == 0 || collection == hdf5::undefinedAddress) {
            return {};
        }
        const auto content = heap.object(collection, number);
        return fixedText(content.first(std::min<std::size_t>(length, content.size())), false);
    }

    /// HDF5 has no such type: the bits are stored as uint16, with the type in an attribute.
    bool isBfloat16(const hdf5::Object& dataset)
    {
        const auto attribute = hdf5::attributeOf(view, dataset, "dtype");
        if (!attribute || attribute->space.size(1) != 1U || attribute->type.size > attribute->data.size() ||
            (attribute->type.kind != hdf5::TypeKind::Text && attribute->type.kind != hdf5::TypeKind::VariableText)) {
            return false;
        }
        return text(*attribute, 0) == "bfloat16";
    }

    Tensor tensor(const std::string& path)
    {
        const auto address = find(path);
        if (!address || !objectAt(*address).isDataset()) {
            hdf5::damaged(fmt::format("dataset {} is missing", path));
        }
        const hdf5::Object& dataset = objectAt(*address);
        const hdf5::Message* typeMessage = dataset.find(hdf5::MessageType::Datatype);
        const hdf5::Message* spaceMessage = dataset.find(hdf5::MessageType::Dataspace);
        if (typeMessage == nullptr || spaceMessage == nullptr) {
            hdf5::damaged(fmt::format("dataset {} cannot be read", path));
        }
        const hdf5::Datatype type = hdf5::datatypeOf(view, *typeMessage);
        const hdf5::Dataspace space = hdf5::dataspaceOf(view, *spaceMessage);
        const hdf5::Layout layout = hdf5::layoutOf(view, dataset, type, space);
        if (layout.kind == hdf5::LayoutKind::Virtual || dataset.find(hdf5::MessageType::ExternalFiles) != nullptr) {
            hdf5::damaged(fmt::format("dataset {} has its content in other files", path));
        }
        const std::vector<hdf5::Filter> filters = hdf5::filtersOf(view, dataset, path);
        // Keras stores bfloat16, which HDF5 does not have, as bytes, or as integers with an attribute.
        const bool isBytes = type.size == 2 && type.kind == hdf5::TypeKind::Opaque;
        const bool isMarked = type.size == 2 && type.kind == hdf5::TypeKind::Integer && isBfloat16(dataset);
        const ElementType element = isBytes || isMarked ? ElementType::BFloat16 : elementOf(type, path);
        const auto size = space.size(type.size);
        if (!size || std::ranges::any_of(space.dims, [](std::uint64_t dim) { return dim >> 62U != 0; })) {
            hdf5::damaged(fmt::format("dataset {} has impossible dimensions", path));
        }
        const std::vector<std::int64_t> shape(space.dims.begin(), space.dims.end());
        if (*size == 0) {
            return Tensor::owned(element, shape, {});
        }
        const bool isSwapped = type.isBigEndian && type.size > 1;
        if (layout.kind == hdf5::LayoutKind::Chunked) {
            const std::uint64_t most = view.size() * mostDecompressed + alwaysDecompressed;
            auto bytes = hdf5::readChunks(view, dataset, layout, filters, space, type.size, most - decompressed, path);
            decompressed += bytes.size();
            return tensorOf(element, shape, std::move(bytes), isSwapped ? type.size : 0);
        }
        const bool isCompact = layout.kind == hdf5::LayoutKind::Compact;
        const std::uint64_t stored = isCompact ? layout.content.size() : std::min(layout.size, view.size());
        if (*size > stored || !filters.empty()) {
            hdf5::damaged(fmt::format("dataset {} claims {} bytes, but the file has {} for it", path, *size, stored));
        }
        if (isCompact) {
            const auto content = layout.content.first(*size);
            return tensorOf(element, shape, {content.begin(), content.end()}, isSwapped ? type.size : 0);
        }
        if (layout.address > view.size() || *size > view.size() - layout.address) {
            throw ModelError("truncated", fmt::format("dataset {} ends beyond the end of the file", path));
        }
        if (!isSwapped) {
            return Tensor::mapped(element, shape, file, view.offsetInFile(layout.address));
        }
        const auto content = view.bytes(layout.address, *size, "a dataset");
        return tensorOf(element, shape, {content.begin(), content.end()}, type.size);
    }

    /// `swapped` is the size of an element whose bytes are in the other order, or 0.
    static Tensor tensorOf(ElementType element, const std::vector<std::int64_t>& shape, std::vector<std::byte> bytes,
                           std::size_t swapped)
    {
        if (swapped > 0) {
            swapBytes(bytes, swapped);
        }
        return Tensor::owned(element, shape, std::move(bytes));
    }
};

bool Hdf5File::matches(std::span<const std::byte> bytes)
{
    return hdf5::FileView::matches(bytes);
}

Hdf5File::Hdf5File(std::shared_ptr<const SourceFile> file)
    : m_state(std::make_unique<State>(std::move(file)))
{
}

Hdf5File::~Hdf5File() = default;

bool Hdf5File::contains(const std::string& path) const
{
    return m_state->find(path).has_value();
}

bool Hdf5File::isDataset(const std::string& path) const
{
    const auto address = m_state->find(path);
    return address && m_state->objectAt(*address).isDataset();
}

std::vector<std::string> Hdf5File::members(const std::string& group) const
{
    const auto address = m_state->find(group);
    std::vector<std::string> names;
    if (!address || !m_state->objectAt(*address).isGroup()) {
        return names;
    }
    for (const auto& [name, link] : m_state->linksAt(*address)) {
        if (!simdjson::validate_utf8(name)) {
            hdf5::damaged(fmt::format("group {} has a name that is not UTF-8", group));
        }
        names.push_back(name);
    }
    return names;
}

std::optional<std::string> Hdf5File::text(const std::string& object, const std::string& attribute) const
{
    const auto all = m_state->attribute(object, attribute);
    return all && all->size() == 1 ? std::optional(all->front()) : std::nullopt;
}

std::optional<std::vector<std::string>> Hdf5File::texts(const std::string& object, const std::string& attribute) const
{
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
    return m_state->tensor(path);
}

} // namespace crosswalk::keras
