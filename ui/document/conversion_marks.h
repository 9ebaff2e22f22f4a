#pragma once

#include "ui/document/graph_side.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace crosswalk::ui {

/// By source node: whether it is unsupported only because the shape of an input is unknown (Conversion::behindGaps).
std::vector<bool> blockedNodes(const Conversion& conversion);

/// Marks of the boxes of both sides: verdicts, gap badges, and corresponding boxes.
SceneMarks sourceMarks(const GraphSide& source, const Conversion& conversion);
SceneMarks targetMarks(const GraphSide& target, const Conversion& conversion);
/// Marks of a body of the source at `path`; null if the conversion did not reach it.
std::shared_ptr<const SceneMarks> sourceBodyMarks(const GraphSide& body, const Conversion& conversion,
                                                  const GraphPath& path);
/// Marks of a body of the ONNX graph: its gaps.
std::shared_ptr<const SceneMarks> targetBodyMarks(const GraphSide& body);

/// Adds `shapeBadge` to the boxes whose output shapes or types changed; an ONNX node follows its source nodes. `before`
/// is indexed by source value and may be empty.
void markChangedShapes(SceneMarks& marks, Side side, const GraphSide& graphSide, const Conversion& conversion,
                       const Graph& source, const std::vector<TensorType>& before);
/// The source nodes with such changed outputs.
std::vector<NodeId> changedNodes(const Graph& source, const Conversion& conversion,
                                 const std::vector<TensorType>& before);

/// Boxes of the other side that correspond to the given ones, ascending, without duplicates.
std::vector<std::uint32_t> counterparts(Side from, const std::vector<std::uint32_t>& boxes, const GraphSide& source,
                                        const GraphSide& target, const Conversion& conversion);

/// The node of the graph at the end of `path` that a diagnostic concerns, or whose body contains the concerned node;
/// invalid for a diagnostic elsewhere.
NodeId nodeIn(const GraphPath& path, const Diagnostic& problem);

/// The attributes of a node that a finding is about: the one that it names, and those that belong to it.
std::vector<std::string> gapAttributes(const Diagnostic& problem, const Graph& graph, const Node& node);
/// Short name of the feature of a recurrent operator that an attribute configures and ONNX cannot express, for a badge:
/// "clip", "proj", "length", "nan". Empty for other attributes.
QString badgeOf(std::string_view attribute);

} // namespace crosswalk::ui
