#pragma once

#include "core/graph/graph.h"

#include <map>
#include <string_view>
#include <vector>

namespace crosswalk::tensorflow {

/// How an operator changes a variable, which its input 0 refers to.
struct VariableWrite {
    std::string_view op;
    /// The operator that computes the new content from the old one and the remaining inputs, "AddV2"; empty for an
    /// assignment.
    std::string_view update = {};
    bool isByRow = false; ///< input 1 contains indices of rows, not index vectors
};

/// The write that a node performs itself; null for other nodes and for writes that have no functional form.
const VariableWrite* variableWriteOf(const Node& node);

/// Which nodes of a model write variables, themselves or in the functions that they call.
class VariableWriters {
public:
    explicit VariableWriters(const Graph& model);

    /// Whether any node of the model writes a variable, needed or not.
    bool any() const { return m_any; }
    /// Whether a node of the model writes a variable, itself or in the functions that it calls.
    bool writes(const Node& node) const;
    /// Whether a node writes a variable itself, in a way that has no functional form.
    static bool isUnsupported(const Node& node);
    /// Those of the needed nodes of `scope`, in its order, that write variables.
    std::vector<NodeId> writersAmong(const Graph& scope, const std::vector<bool>& needed) const;

private:
    const Graph& m_model;
    bool m_any = false;
    std::map<std::string_view, bool> m_functions; ///< whether a function writes variables
};

} // namespace crosswalk::tensorflow
