#pragma once

#include "core/graph/graph.h"

#include <set>
#include <string>

namespace crosswalk {

/// What running a model once computes, in multiply-adds: a product with the addition that takes it up counts one, as
/// in the tables of papers (ResNet-50 at 224x224: 4.1 G), and so does each element of pooling, normalisation and
/// elementwise operators. What moves data alone counts nothing, nor does what a runtime computes once, from constants.
struct Work {
    std::int64_t multiplyAdds = 0;
    std::set<std::string> makeShapesDynamic; ///< symbols that count as 1
    std::size_t unknownNodes = 0;            ///< not counted: a size, a number of steps or the operator is unknown
};

/// The work of an ONNX model's graph with its inferred shapes. A Scan counts its body once a step, a Loop where the
/// number of its turns is stored in the model, an If the larger of its branches.
Work workOf(const Graph& onnx);

/// "4.12 G multiply-adds at N = 1", "at least 12 M multiply-adds, 3 nodes not counted", "unknown".
std::string toString(const Work& work);

} // namespace crosswalk
