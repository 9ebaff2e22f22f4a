#pragma once

#include "core/graph/graph.h"

namespace crosswalk::tensorflow {

/// Whether a node is a variable: a resource, whose output is a handle (VarHandleOp), or the older kind, whose output is
/// a reference to the value.
inline bool isVariable(const Node& node)
{
    return node.op == "VarHandleOp" || node.op == "VariableV2" || node.op == "Variable";
}

} // namespace crosswalk::tensorflow
