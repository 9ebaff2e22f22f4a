#pragma once

#include "core/base/diagnostic.h"
#include "core/graph/graph.h"
#include "core/onnx/onnx_model.h"

#include <map>
#include <string>
#include <vector>

namespace crosswalk {

struct DynamicShapes {
    std::vector<Diagnostic> problems;     ///< "mended-size" notes, "mixed-samples", "kept-size" and "unknown-size"
                                          ///< warnings, "baked-size" errors
    std::map<std::string, Shape> outputs; ///< of the model, as far as they depend on the symbols of its inputs
};

/// Adapts a model to new input shapes. The model's inputs already have the new shapes; `before` are the original ones.
/// Hard-coded dimensions (such as the literal batch size of a Reshape) are found by inferring all shapes at several
/// input sizes, and are replaced by dimensions computed from the inputs. A node that cannot be adapted exactly is
/// reported as an error. Outputs of nodes keep their names. The model must be valid. `names` are the names of the nodes
/// of the model's graph.
DynamicShapes makeShapesDynamic(OnnxModel& model, const std::map<std::string, Shape>& before, const NodeNames& names);

} // namespace crosswalk
