#pragma once

#include "core/base/diagnostic.h"
#include "core/graph/graph.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace crosswalk {

/// Names of the nodes of a model at any depth, for output and for options: as NodeNames writes them, prefixed by the
/// enclosing nodes ("loop/cell/MatMul"). Refers to the model, which must outlive it.
class SourceNames {
public:
    explicit SourceNames(const Graph& model);

    const Graph& model() const { return m_model; }
    std::string of(const NodeRef& node) const;
    /// The node with this name; nothing if there is none, or if the name is ambiguous.
    std::optional<NodeRef> find(std::string_view written) const;
    /// Sets the node of a problem that does not refer to one yet.
    void locate(Diagnostic& problem, const NodeRef& node) const;

private:
    const NodeNames& names(const Graph& graph) const;
    std::optional<NodeRef> findIn(const Graph& graph, const GraphPath& path, std::string_view written) const;

    const Graph& m_model;
    mutable std::map<const Graph*, NodeNames> m_names; ///< filled on demand
};

} // namespace crosswalk
