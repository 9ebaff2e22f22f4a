#pragma once

#include "core/formats/mxnet/symbol_json.h"
#include "core/graph/graph.h"

#include <stop_token>
#include <vector>

namespace crosswalk::mxnet {

/// A variable of the file: what it is in the graph, and what the file says of it besides.
struct Variable {
    ValueId value;
    bool saysParameter = false; ///< carries what gluon writes on parameters only (an initialiser, a learning rate)
};

struct BuiltGraph {
    Graph graph;                     ///< without weights; every variable is among its inputs
    std::vector<Variable> variables; ///< in node order; those of equal name are one
    std::size_t unusedNodes = 0;     ///< nodes of the file that no output needs: MXNet drops them, and so does this
};

/// Makes the neutral graph: canonical operator names, MXNet's own upgrades of old files, variables as values without
/// producer, roles of the inputs. Throws ModelError "damaged" where an edge names an output that its node has not, or
/// where there is a cycle; "cancelled".
BuiltGraph buildGraph(const SymbolFile& file, const std::stop_token& stop = {});

} // namespace crosswalk::mxnet
