#include "core/formats/pytorch/saved_tensors.h"

#include "core/base/diagnostic.h"
#include "core/formats/pytorch/strided_tensor.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace crosswalk::pytorch {
namespace {

using namespace std::string_literals;
using ObjectKind = PickleObject::Kind;

std::optional<Ints> integersIn(const PickleValue& value)
{
    const PickleObject* tuple = objectIn(value);
    if (tuple == nullptr || (tuple->kind != ObjectKind::Tuple && tuple->kind != ObjectKind::List)) {
        return std::nullopt;
    }
    Ints numbers;
    for (const PickleValue& item : tuple->items) {
        const auto* number = std::get_if<std::int64_t>(&item);
        if (number == nullptr) {
            return std::nullopt;
        }
        numbers.push_back(*number);
    }
    return numbers;
}

/// The arguments of the call that makes a tensor; null for any other value.
const PickleObject* tensorArguments(const PickleValue& value)
{
    if (const auto* parameter = argumentsOf(value, "torch._utils _rebuild_parameter")) {
        return parameter->items.empty() ? nullptr : tensorArguments(parameter->items[0]);
    }
    for (const char* call : {"_rebuild_tensor_v2", "_rebuild_tensor", "_rebuild_qtensor"}) {
        if (const auto* arguments = argumentsOf(value, fmt::format("torch._utils {}", call))) {
            return arguments;
        }
    }
    return nullptr;
}

struct PickledTensor {
    PickledStorage storage;
    StridedView view;
    NegatedParts negatedParts;
};

/// Views such as those of conj() and of the imaginary part of one share the storage and negate what they read of it.
NegatedParts negatedParts(const PickleObject& arguments)
{
    constexpr std::size_t marks = 6; // after the strides, the gradient and the hooks
    const PickleValue given = arguments.items.size() > marks ? untagged(arguments.items[marks]) : PickleValue();
    bool isConjugate = false;
    bool isNegative = false;
    for (const auto& [key, value] : entriesOf(given)) {
        isConjugate = isConjugate || (key == PickleValue("conj"s) && value == PickleValue(true));
        isNegative = isNegative || (key == PickleValue("neg"s) && value == PickleValue(true));
    }
    return {.real = isNegative, .imaginary = isNegative != isConjugate};
}

/// Nothing if the arguments are not those of a tensor.
std::optional<PickledTensor> pickledTensor(const PickleObject& arguments)
{
    constexpr std::size_t leastArguments = 4;
    if (arguments.items.size() < leastArguments) {
        return std::nullopt;
    }
    auto storage = storageIn(arguments.items[0]);
    const auto* offset = std::get_if<std::int64_t>(&arguments.items[1]);
    auto sizes = integersIn(arguments.items[2]);
    auto strides = integersIn(arguments.items[3]);
    std::int64_t first = 0;
    if (!storage || offset == nullptr || !sizes || !strides ||
        __builtin_add_overflow(*offset, storage->offset, &first)) {
        return std::nullopt;
    }
    StridedView view{storage->type, std::move(*sizes), std::move(*strides), first};
    return PickledTensor{std::move(*storage), std::move(view), negatedParts(arguments)};
}

} // namespace

ElementType storageType(std::string_view name)
{
    using enum ElementType;
    static constexpr auto rows = std::to_array<std::pair<std::string_view, ElementType>>({
        {"torch FloatStorage", Float32},
        {"torch DoubleStorage", Float64},
        {"torch HalfStorage", Float16},
        {"torch BFloat16Storage", BFloat16},
        {"torch LongStorage", Int64},
        {"torch IntStorage", Int32},
        {"torch ShortStorage", Int16},
        {"torch CharStorage", Int8},
        {"torch ByteStorage", UInt8},
        {"torch BoolStorage", Bool},
        {"torch UInt16Storage", UInt16},
        {"torch UInt32Storage", UInt32},
        {"torch UInt64Storage", UInt64},
        {"torch QInt8Storage", Int8},
        {"torch QUInt8Storage", UInt8},
        {"torch QInt32Storage", Int32},
        {"torch ComplexFloatStorage", Complex64},
        {"torch ComplexDoubleStorage", Complex128},
    });
    const auto* found = std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.first == name; });
    return found != rows.end() ? found->second : Undefined;
}

std::optional<PickledStorage> storageIn(const PickleValue& value)
{
    constexpr std::size_t leastItems = 4; // "storage", class, key, device, number of elements and view
    constexpr std::size_t deviceItem = 3;
    constexpr std::size_t viewItem = 5;
    const PickleObject* persistent = objectIn(value, ObjectKind::Persistent);
    const PickleObject* storage = persistent != nullptr ? objectIn(persistent->items[0], ObjectKind::Tuple) : nullptr;
    if (storage == nullptr || storage->items.size() < leastItems) {
        return std::nullopt;
    }
    const PickleObject* type = objectIn(storage->items[1], ObjectKind::Global);
    const auto* key = std::get_if<std::string>(&storage->items[2]);
    if (type == nullptr || key == nullptr) {
        return std::nullopt;
    }
    PickledStorage found{storageType(type->name), *key};
    if (const auto* device = std::get_if<std::string>(&storage->items[deviceItem])) {
        found.device = *device;
    }
    const PickleObject* view = storage->items.size() > viewItem ? objectIn(storage->items[viewItem]) : nullptr;
    if (view != nullptr && view->items.size() > 1) { // its key, offset and number of elements
        const auto* offset = std::get_if<std::int64_t>(&view->items[1]);
        found.offset = offset != nullptr ? *offset : 0;
    }
    return found;
}

std::optional<Tensor> tensorIn(const PickleValue& value, const OpenStorage& open, std::string_view name)
{
    const PickleObject* arguments = tensorArguments(value);
    if (arguments == nullptr) {
        return std::nullopt;
    }
    const auto tensor = pickledTensor(*arguments);
    if (!tensor) {
        throw ModelError("damaged", fmt::format("tensor {} is not described as PyTorch describes tensors", name));
    }
    return negated(stridedTensor(tensor->view, open(tensor->storage.key), name), tensor->negatedParts, name);
}

std::optional<TensorType> tensorTypeIn(const PickleValue& value)
{
    const PickleObject* arguments = tensorArguments(value);
    const auto tensor = arguments != nullptr ? pickledTensor(*arguments) : std::nullopt;
    return tensor ? std::optional(TensorType{tensor->storage.type, shapeOf(tensor->view.sizes)}) : std::nullopt;
}

bool isRowMajor(const PickleValue& value)
{
    const PickleObject* arguments = tensorArguments(value);
    const auto tensor = arguments != nullptr ? pickledTensor(*arguments) : std::nullopt;
    return tensor && isRowMajor(tensor->view);
}

std::string deviceOf(const PickleValue& value)
{
    const PickleObject* arguments = tensorArguments(value);
    auto tensor = arguments != nullptr ? pickledTensor(*arguments) : std::nullopt;
    return tensor ? std::move(tensor->storage.device) : std::string();
}

std::string tensorKey(const PickleValue& value)
{
    const PickleObject* arguments = tensorArguments(value);
    const auto tensor = arguments != nullptr ? pickledTensor(*arguments) : std::nullopt;
    return tensor ? fmt::format("{}/{}/{}/{}/{}{}", tensor->storage.key, tensor->view.offset,
                                fmt::join(tensor->view.sizes, ","), fmt::join(tensor->view.strides, ","),
                                tensor->negatedParts.real, tensor->negatedParts.imaginary)
                  : std::string();
}

std::map<std::string, SavedTensor, std::less<>> savedTensors(const std::shared_ptr<const SourceFile>& file)
{
    const auto archive = std::make_shared<const ZipArchive>(file);
    std::string folder;
    const ZipMember* data = nullptr;
    for (const ZipMember& member : archive->members()) {
        if (member.name.ends_with("/data.pkl") && std::count(member.name.begin(), member.name.end(), '/') == 1) {
            data = &member;
            folder = member.name.substr(0, member.name.size() - std::string_view("data.pkl").size());
        }
    }
    if (data == nullptr) {
        throw ModelError("damaged", fmt::format("{} has no data.pkl", file->name()));
    }
    std::string storage;
    const OpenStorage open = [&](const std::string& key) {
        storage = key;
        const ZipMember* member = archive->find(folder + "data/" + key);
        if (member == nullptr) {
            throw ModelError("damaged", fmt::format("{} has no storage data/{}", file->name(), key));
        }
        return archive->open(*member);
    };
    const auto bytes = archive->open(*data);
    const Pickle pickle = readPickle(bytes->bytes(), file->name() + "/data.pkl");
    std::map<std::string, SavedTensor, std::less<>> tensors;
    if (auto whole = tensorIn(pickle.root, open, file->name())) {
        tensors.emplace("", SavedTensor{std::move(*whole), storage});
    }
    for (const auto& [key, value] : entriesOf(pickle.root)) {
        const auto* name = std::get_if<std::string>(&key);
        if (name == nullptr) {
            continue;
        }
        if (auto tensor = tensorIn(value, open, *name)) {
            tensors.emplace(*name, SavedTensor{std::move(*tensor), storage});
        }
    }
    return tensors;
}

} // namespace crosswalk::pytorch
