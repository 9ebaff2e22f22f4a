#pragma once

#include "core/verify/node_check.h"
#include "ui/document/graph_side.h"

namespace crosswalk::ui {

/// How a node of the source compares with what was recorded of it.
ErrorLevel errorLevel(const NodeCheck& check, NodeId source);

/// Marks that colour the boxes of a side by their error: an ONNX node has the worst level of its sources. What differs
/// is marked as an alarm, the verdicts of the conversion step back.
SceneMarks errorMarks(Side side, const GraphSide& graphSide, const Conversion& conversion, const NodeCheck& check);

} // namespace crosswalk::ui
