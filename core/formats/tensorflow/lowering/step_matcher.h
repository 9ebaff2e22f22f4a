#pragma once

#include "core/graph/graph.h"

#include <array>

namespace crosswalk::tensorflow {

/// The body of a loop as expressions, ignoring identity nodes.
class StepMatcher {
public:
    explicit StepMatcher(const Graph& body);

    const Graph& body() const { return m_body; }
    /// The node that computes a value with this operator; null otherwise. "Add" finds AddV2 and BiasAdd too.
    const Node* node(ValueId value, std::string_view op) const;
    /// Null if the value is not stored.
    const Tensor* stored(ValueId value) const { return m_body.tensorOf(value); }
    std::optional<double> number(ValueId value) const;
    std::optional<std::int64_t> integer(ValueId value) const;

    /// The summands of a sum, at any depth.
    std::vector<ValueId> summands(ValueId value) const;
    /// The factors of a product of two in both orders; empty if the value is not a product.
    std::vector<std::array<ValueId, 2>> products(ValueId value) const;
    /// The argument of an operator of one input; none if the operator does not compute the value.
    ValueId argument(std::string_view op, ValueId value) const;

    /// One of the equal parts of a value split along its last axis.
    struct Part {
        ValueId whole;
        std::size_t index = 0;
        std::size_t count = 1;
        friend bool operator==(const Part&, const Part&) = default;
    };
    std::optional<Part> part(ValueId value) const;

private:
    const Graph& m_body;
};

} // namespace crosswalk::tensorflow
