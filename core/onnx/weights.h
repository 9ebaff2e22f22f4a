#pragma once

#include "core/onnx/model.h"

#include <functional>
#include <string>

namespace onnx {
class TensorProto;
}

namespace crosswalk {

/// Puts a tensor's content into its stub where it is small enough for shape inference to look into it
/// (OnnxModel::stubLimit).
void showSmallContent(const Tensor& tensor, ::onnx::TensorProto& stub);

/// Type and dimensions of a tensor, and its content where it is small.
void fillStub(const Tensor& tensor, ::onnx::TensorProto& stub);

/// Adds an initializer to the model's graph. The name must be free.
const ::onnx::TensorProto& addWeight(OnnxModel& model, const std::string& name, Tensor tensor);

/// Keeps those initializers of the model's graph for which `isKept(name, index)` holds.
void keepWeights(OnnxModel& model, const std::function<bool(const std::string& name, std::size_t index)>& isKept);

} // namespace crosswalk
