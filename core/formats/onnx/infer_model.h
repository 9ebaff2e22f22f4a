#pragma once

#include "core/base/diagnostic.h"
#include "core/graph/graph.h"
#include "core/onnx/inferred_model.h"
#include "core/onnx/onnx_model.h"

#include <optional>
#include <vector>

namespace crosswalk {

/// The errors of onnx's checker ("invalid-model"); nothing if the model is valid.
std::optional<Diagnostic> faultOf(const OnnxModel& model);

/// What does not fit according to an inferred model, each at its node ("shape-conflict"). `names` are those of the
/// model's graph.
std::vector<Diagnostic> conflictsOf(const InferredModel& inferred, const NodeNames& names);

} // namespace crosswalk
