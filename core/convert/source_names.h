#pragma once

#include "core/base/diagnostic.h"
#include "core/graph/graph.h"

#include <map>

namespace crosswalk {

/// Names of the nodes of a model at any depth, as they are written to the user and by the user: as NodeNames writes
/// them, behind the nodes around them ("loop/cell/MatMul"). Refers to the model, which must outlive it.
class SourceNames {
public:
    explicit SourceNames(const Graph& model);

    const Graph& model() const { return m_model; }
    std::string of(const NodeRef& node) const;
    /// The node of that written name; nothing where the model has none, or where it is ambiguous.
    std::optional<NodeRef> find(std::string_view written) const;
    /// Fills in the node of a problem, where it has none yet.
    void locate(Diagnostic& problem, const NodeRef& node) const;

private:
    const NodeNames& names(const Graph& graph) const;
    std::optional<NodeRef> findIn(const Graph& graph, const GraphPath& path, std::string_view written) const;

    const Graph& m_model;
    mutable std::map<const Graph*, NodeNames> m_names; ///< filled as bodies are named
};

} // namespace crosswalk
