#include "core/formats/pytorch/legacy_files.h"

#include "core/base/diagnostic.h"
#include "core/formats/pytorch/saved_tensors.h"
#include "core/formats/pytorch/strided_tensor.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <map>

// The layouts: _legacy_save and _legacy_load in torch/serialization.py.

namespace crosswalk::pytorch {
namespace {

using namespace std::literals;
using ObjectKind = PickleObject::Kind;

constexpr auto magicPickle = "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19\x2e"sv;
constexpr std::size_t tarBlock = 512;

/// Reads pickles and numbers one after the other.
class Stream {
public:
    explicit Stream(std::shared_ptr<const SourceFile> file)
        : m_file(std::move(file))
    {
    }

    Pickle pickle()
    {
        Pickle read = readPickle(m_file->bytes().subspan(m_at), fmt::format("{} at {}", m_file->name(), m_at));
        m_at += read.size;
        return read;
    }

    /// An integer that the file stores as a pickle of its own.
    std::int64_t pickledNumber(std::string_view what)
    {
        const Pickle read = pickle();
        const auto* number = std::get_if<std::int64_t>(&read.root);
        if (number == nullptr || *number < 0) {
            damaged(fmt::format("{} is not a number", what));
        }
        return *number;
    }

    /// A little-endian int64 that is not negative.
    std::int64_t number(std::string_view what)
    {
        constexpr std::size_t width = 8;
        std::int64_t value = 0;
        std::memcpy(&value, take(width, what).data(), width);
        if (value < 0) {
            damaged(fmt::format("{} has a negative number", what));
        }
        return value;
    }

    Ints numbers(std::size_t count, std::string_view what)
    {
        Ints values;
        for (std::size_t i = 0; i < count; ++i) {
            values.push_back(number(what));
        }
        return values;
    }

    /// The elements of a storage, which follow their number.
    std::shared_ptr<const SourceFile> storage(ElementType type, const std::string& key)
    {
        const std::string what = fmt::format("storage {}", key);
        const auto size = packedSize(type, static_cast<std::uint64_t>(number(what)));
        if (byteSize(type) == 0 || !size) {
            damaged(fmt::format("{} has an unknown element type or too many elements", what));
        }
        const std::uint64_t begin = m_at;
        take(*size, what);
        return m_file->part(what, begin, *size);
    }

    std::span<const std::byte> take(std::uint64_t count, std::string_view what)
    {
        if (count > m_file->size() - m_at) {
            throw ModelError("truncated", fmt::format("{}: the file ends inside {}", m_file->name(), what));
        }
        const auto part = m_file->bytes().subspan(m_at, count);
        m_at += count;
        return part;
    }

    [[noreturn]] void damaged(std::string_view what) const
    {
        throw ModelError("damaged", fmt::format("{}: {}", m_file->name(), what));
    }

private:
    std::shared_ptr<const SourceFile> m_file;
    std::uint64_t m_at = 0;
};

/// A key of a storage or a tensor, which old files store as a number.
std::string keyOf(const PickleValue& value)
{
    if (const auto* text = std::get_if<std::string>(&value)) {
        return *text;
    }
    const auto* number = std::get_if<std::int64_t>(&value);
    return number != nullptr ? std::to_string(*number) : std::string();
}

void expectLittleEndian(const Pickle& system)
{
    for (const auto& [key, value] : entriesOf(system.root)) {
        if (key == PickleValue("little_endian"s) && value == PickleValue(false)) {
            throw ModelError("unsupported-version", "the file was written by a big-endian machine",
                             "save the model again on a little-endian machine");
        }
    }
}

/// The element types of the storages that a pickle refers to, by key.
std::map<std::string, ElementType> storageTypes(const Pickle& pickle)
{
    std::map<std::string, ElementType> types;
    for (const auto& object : pickle.objects) {
        if (const auto storage = object->kind == ObjectKind::Persistent ? storageIn(object) : std::nullopt) {
            types.emplace(storage->key, storage->type);
        }
    }
    return types;
}

std::vector<PickleValue> sequenceItems(const PickleValue& value)
{
    const PickleObject* object = objectIn(value);
    return object != nullptr && (object->kind == ObjectKind::Tuple || object->kind == ObjectKind::List)
               ? object->items
               : std::vector<PickleValue>();
}

/// Members of a tar archive whose names are not longer than a header.
std::map<std::string, std::shared_ptr<const SourceFile>> tarMembers(const std::shared_ptr<const SourceFile>& file)
{
    constexpr std::size_t nameLength = 100;
    constexpr std::size_t sizeOffset = 124;
    constexpr std::size_t sizeLength = 12;
    std::map<std::string, std::shared_ptr<const SourceFile>> members;
    const std::string_view text(reinterpret_cast<const char*>(file->bytes().data()),
                                file->size()); // NOLINT: characters
    for (std::size_t at = 0; at + tarBlock <= text.size() && text[at] != '\0';) {
        std::string_view name = text.substr(at, nameLength);
        name = name.substr(0, name.find('\0'));
        name = name.starts_with("./") ? name.substr(2) : name;
        const std::string_view digits = text.substr(at + sizeOffset, sizeLength);
        std::uint64_t size = 0;
        const std::size_t first = std::min(digits.find_first_not_of(' '), digits.size());
        const auto read = std::from_chars(digits.data() + first, digits.data() + digits.size(), size, 8);
        at += tarBlock;
        if (read.ec != std::errc() || size > text.size() - at) {
            throw ModelError("truncated", fmt::format("{}: member {} leaves the file", file->name(), name));
        }
        members.insert_or_assign(std::string(name), file->part(std::string(name), at, size));
        const std::uint64_t padded = (size + tarBlock - 1) / tarBlock * tarBlock;
        at = padded < text.size() - at ? at + padded : text.size();
    }
    return members;
}

struct StoredElements {
    ElementType type = ElementType::Undefined;
    std::shared_ptr<const SourceFile> bytes;
};
using Storages = std::map<std::string, StoredElements>;

Storages readTarStorages(Stream stream)
{
    Storages storages;
    const std::int64_t count = stream.pickledNumber("the number of storages");
    for (std::int64_t i = 0; i < count; ++i) {
        const Pickle head = stream.pickle(); // key, device and class
        const auto items = sequenceItems(head.root);
        const PickleObject* type = items.size() == 3 ? objectIn(items[2], ObjectKind::Global) : nullptr;
        if (type == nullptr) {
            stream.damaged(fmt::format("storage {} is not described as PyTorch describes storages", i));
        }
        const std::string key = keyOf(items[0]);
        const ElementType element = storageType(type->name);
        storages.insert_or_assign(key, StoredElements{element, stream.storage(element, key)});
    }
    const Pickle views = stream.pickle(); // key, key of the storage, offset and number of elements
    for (const PickleValue& view : sequenceItems(views.root)) {
        const auto items = sequenceItems(view);
        const auto root = items.size() == 4 ? storages.find(keyOf(items[1])) : storages.end();
        const auto* offset = items.size() == 4 ? std::get_if<std::int64_t>(&items[2]) : nullptr;
        const auto* length = items.size() == 4 ? std::get_if<std::int64_t>(&items[3]) : nullptr;
        if (root == storages.end() || offset == nullptr || length == nullptr) {
            stream.damaged("a view of a storage is not described as PyTorch describes views");
        }
        const auto& [element, bytes] = root->second;
        const std::uint64_t most = bytes->size() / byteSize(element);
        const auto first = static_cast<std::uint64_t>(*offset);
        if (*offset < 0 || *length < 0 || first > most || static_cast<std::uint64_t>(*length) > most - first) {
            stream.damaged(fmt::format("a view leaves storage {}", root->first));
        }
        auto part = bytes->part(bytes->name(), first * byteSize(element),
                                static_cast<std::uint64_t>(*length) * byteSize(element));
        storages.insert_or_assign(keyOf(items[0]), StoredElements{element, std::move(part)});
    }
    return storages;
}

std::map<std::string, Tensor> readTarTensors(Stream stream, const Storages& storages)
{
    constexpr std::size_t mostDims = 64;
    std::map<std::string, Tensor> tensors;
    const std::int64_t count = stream.pickledNumber("the number of tensors");
    for (std::int64_t i = 0; i < count; ++i) {
        const Pickle head = stream.pickle(); // key, key of the storage and class
        const auto items = sequenceItems(head.root);
        const auto storage = items.size() == 3 ? storages.find(keyOf(items[1])) : storages.end();
        if (storage == storages.end()) {
            stream.damaged(fmt::format("tensor {} has no storage", i));
        }
        const std::string key = keyOf(items[0]);
        const auto what = fmt::format("tensor {}", key);
        // 32 bits for the number of dimensions, and as many that are unused.
        const auto rank = static_cast<std::uint64_t>(stream.number(what)) & UINT32_MAX;
        if (rank > mostDims) {
            stream.damaged(fmt::format("{} has {} dimensions", what, rank));
        }
        StridedView view{
            .type = storage->second.type, .sizes = stream.numbers(rank, what), .strides = stream.numbers(rank, what)};
        view.offset = stream.number(what);
        tensors.insert_or_assign(key, stridedTensor(view, storage->second.bytes, what));
    }
    return tensors;
}

} // namespace

bool isSavedStream(std::string_view head)
{
    return head.starts_with(magicPickle);
}

bool isSavedTar(std::string_view head)
{
    constexpr std::size_t magicOffset = 257;
    if (head.size() < tarBlock || !head.substr(magicOffset).starts_with("ustar")) {
        return false;
    }
    const std::string_view first = head.substr(head.starts_with("./") ? 2 : 0);
    static constexpr std::array members{"sys_info\0"sv, "pickle\0"sv, "storages\0"sv, "tensors\0"sv};
    return std::ranges::any_of(members, [&](std::string_view name) { return first.starts_with(name); });
}

SavedObject readSavedStream(const std::shared_ptr<const SourceFile>& file)
{
    Stream stream(file);
    stream.take(magicPickle.size(), "the magic number");
    constexpr std::int64_t protocol = 1001;
    if (const std::int64_t given = stream.pickledNumber("the version"); given != protocol) {
        throw ModelError("unsupported-version",
                         fmt::format("{} has version {}; version {} is supported", file->name(), given, protocol));
    }
    expectLittleEndian(stream.pickle());
    SavedObject saved{.pickle = stream.pickle(), .tensor = {}};
    const auto types = storageTypes(saved.pickle);
    std::map<std::string, std::shared_ptr<const SourceFile>> storages;
    const Pickle keys = stream.pickle();
    for (const PickleValue& value : sequenceItems(keys.root)) {
        const std::string key = keyOf(value);
        const auto type = types.find(key);
        if (type == types.end()) {
            stream.damaged(fmt::format("no tensor has storage {}, so that its element type is unknown", key));
        }
        storages.insert_or_assign(key, stream.storage(type->second, key));
    }
    const OpenStorage open = [storages = std::move(storages), name = file->name()](const std::string& key) {
        const auto found = storages.find(key);
        if (found == storages.end()) {
            throw ModelError("damaged", fmt::format("{} has no storage {}", name, key));
        }
        return found->second;
    };
    saved.tensor = [open](const PickleValue& value, std::string_view name) { return tensorIn(value, open, name); };
    return saved;
}

SavedObject readSavedTar(const std::shared_ptr<const SourceFile>& file)
{
    const auto members = tarMembers(file);
    const auto member = [&](const std::string& name) {
        const auto found = members.find(name);
        if (found == members.end()) {
            throw ModelError("damaged", fmt::format("{} has no member {}", file->name(), name));
        }
        return found->second;
    };
    const Storages storages = readTarStorages(Stream(member("storages")));
    const auto tensors = readTarTensors(Stream(member("tensors")), storages);
    SavedObject saved{.pickle = Stream(member("pickle")).pickle(), .tensor = {}};
    saved.tensor = [tensors](const PickleValue& value, std::string_view /*name*/) -> std::optional<Tensor> {
        const PickleObject* persistent = objectIn(value, ObjectKind::Persistent);
        const auto found = persistent != nullptr ? tensors.find(keyOf(persistent->items[0])) : tensors.end();
        return found != tensors.end() ? std::optional(found->second) : std::nullopt;
    };
    return saved;
}

} // namespace crosswalk::pytorch
