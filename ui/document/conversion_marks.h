#pragma once

#include "ui/document/graph_side.h"

namespace crosswalk::ui {

/// What a conversion says about the boxes of both sides: verdicts, gap badges, and which boxes stand for each other.
SceneMarks sourceMarks(const GraphSide& source, const Conversion& conversion);
SceneMarks targetMarks(const GraphSide& target, const Conversion& conversion);
/// The same of a body: of the source, where `path` leads to it; null where no conversion has come there.
std::shared_ptr<const SceneMarks> sourceBodyMarks(const GraphSide& body, const Conversion& conversion,
                                                  const GraphPath& path);
/// Of the ONNX graph: its gaps.
std::shared_ptr<const SceneMarks> targetBodyMarks(const GraphSide& body);

/// Gives `shapeBadge` to the boxes that compute another shape or type than before; an ONNX node goes with its sources.
/// `before` is by value of the source, and may be empty.
void markChangedShapes(SceneMarks& marks, Side side, const GraphSide& graphSide, const Conversion& conversion,
                       const Graph& source, const std::vector<TensorType>& before);
/// The source nodes whose outputs changed so.
std::vector<NodeId> changedNodes(const Graph& source, const Conversion& conversion,
                                 const std::vector<TensorType>& before);

/// Boxes of the other side that stand for the given ones, ascending, each once.
std::vector<std::uint32_t> counterparts(Side from, const std::vector<std::uint32_t>& boxes, const GraphSide& source,
                                        const GraphSide& target, const Conversion& conversion);

/// The node of a graph at the end of `path` that a finding is about, or that a body with the finding hangs on; none for
/// a finding elsewhere.
NodeId nodeIn(const GraphPath& path, const Diagnostic& problem);

/// The attributes of a node that a finding is about: the one that it names, and those that belong to it.
std::vector<std::string> gapAttributes(const Diagnostic& problem, const Graph& graph, const Node& node);
/// Short name of the feature of a recurrent operator that an attribute configures and ONNX cannot express, for a badge:
/// "clip", "proj", "length", "nan". Empty for other attributes.
QString badgeOf(std::string_view attribute);

} // namespace crosswalk::ui
