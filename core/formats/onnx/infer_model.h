#pragma once

#include "core/base/diagnostic.h"
#include "core/graph/graph.h"
#include "core/onnx/onnx_model.h"

#include <unordered_map>

namespace crosswalk {

/// The errors of onnx's checker ("invalid-model"); nothing if the model is valid.
std::optional<Diagnostic> faultOf(const OnnxModel& model);

/// The result of onnx's whole-model inference.
struct ModelInference {
    std::unordered_map<std::string, TensorType> types; ///< by value
    std::vector<Diagnostic> problems;                  ///< "shape-conflict", each at its node
};

/// `names` are those of the model's graph. The model must have passed the checker.
ModelInference inferModel(const OnnxModel& model, const NodeNames& names);

/// The same without the model's declared types of outputs and intermediate values, which may be wrong.
ModelInference inferModelFromInputs(const OnnxModel& model, const NodeNames& names);

} // namespace crosswalk
