#pragma once

#include "core/base/diagnostic.h"
#include "core/graph/graph.h"
#include "core/onnx/builder.h"
#include "crosswalk/options.h"

#include <string>
#include <vector>

/// Nodes without an ONNX operator: they keep their attributes, and the types of their outputs cannot be inferred.
namespace crosswalk {

/// The user's operator for a node's operator (for `Custom`, for its op_type); null if there is none.
const CustomOperator* customOperator(const Node& node, const ConvertOptions& options);

/// Adds notes for custom operators that no node uses ("unused-operator").
void noteUnusedOperators(const Graph& graph, const ConvertOptions& options, std::vector<Diagnostic>& problems);

/// Adds an untranslated node as a node of the gap domain. `lost` receives the attributes that ONNX cannot store.
OnnxValues emitGap(const Graph& graph, const Node& node, const OnnxValues& inputs, OnnxBuilder& onnx,
                   std::vector<std::string>& lost);

/// Adds the user's operator. `options` has the shapes and types of its outputs by name. Throws ModelError
/// "unsupported-attribute" for an attribute that ONNX cannot store.
OnnxValues emitCustom(const Graph& graph, const Node& node, const OnnxValues& inputs, const CustomOperator& custom,
                      const ConvertOptions& options, OnnxBuilder& onnx);

} // namespace crosswalk
