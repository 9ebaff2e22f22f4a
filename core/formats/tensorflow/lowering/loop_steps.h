#pragma once

#include "core/formats/tensorflow/lowering/step_matcher.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace crosswalk::tensorflow {

/// The lengths of the samples of a batch, in the graph around a loop.
struct SampleLengths {
    ValueId outer = {};             ///< (batch)
    const Tensor* stored = nullptr; ///< if they are stored
    ElementType type = ElementType::Undefined;
    explicit operator bool() const { return outer || stored != nullptr; }
    friend bool operator==(const SampleLengths& a, const SampleLengths& b);
};

/// How a `While` of a lowered graph advances: its counters, the sequences that it reads, and the number of its steps.
/// Refers to the graph, whose loop must stay unchanged.
class LoopSteps {
public:
    LoopSteps(const Graph& graph, NodeId loop);
    LoopSteps(const LoopSteps&) = delete;
    LoopSteps& operator=(const LoopSteps&) = delete;

    const Graph& graph() const { return m_graph; }
    const StepMatcher& outer() const { return m_outer; } ///< of the graph around the loop
    const StepMatcher& step() const { return m_step; }   ///< of the body
    /// Outputs of the loop: variables, then rows of lists.
    std::size_t variables() const { return m_variables; }
    ValueId initial(std::size_t variable) const { return loop().inputs[variable]; }
    ValueId before(std::size_t variable) const { return m_step.body().inputs[variable]; } ///< of the body
    ValueId after(std::size_t variable) const { return m_step.body().outputs[variable]; } ///< of the body, or a row

    /// Whether a loop variable counts the steps from 0.
    bool isCounter(std::size_t variable) const;
    ElementType typeOfCounter(std::size_t variable) const;
    /// The value outside the loop that an input of the body captures; none for a loop variable.
    ValueId outerOf(ValueId input) const;
    /// The sequence, in the graph around the loop, whose element at the step's index a value of the body is.
    ValueId sequenceOf(ValueId value) const;
    /// A condition that selects by sample: the lengths, and whether the condition holds past the end, not before.
    struct End {
        SampleLengths lengths;
        bool isPast = true;
    };
    std::optional<End> endOf(ValueId condition) const;
    /// Whether there are as many steps as elements of a sequence, or as many as the longest of the samples has, if
    /// lengths are given.
    bool runAlong(ValueId sequence, const SampleLengths& lengths) const;
    /// Whether there are as many steps as elements of a sequence whatever the lengths.
    bool runToEndOf(ValueId sequence) const { return runAlong(sequence, {}); }
    /// Whether a value around the loop is the number of a sequence's elements.
    bool isLength(ValueId value, ValueId sequence) const;
    /// A limit of the number of steps: a value of the graph around the loop, or stored.
    struct Limit {
        ValueId outer;
        const Tensor* stored = nullptr;
        ElementType type = ElementType::Undefined;
    };
    /// Limits whose minimum is the number of steps; empty if it has other ones.
    std::vector<Limit> limits() const;

private:
    enum class Bound : std::uint8_t { Other, Time, Lengths };

    const Node& loop() const { return m_graph.node(m_loop); }
    ValueId outerOf(const Graph& body, ValueId input, std::size_t firstCapture) const;
    std::optional<std::size_t> counterOf(const Graph& body, ValueId input) const;
    bool addLimits(ValueId truth, std::vector<Limit>& limits) const;
    Bound boundOf(ValueId value, ValueId sequence, const SampleLengths& lengths) const;

    const Graph& m_graph;
    NodeId m_loop;
    StepMatcher m_outer;
    StepMatcher m_step;
    StepMatcher m_condition;
    std::size_t m_variables;
    std::size_t m_conditionCaptures;
};

} // namespace crosswalk::tensorflow
