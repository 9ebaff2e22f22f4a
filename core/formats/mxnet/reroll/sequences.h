#pragma once

#include "core/graph/graph_rewriter.h"

#include <algorithm>

namespace crosswalk::mxnet {

using Values = std::vector<ValueId>;

/// The values of all steps as one value with time in front, (time, batch, ...).
class Sequences {
public:
    explicit Sequences(GraphRewriter& graph)
        : m_graph(graph)
    {
    }

    /// The value whose slices these are, step by step: cut from one, or computed from such by the same operator each.
    /// Nothing where that is not so.
    std::optional<ValueId> of(const Values& steps);
    /// That, or the steps stacked.
    ValueId ofOrStacked(const Values& steps);
    /// Says that the values are the slices of `sequence`, a matrix each.
    void declare(ValueId sequence, const Values& steps);
    /// Says that a step is also there as a value of its own, which is read in the end by what still reads the step.
    void declareAlone(ValueId step, ValueId value) { m_alone.emplace_back(step, value); }

    /// Turned around along an axis; twice is not at all.
    ValueId reversed(ValueId sequence, std::int64_t axis = 0);
    /// Time and batch exchanged; twice is not at all.
    ValueId swapped(ValueId sequence);

    /// Puts sequences in the place of what stacks or joins their steps again.
    void replaceStacks();
    void replaceSteps();

private:
    struct Slice {
        ValueId of;
        std::int64_t axis;
        std::int64_t index;
        std::int64_t count; ///< of all slices; 0 where the file does not say
    };
    std::optional<Slice> sliceOf(ValueId step) const;
    std::optional<ValueId> cut(const Values& steps);
    std::optional<ValueId> computed(const Values& steps, int depth);
    std::optional<ValueId> find(const Values& steps, int depth);
    std::optional<ValueId> stackAlong(const Node& node);
    std::optional<ValueId> joined(const Node& node);
    std::optional<ValueId> rows(const Node& node);
    ValueId concat(const Values& parts, std::int64_t axis);

    GraphRewriter& m_graph;
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
