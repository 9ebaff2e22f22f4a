#pragma once

#include "core/verify/runtime.h"

#include <filesystem>
#include <vector>

namespace onnx {
class TensorProto;
}

namespace crosswalk {

/// A tensor of a TensorProto, wherever that keeps its elements (raw or in one of the typed fields). Throws ModelError
/// "damaged" where content and dimensions do not agree, or the type is none of ours.
Tensor tensorOf(const ::onnx::TensorProto& proto);

/// A recorded tensor: a file that holds one ONNX TensorProto. Throws ModelError "unreadable" or "damaged".
NamedTensor readTensorFile(const std::filesystem::path& path);

/// The files `<kind>_<i>.pb` of a folder, in the order of their numbers. A number that is left out is "damaged".
std::vector<NamedTensor> readTensorFiles(const std::filesystem::path& folder, std::string_view kind);

} // namespace crosswalk
