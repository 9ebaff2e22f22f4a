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
    void define(ValueId value) { m_layers.emplace(value, ValueId{}); }
    void set(ValueId value, ValueId sequence) { m_layers[value] = sequence; }
    /// The sequences that a value reads; nothing if it cannot be computed for all steps at once.
    std::optional<ValueIds> sequencesOf(ValueId value) const;
    /// Values of all steps, joined along the features.
    ValueId lifted(const ValueIds& parts);
    /// (time, batch, features) with zeros in the steps past the end of a sample, as values around the loop. `type`: of
    /// the lengths.
    ValueId zeroPastEnd(ValueId sequence, ValueId lengths, ElementType type);

    bool isZero(ValueId value) const;        ///< a value of the body
    bool isZeroOutside(ValueId value) const; ///< a value around the loop

private:
    bool addSequences(ValueId value, ValueIds& sequences, int depth) const;
    bool isMatrix(ValueId value) const;
    bool isVector(ValueId value) const;
    ValueId liftedValue(ValueId value);

    const StepMatcher& step() const { return m_steps.step(); }

    GraphRewriter& m_graph;
    const LoopSteps& m_steps;
    std::set<ValueId> m_matrices;        ///< of the body: operands of matrix products
    std::map<ValueId, ValueId> m_layers; ///< from values of the body
    std::map<ValueId, ValueId> m_lifted;
};

/// The first rows of a tensor; `count` is a scalar.
ValueId firstRows(GraphRewriter& graph, ValueId rows, ValueId count);

} // namespace crosswalk::tensorflow
