#pragma once

#include "core/base/diagnostic.h"
#include "core/graph/graph.h"
#include "core/onnx/model.h"

#include <unordered_map>

namespace crosswalk {

/// What onnx's checker has to say against a model ("invalid-model"); nothing when it is sound.
std::optional<Diagnostic> faultOf(const OnnxModel& model);

/// What onnx's whole-model inference finds.
struct ModelInference {
    std::unordered_map<std::string, TensorType> types; ///< by value
    std::vector<Diagnostic> problems;                  ///< "shape-conflict", each at its node
};

/// `names` are those of the model's graph. The model must have passed the checker.
ModelInference inferModel(const OnnxModel& model, const NodeNames& names);

/// The same without what the model states of its outputs and of the values in between, which need not be so.
ModelInference inferModelFromInputs(const OnnxModel& model, const NodeNames& names);

} // namespace crosswalk
