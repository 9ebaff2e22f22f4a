#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace crosswalk {

/// A node whose operands do not fit, or an error that is not at a node.
struct InferenceConflict {
    std::string node; ///< empty if it has no name
    std::string op;   ///< empty if the error is not at a node
    std::string why;
};

/// What onnx's inference reports (InferredModel::error()): one conflict for each line.
std::vector<InferenceConflict> conflictsIn(std::string_view error);

} // namespace crosswalk
