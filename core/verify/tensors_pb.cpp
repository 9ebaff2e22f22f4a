#include "core/verify/tensors_pb.h"

#include <charconv>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <onnx/onnx_pb.h>

namespace crosswalk {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void damaged(std::string message)
{
    throw ModelError("damaged", std::move(message));
}

/// Elements of a typed field, each narrowed to the bytes that the tensor's type has.
template <typename Stored, typename Field>
std::vector<std::byte> narrowed(const Field& field)
{
    std::vector<Stored> values(field.begin(), field.end());
    const auto bytes = std::as_bytes(std::span(values));
    return {bytes.begin(), bytes.end()};
}

template <typename Stored>
std::vector<std::byte> narrowedInts(const ::onnx::TensorProto& proto)
{
    std::vector<Stored> values;
    values.reserve(static_cast<std::size_t>(proto.int32_data_size()));
    for (const std::int32_t value : proto.int32_data()) {
        values.push_back(static_cast<Stored>(value));
    }
    const auto bytes = std::as_bytes(std::span(values));
    return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> typedContent(const ::onnx::TensorProto& proto, ElementType type)
{
    switch (type) {
    case ElementType::Float32:
    case ElementType::Complex64:
        return narrowed<float>(proto.float_data());
    case ElementType::Float64:
    case ElementType::Complex128:
        return narrowed<double>(proto.double_data());
    case ElementType::Int64:
        return narrowed<std::int64_t>(proto.int64_data());
    case ElementType::UInt64:
        return narrowed<std::uint64_t>(proto.uint64_data());
    case ElementType::UInt32: {
        std::vector<std::uint32_t> values;
        for (const std::uint64_t value : proto.uint64_data()) {
            values.push_back(static_cast<std::uint32_t>(value));
        }
        return narrowed<std::uint32_t>(values);
    }
    case ElementType::Int32:
        return narrowed<std::int32_t>(proto.int32_data());
    case ElementType::UInt16:
    case ElementType::Float16:
    case ElementType::BFloat16:
        return narrowedInts<std::uint16_t>(proto);
    case ElementType::Int16:
        return narrowedInts<std::int16_t>(proto);
    case ElementType::Int8:
        return narrowedInts<std::int8_t>(proto);
    case ElementType::UInt8:
    case ElementType::Bool:
        return narrowedInts<std::uint8_t>(proto);
    default: // strings, and what is narrower than a byte
        break;
    }
    damaged(
        fmt::format("tensor {} has elements of type {}, which are not supported", proto.name(),
                    ::onnx::TensorProto_DataType_Name(static_cast<::onnx::TensorProto_DataType>(proto.data_type()))));
}

std::vector<std::byte> contentOf(const ::onnx::TensorProto& proto, ElementType type)
{
    if (!proto.has_raw_data()) {
        return typedContent(proto, type);
    }
    const auto bytes = std::as_bytes(std::span(proto.raw_data()));
    return {bytes.begin(), bytes.end()};
}

} // namespace

Tensor tensorOf(const ::onnx::TensorProto& proto)
{
    const bool known = proto.data_type() > 0 && proto.data_type() <= static_cast<int>(ElementType::BFloat16);
    const auto type = known ? static_cast<ElementType>(proto.data_type()) : ElementType::Undefined;
    if (byteSize(type) == 0) {
        damaged(
            fmt::format("tensor {} has elements of type {}, which is not supported", proto.name(), proto.data_type()));
    }
    if (proto.data_location() == ::onnx::TensorProto_DataLocation_EXTERNAL) {
        damaged(fmt::format("tensor {} keeps its elements in another file", proto.name()));
    }
    std::vector<std::int64_t> dims(proto.dims().begin(), proto.dims().end());
    const auto count = elementCount(shapeOf(dims));
    auto content = contentOf(proto, type);
    const auto limit = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) / byteSize(type);
    if (!count || static_cast<std::uint64_t>(*count) > limit ||
        static_cast<std::uint64_t>(*count) * byteSize(type) != content.size()) {
        damaged(fmt::format("tensor {} of shape {} has {} bytes of {} elements", proto.name(), toString(shapeOf(dims)),
                            content.size(), elementTypeName(type)));
    }
    return Tensor::owned(type, std::move(dims), std::move(content));
}

NamedTensor readTensorFile(const fs::path& path)
{
    const auto file = MappedFile::open(path);
    const auto bytes = file->bytes();
    ::onnx::TensorProto proto;
    if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()) ||
        !proto.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
        damaged(fmt::format("{} holds no ONNX tensor", path.string()));
    }
    try {
        return {proto.name(), tensorOf(proto)};
    } catch (const ModelError& error) {
        damaged(fmt::format("{}: {}", path.string(), error.what()));
    }
}

std::vector<NamedTensor> readTensorFiles(const fs::path& folder, std::string_view kind)
{
    std::map<std::uint32_t, fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename();
        if (!name.starts_with(fmt::format("{}_", kind)) || !name.ends_with(".pb")) {
            continue;
        }
        const char* first = name.data() + kind.size() + 1;
        const char* last = name.data() + name.size() - 3;
        std::uint32_t number = 0;
        if (const auto [end, failed] = std::from_chars(first, last, number); failed == std::errc() && end == last) {
            files.emplace(number, entry.path());
        }
    }
    if (error) {
        throw ModelError("unreadable", fmt::format("{}: {}", folder.string(), error.message()));
    }
    std::vector<NamedTensor> tensors;
    for (const auto& [number, path] : files) {
        if (number != tensors.size()) {
            damaged(fmt::format("{} lacks {}_{}.pb", folder.string(), kind, tensors.size()));
        }
        tensors.push_back(readTensorFile(path));
    }
    return tensors;
}

} // namespace crosswalk
