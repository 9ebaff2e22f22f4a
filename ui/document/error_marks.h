#pragma once

#include "core/verify/node_check.h"
#include "ui/document/graph_side.h"

namespace crosswalk::ui {

/// The error level of a source node compared with its recorded tensors.
ErrorLevel errorLevel(const NodeCheck& check, NodeId source);

/// Marks that colour the boxes of a side by their error: an ONNX node has the worst level of its sources. Differing
/// nodes are marked with an alarm, and the verdicts of the conversion are muted.
SceneMarks errorMarks(Side side, const GraphSide& graphSide, const Conversion& conversion, const NodeCheck& check);

} // namespace crosswalk::ui
