#pragma once

#include "core/base/diagnostic.h"
#include "core/convert/options.h"
#include "core/graph/graph.h"
#include "core/onnx/builder.h"

/// Nodes whose function ONNX has no word for: they keep their attributes, and what comes out of them nobody can infer.
namespace crosswalk {

/// The operator that the user named for a node's (for `Custom`, for its op_type); null without.
const CustomOperator* customOperator(const Node& node, const ConvertOptions& options);

/// Notes the operators that the user named and that no node has ("unused-operator").
void noteUnusedOperators(const Graph& graph, const ConvertOptions& options, std::vector<Diagnostic>& problems);

/// A node that could not be translated, as a node of the gap domain. `lost` gets the attributes that an ONNX node
/// cannot hold.
OnnxValues emitGap(const Graph& graph, const Node& node, const OnnxValues& inputs, OnnxBuilder& onnx,
                   std::vector<std::string>& lost);

/// The user's operator. Its outputs have the shapes and types that `options` give for their names. Throws ModelError
/// "unsupported-attribute" for an attribute that an ONNX node cannot hold.
OnnxValues emitCustom(const Graph& graph, const Node& node, const OnnxValues& inputs, const CustomOperator& custom,
                      const ConvertOptions& options, OnnxBuilder& onnx);

} // namespace crosswalk
