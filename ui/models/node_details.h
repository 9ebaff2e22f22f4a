#pragma once

#include "ui/document/bodies.h"
#include "ui/document/document.h"
#include "ui/models/details_model.h"

namespace crosswalk::ui {

/// What the node panel lists about a box: attributes, inputs, outputs, weights, counterparts.
std::vector<DetailSection> nodeDetails(const Document& document, Side side, std::uint32_t box);

/// The same about a box in the body of a node.
std::vector<DetailSection> bodyNodeDetails(const Document& document, const GraphSide& body, const BodyPlace& place,
                                           std::uint32_t box);
/// What became of it; nothing where the conversion has no verdict there.
std::optional<Verdict> bodyVerdict(const Document& document, const GraphSide& body, const BodyPlace& place,
                                   std::uint32_t box);
QString bodyVerdictSentence(const Document& document, const GraphSide& body, const BodyPlace& place, std::uint32_t box);
/// What was found about it and about bodies of its own.
std::vector<Diagnostic> bodyProblems(const Document& document, const GraphSide& body, const BodyPlace& place,
                                     std::uint32_t box);

/// What became of a box, in one sentence: "Became 4 ONNX nodes: Transpose, LSTM, Squeeze, Transpose."
QString verdictSentence(const Document& document, Side side, std::uint32_t box);

/// What the summary lists about the open model.
std::vector<DetailSection> modelSummary(const Document& document);

/// The framework or format of a graph's file: "ONNX, opset 17".
QString formatText(const Graph& graph);

/// Type of a value on its side, as far as it is known.
TensorType typeOf(const Document& document, Side side, ValueId value);
/// What is known of the values of the source, and of the bodies of either side.
KnownTypes knownTypes(const Document& document);

/// Whether a problem is told of a node; by name where it says no more, and names may be equal.
bool isAbout(const Diagnostic& problem, const GraphSide& side, NodeId node);

/// Texts for the pointer resting on a box or an edge.
QString boxToolTip(const Document& document, Side side, std::uint32_t box);
QString groupToolTip(const Document& document, Side side, std::uint32_t group);
QString edgeToolTip(const Document& document, Side side, ValueId value);

} // namespace crosswalk::ui
