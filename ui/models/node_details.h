#pragma once

#include "ui/document/bodies.h"
#include "ui/document/document_view.h"
#include "ui/models/details_model.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace crosswalk::ui {

/// The details of a box in the node panel: attributes, inputs, outputs, weights, counterparts.
std::vector<DetailSection> nodeDetails(const DocumentView& document, Side side, std::uint32_t box);

/// The same for a box in the body of a node.
std::vector<DetailSection> bodyNodeDetails(const DocumentView& document, const GraphSide& body, const BodyPlace& place,
                                           std::uint32_t box);
/// The verdict of a box in a body; nothing if the conversion has none.
std::optional<Verdict> bodyVerdict(const DocumentView& document, const GraphSide& body, const BodyPlace& place,
                                   std::uint32_t box);
QString bodyVerdictSentence(const DocumentView& document, const GraphSide& body, const BodyPlace& place,
                            std::uint32_t box);
/// The problems of a box in a body and of its own bodies.
std::vector<Diagnostic> bodyProblems(const DocumentView& document, const GraphSide& body, const BodyPlace& place,
                                     std::uint32_t box);

/// The conversion result of a box as a sentence: "Exact, as 4 ONNX nodes: Transpose, LSTM, Squeeze, Transpose."
QString verdictSentence(const DocumentView& document, Side side, std::uint32_t box);

/// The summary of the open model.
/// What the model is, in one line: its framework or format with the version, the number of nodes and of parameters.
QString modelLine(const DocumentView& document);
std::vector<DetailSection> modelSummary(const DocumentView& document);

/// The framework or format of a graph's file: "ONNX, opset 17".
QString formatText(const Graph& graph);

/// Type of a value on its side, as far as it is known.
TensorType typeOf(const DocumentView& document, Side side, ValueId value);
/// The known types of the values of the source and of the bodies of both sides.
KnownTypes knownTypes(const DocumentView& document);

/// Whether a problem concerns a node. Compares names if the problem has no index, and names may not be unique.
bool isAbout(const Diagnostic& problem, const GraphSide& side, NodeId node);

/// Tool tips of boxes and edges.
QString boxToolTip(const DocumentView& document, Side side, std::uint32_t box);
QString groupToolTip(const DocumentView& document, Side side, std::uint32_t group);
QString edgeToolTip(const DocumentView& document, Side side, ValueId value);

} // namespace crosswalk::ui
