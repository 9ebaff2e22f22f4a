#pragma once

#include "core/formats/tensorflow/lowering/loop_steps.h"
#include "core/graph/graph_rewriter.h"

#include <map>
#include <optional>
#include <set>

namespace crosswalk::tensorflow {

/// Values of a loop's body, of all steps at once: (batch, features) in a step is (time, batch, features) around the
/// loop. That can be computed of a value that depends on sequences and on outputs of layers alone, sample by sample.
class LiftedSteps {
public:
    LiftedSteps(GraphRewriter& graph, const LoopSteps& steps);

    /// A value of the body that a layer computes; set() provides its sequence.
    /// `sequences`: those that the layer reads.
    void define(ValueId value, ValueIds sequences) { m_layers.emplace(value, Layer{{}, std::move(sequences)}); }
    void set(ValueId value, ValueId sequence) { m_layers[value].output = sequence; }
    /// The sequences that a value depends on; nothing if it cannot be computed for all steps at once.
    std::optional<ValueIds> sequencesOf(ValueId value) const;
    /// The rank of a value in a step, if it is known: 2 for (batch, features).
    std::optional<std::size_t> rankOf(ValueId value) const { return rankOf(value, 0); }
    /// Values of all steps, joined along the features.
    ValueId lifted(const ValueIds& parts);
    /// (time, batch, ...) with zeros in the steps past the end of a sample, as values around the loop. `rank`: in a
    /// step; `type`: of the lengths.
    ValueId zeroPastEnd(ValueId sequence, std::size_t rank, ValueId lengths, ElementType type);

    bool isZero(ValueId value) const;        ///< a value of the body
    bool isZeroOutside(ValueId value) const; ///< a value around the loop

private:
    bool addSequences(ValueId value, ValueIds& sequences, int depth) const;
    bool addOperands(const Node& node, ValueIds& sequences, int depth) const;
    void addMatrix(ValueId value);
    std::optional<std::size_t> rankOf(ValueId value, int depth) const;
    const Tensor* vectorOf(ValueId value) const;
    ValueId liftedValue(ValueId value);

    const StepMatcher& step() const { return m_steps.step(); }

    GraphRewriter& m_graph;
    const LoopSteps& m_steps;
    struct Layer {
        ValueId output; ///< the sequence
        ValueIds sequences;
    };
    std::set<ValueId> m_matrices;      ///< of the body: operands of matrix products, and what they consist of
    std::map<ValueId, Layer> m_layers; ///< from values of the body
    std::map<ValueId, ValueId> m_lifted;
};

/// The first rows of a tensor; `count` is a scalar.
ValueId firstRows(GraphRewriter& graph, ValueId rows, ValueId count);

} // namespace crosswalk::tensorflow
