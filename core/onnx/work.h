#pragma once

#include "core/graph/graph.h"

#include <set>
#include <string>

namespace crosswalk {

/// Cost of one inference in multiply-adds. A multiplication with its addition counts as one, as in the tables of papers
/// (ResNet-50 at 224x224: 4.1 G), and so does each element of pooling, normalisation and elementwise operators. Data
/// movement counts as zero, and so do nodes that depend only on constants, which a runtime folds.
struct Work {
    std::int64_t multiplyAdds = 0;
    std::set<std::string> symbolsAsOne; ///< symbolic dimensions that are counted as 1
    std::size_t unknownNodes = 0;       ///< not counted: a dimension, a trip count or the operator is unknown
};

/// The work of an ONNX model's graph with inferred shapes. A Scan counts its body once per step, a Loop only if its
/// trip count is stored in the model, an If its more expensive branch.
Work workOf(const Graph& onnx);

/// "4.12 G multiply-adds at N = 1", "at least 12 M multiply-adds, 3 nodes not counted", "unknown".
std::string toString(const Work& work);

} // namespace crosswalk
