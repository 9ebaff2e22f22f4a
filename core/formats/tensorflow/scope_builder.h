#pragma once

#include "core/base/budget.h"
#include "core/base/source_file.h"
#include "core/formats/tensorflow/graph_def.h"
#include "core/graph/graph.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>

namespace crosswalk::tensorflow {

using FunctionTable = std::unordered_map<std::string_view, const FunctionDef*>;

/// The nodes of the main graph or of a function's body, and the names that they may refer to.
struct Scope {
    const std::shared_ptr<const SourceFile>& file;
    std::span<const NodeDef> nodes;
    const FunctionDef* function = nullptr; ///< null for the main graph
    const FunctionTable& functions;
    std::int64_t producer = 0; ///< GraphDef::producer
    Budget& budget;            ///< counts the outputs: a damaged count must not exhaust memory
};

/// A graph of a scope: a node for each NodeDef, values `node:k`. Of a function also Graph::inputs (its arguments),
/// outputs and FunctionInfo; of the main graph neither. Throws ModelError "damaged", with the node.
Graph buildScope(const Scope& scope);

} // namespace crosswalk::tensorflow
