#pragma once

#include "core/base/diagnostic.h"
#include "core/convert/source_names.h"
#include "core/graph/graph.h"
#include "crosswalk/options.h"

#include <functional>
#include <string_view>

namespace crosswalk {

/// Checks that the nodes and inputs in the options exist; `isInput` returns whether a name can have a shape or type.
/// Throws ModelError "unknown-node" or "unknown-input".
void checkNames(const ConvertOptions& options, const Graph& graph, const SourceNames& names,
                const std::function<bool(std::string_view name)>& isInput);

/// Whether no option is set, so that the conversion of an ONNX model only adds metadata.
bool areDefault(const ConvertOptions& options);

/// Whether ConvertOptions::reroll applies to models of the graph's format.
bool canBeRerolled(const Graph& graph);

} // namespace crosswalk
