#include "core/onnx/external_data.h"

#include "core/base/diagnostic.h"
#include "core/onnx/tensor_record.h"

#include <charconv>
#include <fmt/format.h>

namespace crosswalk {
namespace {

std::uint64_t number(const std::string& text, const std::string& key, const std::string& tensorName)
{
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
        throw ModelError("damaged", fmt::format("tensor {}: the {} of its external data, '{}', is not a number",
                                                tensorName, key, text));
    }
    return value;
}

} // namespace

const std::shared_ptr<const SourceFile>& ExternalData::open(const std::string& location, const std::string& tensorName)
{
    const auto known = m_files.find(location);
    if (known != m_files.end()) {
        return known->second;
    }
    try {
        return m_files.emplace(location, m_source.open(location)).first->second;
    } catch (ModelError& problem) {
        problem.diagnostic.message =
            fmt::format("tensor {}: its external data {}", tensorName, problem.diagnostic.message);
        throw;
    }
}

Tensor ExternalData::tensor(const ::onnx::TensorProto& stub)
{
    const std::uint64_t size = contentSize(stub);
    std::string location;
    std::uint64_t offset = 0;
    std::uint64_t length = size;
    for (const auto& entry : stub.external_data()) {
        if (entry.key() == "location") {
            location = entry.value();
        } else if (entry.key() == "offset") {
            offset = number(entry.value(), entry.key(), stub.name());
        } else if (entry.key() == "length") {
            length = number(entry.value(), entry.key(), stub.name());
        }
    }
    const auto type = static_cast<ElementType>(stub.data_type());
    if (type == ElementType::String) {
        throw ModelError("damaged", fmt::format("tensor {}: strings cannot be stored externally", stub.name()));
    }
    if (length != size) {
        throw ModelError("damaged", fmt::format("tensor {}: its external data has {} bytes, but its dimensions "
                                                "require {}",
                                                stub.name(), length, size));
    }
    const auto& file = open(location, stub.name());
    const std::uint64_t available = file->bytes().size();
    if (offset > available || size > available - offset) {
        throw ModelError(
            "truncated",
            fmt::format("tensor {}: its external data '{}' is too short: bytes {} to {} expected, {} present",
                        stub.name(), location, offset, offset + size, available));
    }
    Ints dims(stub.dims().begin(), stub.dims().end());
    return Tensor::mapped(type, std::move(dims), file, offset);
}

} // namespace crosswalk
