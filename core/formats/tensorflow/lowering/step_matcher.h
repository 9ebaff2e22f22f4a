#pragma once

#include "core/formats/tensorflow/lowering/stored_weights.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace crosswalk::tensorflow {

/// The body of a loop as expressions, ignoring identity nodes.
class StepMatcher {
public:
    /// `outer`: the content of an input of the body that is stored around the loop.
    explicit StepMatcher(const Graph& body, std::function<const Tensor*(ValueId)> outer = {});

    const Graph& body() const { return m_body; }
    /// The node that computes a value with this operator; null otherwise. "Add" finds AddV2 and BiasAdd too.
    const Node* node(ValueId value, std::string_view op) const;
    /// Null if the value is neither stored nor cut or joined from stored ones.
    const Tensor* stored(ValueId value) const { return m_stored.of(value); }
    std::optional<double> number(ValueId value) const;
    std::optional<std::int64_t> integer(ValueId value) const;
    /// Whether all elements are known to be zero.
    bool isZero(ValueId value) const;

    /// The summands of a sum, at any depth.
    ValueIds summands(ValueId value) const;
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
    /// One of two halves, split or sliced. The width of the second slice is taken as the rest of the whole.
    std::optional<Part> half(ValueId value) const;

private:
    std::optional<Part> equalPart(const Node& split, std::size_t index) const;
    std::optional<std::int64_t> widthOf(ValueId sum) const;

    const Graph& m_body;
    StoredWeights m_stored;
};

} // namespace crosswalk::tensorflow
