#pragma once

#include "core/graph/graph.h"

#include <functional>
#include <map>
#include <optional>

namespace crosswalk::tensorflow {

/// The content of values that are stored, or cut and joined from stored ones, as the parts of partitioned variables and
/// of the weights of gates are.
class StoredWeights {
public:
    /// `outer`: the content of an input of a body, null if it is unknown.
    explicit StoredWeights(const Graph& graph, std::function<const Tensor*(ValueId)> outer = {});

    /// Null if the content is unknown. Valid as long as this object and the graph, unless tensors are added to the
    /// graph.
    const Tensor* of(ValueId value) const;

private:
    std::optional<Tensor> computed(ValueId value) const;

    const Graph& m_graph;
    std::function<const Tensor*(ValueId)> m_outer;
    mutable std::map<ValueId, std::optional<Tensor>> m_known;
};

} // namespace crosswalk::tensorflow
