#pragma once

#include "core/convert/options.h"
#include "core/convert/source_names.h"
#include "core/graph/graph.h"

#include <functional>

namespace crosswalk {

/// Whether the options name nodes and inputs that the model has; `isInput` says which names can be given a shape or
/// type. Throws ModelError "unknown-node" or "unknown-input".
void checkNames(const ConvertOptions& options, const Graph& graph, const SourceNames& names,
                const std::function<bool(std::string_view name)>& isInput);

} // namespace crosswalk
