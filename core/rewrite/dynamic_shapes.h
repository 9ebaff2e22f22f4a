#pragma once

#include "core/base/diagnostic.h"
#include "core/graph/graph.h"
#include "core/onnx/model.h"

#include <map>

namespace crosswalk {

struct DynamicShapes {
    std::vector<Diagnostic>
        problems; ///< "mended-size" notes, "mixed-samples" and "kept-size" warnings, "baked-size" errors
    std::map<std::string, Shape> outputs; ///< of the model, where they follow from its inputs' symbols
};

/// Brings a model into step with inputs of other shapes, which it states already; `before` are those that it had. The
/// sizes that its nodes have baked in (a Reshape with a literal batch) are found by what becomes of every shape at
/// several sizes, and are read off the inputs from then on. What cannot be mended exactly is an error at its node.
/// Nodes keep their outputs' names; the model must have passed the checker. `names` are those of the model's graph.
DynamicShapes makeShapesDynamic(OnnxModel& model, const std::map<std::string, Shape>& before, const NodeNames& names);

} // namespace crosswalk
