#pragma once

#include "core/verify/runtime.h"

#include <filesystem>
#include <vector>

namespace onnx {
class TensorProto;
}

namespace crosswalk {

/// A tensor of a TensorProto, whichever field holds its elements (raw_data or a typed one). Throws ModelError "damaged"
/// where content and dimensions do not agree, the type has no comparison, or the elements are external data.
Tensor tensorOf(const ::onnx::TensorProto& proto);

/// A recorded tensor: a file that holds one ONNX TensorProto. Throws ModelError "unreadable" or "damaged".
NamedTensor readTensorFile(const std::filesystem::path& path);

/// The files `<kind>_<i>.pb` of a folder, in the order of their numbers. A number that is left out is "damaged".
std::vector<NamedTensor> readTensorFiles(const std::filesystem::path& folder, std::string_view kind);

} // namespace crosswalk
