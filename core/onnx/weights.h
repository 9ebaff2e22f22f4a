#pragma once

#include "core/onnx/onnx_model.h"

#include <cstddef>
#include <functional>
#include <string>

namespace onnx {
class TensorProto;
}

namespace crosswalk {

/// Copies a tensor's content into its stub if it is small (OnnxModel::stubLimit), because shape inference reads it.
void addSmallContent(const Tensor& tensor, ::onnx::TensorProto& stub);

/// Sets type and dimensions of a stub, and its content if it is small.
void fillStub(const Tensor& tensor, ::onnx::TensorProto& stub);

/// Adds an initializer to the model's graph. The name must be unused.
const ::onnx::TensorProto& addWeight(OnnxModel& model, const std::string& name, Tensor tensor);

/// Removes the initializers of the model's graph for which `isKept(name, index)` is false.
void keepWeights(OnnxModel& model, const std::function<bool(const std::string& name, std::size_t index)>& isKept);

} // namespace crosswalk
