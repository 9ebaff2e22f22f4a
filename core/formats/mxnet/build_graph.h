#pragma once

#include "core/base/budget.h"
#include "core/formats/mxnet/symbol_json.h"
#include "core/graph/graph.h"

#include <cstddef>
#include <stop_token>
#include <vector>

namespace crosswalk::mxnet {

/// A variable of the file: its value in the graph, and further information from the file.
struct Variable {
    ValueId value;
    bool saysParameter =
        false; ///< has attributes that gluon writes only on parameters (an initialiser, a learning rate)
};

struct BuiltGraph {
    Graph graph;                     ///< without weights; every variable is among its inputs
    std::vector<Variable> variables; ///< in node order; variables of equal name are merged
    std::size_t unusedNodes = 0;     ///< nodes that no output needs: dropped, as in MXNet
};

/// Builds the neutral graph: canonical operator names, MXNet's own upgrades of old files, variables as values without
/// producer, roles of the inputs. Throws ModelError "damaged" if an edge refers to an output that its node does not
/// have or if there is a cycle; "cancelled".
BuiltGraph buildGraph(const SymbolFile& file, Budget budget = Budget(), const std::stop_token& stop = {});

} // namespace crosswalk::mxnet
