#include "core/formats/pytorch/saved_tensors.h"

#include "core/base/diagnostic.h"
#include "core/formats/pytorch/strided_tensor.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace crosswalk::pytorch {
namespace {

using ObjectKind = PickleObject::Kind;

/// The element type of a storage class, "torch FloatStorage".
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
        {"torch ComplexFloatStorage", Complex64},
        {"torch ComplexDoubleStorage", Complex128},
    });
    const auto* found = std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.first == name; });
    return found != rows.end() ? found->second : Undefined;
}

std::optional<std::vector<std::int64_t>> integersIn(const PickleValue& value)
{
    const PickleObject* tuple = objectIn(value);
    if (tuple == nullptr || (tuple->kind != ObjectKind::Tuple && tuple->kind != ObjectKind::List)) {
        return std::nullopt;
    }
    std::vector<std::int64_t> numbers;
    for (const PickleValue& item : tuple->items) {
        const auto* number = std::get_if<std::int64_t>(&item);
        if (number == nullptr) {
            return std::nullopt;
        }
        numbers.push_back(*number);
    }
    return numbers;
}

[[noreturn]] void damaged(std::string_view name)
{
    throw ModelError("damaged", fmt::format("tensor {} is not described as PyTorch describes tensors", name));
}

} // namespace

std::optional<Tensor> tensorIn(const PickleValue& value, const OpenStorage& open, std::string_view name)
{
    constexpr std::size_t leastArguments = 4;
    if (const auto* parameter = argumentsOf(value, "torch._utils _rebuild_parameter")) {
        return parameter->items.empty() ? std::nullopt : tensorIn(parameter->items[0], open, name);
    }
    const auto* arguments = argumentsOf(value, "torch._utils _rebuild_tensor_v2");
    arguments = arguments != nullptr ? arguments : argumentsOf(value, "torch._utils _rebuild_tensor");
    if (arguments == nullptr) {
        return std::nullopt;
    }
    if (arguments->items.size() < leastArguments) {
        damaged(name);
    }
    const PickleObject* persistent = objectIn(arguments->items[0], ObjectKind::Persistent);
    const PickleObject* storage = persistent != nullptr ? objectIn(persistent->items[0], ObjectKind::Tuple) : nullptr;
    const auto* offset = std::get_if<std::int64_t>(&arguments->items[1]);
    const auto sizes = integersIn(arguments->items[2]);
    const auto strides = integersIn(arguments->items[3]);
    if (storage == nullptr || storage->items.size() < leastArguments || offset == nullptr || !sizes || !strides) {
        damaged(name);
    }
    const PickleObject* type = objectIn(storage->items[1], ObjectKind::Global);
    const auto* key = std::get_if<std::string>(&storage->items[2]);
    if (type == nullptr || key == nullptr) {
        damaged(name);
    }
    return stridedTensor({storageType(type->name), *sizes, *strides, *offset}, open(*key), name);
}

std::optional<TensorType> tensorTypeIn(const PickleValue& value)
{
    const auto* arguments = argumentsOf(value, "torch._utils _rebuild_tensor_v2");
    if (arguments == nullptr || arguments->items.size() < 4) {
        return std::nullopt;
    }
    const PickleObject* persistent = objectIn(arguments->items[0], ObjectKind::Persistent);
    const PickleObject* storage = persistent != nullptr ? objectIn(persistent->items[0], ObjectKind::Tuple) : nullptr;
    const PickleObject* type =
        storage != nullptr && storage->items.size() > 1 ? objectIn(storage->items[1], ObjectKind::Global) : nullptr;
    const auto sizes = integersIn(arguments->items[2]);
    if (type == nullptr || !sizes) {
        return std::nullopt;
    }
    return TensorType{storageType(type->name), shapeOf(*sizes)};
}

std::string tensorKey(const PickleValue& value)
{
    if (const auto* parameter = argumentsOf(value, "torch._utils _rebuild_parameter")) {
        return parameter->items.empty() ? std::string() : tensorKey(parameter->items[0]);
    }
    const auto* arguments = argumentsOf(value, "torch._utils _rebuild_tensor_v2");
    arguments = arguments != nullptr ? arguments : argumentsOf(value, "torch._utils _rebuild_tensor");
    if (arguments == nullptr || arguments->items.size() < 4) {
        return {};
    }
    const PickleObject* persistent = objectIn(arguments->items[0], ObjectKind::Persistent);
    const PickleObject* storage = persistent != nullptr ? objectIn(persistent->items[0], ObjectKind::Tuple) : nullptr;
    const auto* key =
        storage != nullptr && storage->items.size() > 2 ? std::get_if<std::string>(&storage->items[2]) : nullptr;
    const auto* offset = std::get_if<std::int64_t>(&arguments->items[1]);
    const auto sizes = integersIn(arguments->items[2]);
    const auto strides = integersIn(arguments->items[3]);
    if (key == nullptr || offset == nullptr || !sizes || !strides) {
        return {};
    }
    return fmt::format("{}/{}/{}/{}", *key, *offset, fmt::join(*sizes, ","), fmt::join(*strides, ","));
}

std::map<std::string, Tensor, std::less<>> savedTensors(const std::shared_ptr<const SourceFile>& file)
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
    const OpenStorage open = [&](const std::string& key) {
        const ZipMember* member = archive->find(folder + "data/" + key);
        if (member == nullptr) {
            throw ModelError("damaged", fmt::format("{} has no storage data/{}", file->name(), key));
        }
        return archive->open(*member);
    };
    const auto bytes = archive->open(*data);
    const Pickle pickle = readPickle(bytes->bytes(), file->name() + "/data.pkl");
    std::map<std::string, Tensor, std::less<>> tensors;
    if (auto whole = tensorIn(pickle.root, open, file->name())) {
        tensors.emplace("", std::move(*whole));
    }
    for (const auto& [key, value] : entriesOf(pickle.root)) {
        const auto* name = std::get_if<std::string>(&key);
        if (name == nullptr) {
            continue;
        }
        if (auto tensor = tensorIn(value, open, *name)) {
            tensors.emplace(*name, std::move(*tensor));
        }
    }
    return tensors;
}

} // namespace crosswalk::pytorch
