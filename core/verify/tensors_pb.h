#pragma once

#include "core/verify/runtime.h"

#include <filesystem>
#include <string_view>
#include <vector>

namespace onnx {
class TensorProto;
}

namespace crosswalk {

/// The tensor of a TensorProto with raw_data or a typed field. Throws ModelError "damaged" if content and dimensions do
/// not match, if the type cannot be compared, or if the elements are external data.
Tensor tensorOf(const ::onnx::TensorProto& proto);

/// Reads a recorded tensor: a file with one ONNX TensorProto. Throws ModelError "unreadable" or "damaged".
NamedTensor readTensorFile(const std::filesystem::path& path);

/// Reads the files `<kind>_<i>.pb` of a folder, in numerical order. Throws ModelError "damaged" if a number is missing.
std::vector<NamedTensor> readTensorFiles(const std::filesystem::path& folder, std::string_view kind);

} // namespace crosswalk
