#include "core/verify/tensors_pb.h"

#include "core/onnx/tensor_record.h"

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

} // namespace

Tensor tensorOf(const ::onnx::TensorProto& proto)
{
    const bool known = proto.data_type() > 0 && proto.data_type() <= static_cast<int>(ElementType::BFloat16);
    const auto type = known ? static_cast<ElementType>(proto.data_type()) : ElementType::Undefined;
    if (byteSize(type) == 0 && type != ElementType::String) {
        damaged(
            fmt::format("tensor {} has elements of type {}, which is not supported", proto.name(), proto.data_type()));
    }
    if (proto.data_location() == ::onnx::TensorProto_DataLocation_EXTERNAL) {
        damaged(fmt::format("tensor {} has external data, which is not supported here", proto.name()));
    }
    return tensorOf(nullptr, proto);
}

NamedTensor readTensorFile(const fs::path& path)
{
    const auto file = SourceFile::open(path);
    const auto bytes = file->bytes();
    ::onnx::TensorProto proto;
    if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()) ||
        !proto.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
        damaged(fmt::format("{} is not an ONNX tensor", path.string()));
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
            damaged(fmt::format("{} has no {}_{}.pb", folder.string(), kind, tensors.size()));
        }
        tensors.push_back(readTensorFile(path));
    }
    return tensors;
}

} // namespace crosswalk
