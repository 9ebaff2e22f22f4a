#pragma once

#include "core/graph/graph_rewriter.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace crosswalk::mxnet {

using Values = ValueIds;

/// The values of all steps as one value with time first, (time, batch, ...).
class Sequences {
public:
    /// `shapes`: those that the user gives, by input name.
    Sequences(GraphRewriter& graph, const std::map<std::string, Shape, std::less<>>& shapes)
        : m_graph(graph)
        , m_shapes(shapes)
    {
    }

    /// The value whose slices these are, step by step: sliced from one value, or computed from such slices by the same
    /// operator. Else nothing.
    std::optional<ValueId> of(const Values& steps);
    /// That value, or else the stacked steps.
    ValueId ofOrStacked(const Values& steps);
    /// Records that the values are the slices of `sequence`, a matrix each.
    void declare(ValueId sequence, const Values& steps);
    /// Records that a step also exists as a separate value, which replaces the step for its remaining consumers.
    void declareAlone(ValueId step, ValueId value) { m_alone.emplace_back(step, value); }

    /// Reverses an axis; two reversals cancel out.
    ValueId reversed(ValueId sequence, std::int64_t axis = 0);
    /// Exchanges time and batch; two exchanges cancel out.
    ValueId swapped(ValueId sequence);

    /// Replaces nodes that stack or join steps by their sequences.
    void replaceStacks();
    void replaceSteps();

private:
    struct Slice {
        ValueId of;
        std::int64_t axis;
        std::int64_t index;
        std::int64_t count; ///< of all slices; 0 if the file does not contain it
    };
    std::optional<Slice> sliceOf(ValueId step) const;
    std::optional<ValueId> cut(const Values& steps);
    std::optional<ValueId> computed(const Values& steps, int depth);
    std::optional<ValueId> find(const Values& steps, int depth);
    std::optional<ValueId> stackAlong(const Node& node);
    std::optional<ValueId> joined(const Node& node);
    std::optional<ValueId> rows(const Node& node);
    ValueId concat(const Values& parts, std::int64_t axis);
    std::optional<std::size_t> rankOf(ValueId value) const;

    GraphRewriter& m_graph;
    const std::map<std::string, Shape, std::less<>>& m_shapes;
    ValueSet m_matrices; ///< sequences known to be of matrices: of rank 3
    std::vector<std::pair<ValueId, ValueId>> m_alone;
    struct ByFirst {
        bool operator()(const Values& a, const Values& b) const
        {
            return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
        }
    };
    std::map<Values, std::optional<ValueId>, ByFirst> m_found; ///< of one search: steps of several readers are one
};

} // namespace crosswalk::mxnet
