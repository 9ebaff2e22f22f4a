#include "core/formats/tensorflow/lowering/unrolled_layers.h"

#include "core/formats/tensorflow/lowering/length_tests.h"
#include "core/formats/tensorflow/lowering/recurrent_layer_node.h"
#include "core/formats/tensorflow/lowering/small_integers.h"
#include "core/formats/tensorflow/lowering/step_recognition.h"
#include "core/formats/tensorflow/lowering/step_sums.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

/// One way to read a value as the result of a step.
struct Reading {
    StepStates states;
    StepWeights weights;
};

/// Steps that follow each other.
using Chain = std::vector<Reading>;

/// where(step >= lengths, past, before): what a sample has past its end, and before it.
struct Masked {
    ValueId lengths;
    std::int64_t step = 0;
    ValueId past;
    ValueId before;
};

/// What is compared byte by byte if it is not the same part of a file.
constexpr std::uint64_t smallTensor = 1U << 20U;

bool isSame(const Tensor& a, const Tensor& b)
{
    if (a.type() != b.type() || a.dims() != b.dims()) {
        return false;
    }
    const bool sharesBytes = std::equal(a.pieces().begin(), a.pieces().end(), b.pieces().begin(), b.pieces().end(),
                                        [](const Tensor::Piece& x, const Tensor::Piece& y) {
                                            return x.source == y.source && x.offset == y.offset && x.size == y.size;
                                        });
    return sharesBytes || (a.bytes() <= smallTensor && a.toBytes() == b.toBytes());
}

bool isSame(const std::vector<Tensor>& a, const std::vector<Tensor>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Tensor& x, const Tensor& y) { return isSame(x, y); });
}

bool haveSameWeights(const StepWeights& a, const StepWeights& b)
{
    return a.kind == b.kind && a.gateOrder == b.gateOrder && a.hidden == b.hidden && a.forgetBias == b.forgetBias &&
           a.resetAfter == b.resetAfter && a.activations == b.activations && isSame(a.input, b.input) &&
           isSame(a.recurrent, b.recurrent) && isSame(a.bias, b.bias) && isSame(a.recurrentBias, b.recurrentBias) &&
           isSame(a.peepholes, b.peepholes);
}

class UnrolledLayers {
public:
    explicit UnrolledLayers(GraphRewriter& graph)
        : m_graph(graph)
        , m_matcher(graph.graph())
    {
    }

    void fuse()
    {
        findMasked();
        std::vector<Chain> chains;
        std::map<ValueId, std::size_t> chainOf; // by the last h
        std::map<ValueId, std::vector<Reading>> firsts;
        for (std::uint32_t i = 0; i < m_graph.sourceNodes(); ++i) {
            const Node& node = m_graph.graph().node(NodeId{i});
            if (node.outputs.size() != 1) {
                continue;
            }
            std::vector<Reading> readings = readingsOf(node.outputs[0]);
            for (const Reading& reading : readings) {
                if (extend(chains, chainOf, firsts, reading)) {
                    break;
                }
            }
            if (!readings.empty()) {
                firsts.emplace(node.outputs[0], std::move(readings));
            }
        }
        for (const Chain& chain : chains) {
            if (const auto lengths = lengthsOf(chain); lengths && isDrivenFromOutside(chain) && hasOneBatch(chain)) {
                replace(chain, *lengths);
            }
        }
    }

private:
    void findMasked()
    {
        for (std::uint32_t i = 0; i < m_graph.sourceNodes(); ++i) {
            const Node& node = m_graph.graph().node(NodeId{i});
            if (node.op == "Select" && node.inputs.size() == 3 && node.outputs.size() == 1) {
                addMasked(node);
            }
        }
    }

    void addMasked(const Node& select)
    {
        const auto test = lengthTestOf(
            select.inputs[0], [&](ValueId value, std::string_view op) { return m_matcher.node(value, op); },
            [&](ValueId operand) { return m_matcher.integer(operand).has_value(); });
        if (!test || m_matcher.integer(test->lengths)) {
            return;
        }
        const ValueId past = select.inputs[test->isPast ? 1 : 2];
        const ValueId before = select.inputs[test->isPast ? 2 : 1];
        m_masked.emplace(select.outputs[0], Masked{test->lengths, *m_matcher.integer(test->step), past, before});
        m_maskedOf[before].push_back(select.outputs[0]);
    }

    /// The selection by length that a value is; null for other values.
    const Masked* masked(ValueId value) const
    {
        const auto found = m_masked.find(value);
        return found != m_masked.end() ? &found->second : nullptr;
    }

    /// The selections of a state by length.
    const ValueIds& selectionsOf(ValueId state) const
    {
        static const ValueIds none;
        const auto found = m_maskedOf.find(state);
        return found != m_maskedOf.end() ? found->second : none;
    }

    /// The new state of a step that a later step reads: past the end of a sample, that one reads the old state.
    ValueId unmasked(ValueId state) const
    {
        const Masked* selection = masked(state);
        return selection != nullptr ? selection->before : state;
    }

    /// Whether `state` is the new state, or the old one past the end of a sample by this test.
    bool isNext(ValueId state, ValueId old, ValueId next, const Masked* test) const
    {
        const Masked* selection = masked(state);
        if (selection == nullptr || test == nullptr) {
            return state == next && test == nullptr;
        }
        return selection->before == next && selection->past == old && isSameTest(*selection, *test);
    }

    static bool isSameTest(const Masked& a, const Masked& b) { return a.lengths == b.lengths && a.step == b.step; }

    bool follows(const Reading& before, const Reading& reading) const
    {
        const Masked* test = masked(reading.states.h);
        return isNext(reading.states.h, before.states.h, before.states.nextH, test) &&
               (!reading.states.c || isNext(reading.states.c, before.states.c, before.states.nextC, test)) &&
               static_cast<bool>(reading.states.c) == static_cast<bool>(before.states.c) &&
               haveSameWeights(before.weights, reading.weights);
    }

    /// Adds a step to the chain whose last states it reads, or to the first step of a new chain.
    bool extend(std::vector<Chain>& chains, std::map<ValueId, std::size_t>& chainOf,
                const std::map<ValueId, std::vector<Reading>>& firsts, const Reading& reading) const
    {
        const ValueId previous = unmasked(reading.states.h);
        if (const auto known = chainOf.find(previous); known != chainOf.end()) {
            Chain& chain = chains[known->second];
            if (!follows(chain.back(), reading)) {
                return false;
            }
            chainOf.emplace(reading.states.nextH, known->second);
            chainOf.erase(previous);
            chain.push_back(reading);
            return true;
        }
        const auto first = firsts.find(previous);
        if (first == firsts.end()) {
            return false;
        }
        const auto before = std::find_if(first->second.begin(), first->second.end(),
                                         [&](const Reading& each) { return follows(each, reading); });
        if (before == first->second.end()) {
            return false;
        }
        chainOf.emplace(reading.states.nextH, chains.size());
        chains.push_back({*before, reading});
        return true;
    }

    /// The lengths by which all steps of a chain select their states; absent where none does, nothing for other chains.
    std::optional<ValueId> lengthsOf(const Chain& chain) const
    {
        const Masked* first = masked(chain[1].states.h);
        for (std::size_t i = 1; i < chain.size(); ++i) {
            const Masked* test = masked(chain[i].states.h);
            const bool isSame = first == nullptr ? test == nullptr
                                                 : test != nullptr && test->lengths == first->lengths &&
                                                       test->step == static_cast<std::int64_t>(i) - 1;
            if (!isSame) {
                return std::nullopt;
            }
        }
        const ValueId lengths = first != nullptr ? first->lengths : ValueId{};
        for (std::size_t i = 0; lengths && i < chain.size(); ++i) {
            const Masked test{lengths, static_cast<std::int64_t>(i), {}, {}};
            const ValueIds& selections = selectionsOf(chain[i].states.nextH);
            if (!std::ranges::all_of(selections, [&](ValueId value) { return isSameTest(m_masked.at(value), test); })) {
                return std::nullopt;
            }
        }
        return lengths;
    }

    std::vector<Reading> readingsOf(ValueId value) const
    {
        std::vector<Reading> found;
        StepDifference difference;
        const auto add = [&](const StepStates& states, std::optional<StepWeights> weights) {
            const bool isFused = weights && weights->projection.empty() && !weights->cellClip;
            if (isFused && weights->x.size() == 1 && !weights->input.empty()) {
                found.push_back({states, std::move(*weights)});
            }
        };
        for (const auto& [first, second] : m_matcher.products(value)) {
            const auto gate = activationOf(m_matcher, first);
            const auto squashed = activationOf(m_matcher, second);
            if (!gate || !squashed) {
                continue;
            }
            for (const ValueId c : othersOf(squashed->argument)) {
                for (const ValueId h : operandsOf(gate->argument)) {
                    const StepStates states{.h = h, .nextH = value, .c = c, .nextC = squashed->argument};
                    add(states, matchLstm(m_matcher, states, difference));
                }
            }
        }
        if (const auto activated = activationOf(m_matcher, value)) {
            for (const ValueId h : operandsOf(activated->argument)) {
                const StepStates states{.h = h, .nextH = value};
                add(states, matchRnn(m_matcher, states, difference));
            }
        }
        for (const ValueId h : othersOf(value)) {
            const StepStates states{.h = h, .nextH = value};
            add(states, matchGru(m_matcher, states, difference));
        }
        return found;
    }

    /// Factors of the two summands of a value, in all products with an activation: one of them is the state.
    ValueIds othersOf(ValueId sum) const
    {
        ValueIds found;
        const Node* add = m_matcher.node(sum, "Add");
        if (add == nullptr || add->inputs.size() != 2) {
            return found;
        }
        for (const ValueId term : add->inputs) {
            for (const auto& [first, second] : m_matcher.products(term)) {
                const bool isActivation = activationOf(m_matcher, second).has_value();
                if (!isActivation && std::find(found.begin(), found.end(), second) == found.end()) {
                    found.push_back(second);
                }
            }
        }
        return found;
    }

    /// The operands of the matrix products of a sum: one of them is the state, the last one first.
    ValueIds operandsOf(ValueId sum) const
    {
        ValueIds found;
        for (const StepSum::Product& product : sumOf(m_matcher, sum).products) {
            found.push_back(product.operand);
            if (const Node* concat = m_matcher.node(product.operand, "ConcatV2")) {
                found.insert(found.end(), concat->inputs.begin(), concat->inputs.iteratorAt(concat->inputs.size() - 1));
            }
        }
        std::reverse(found.begin(), found.end());
        return found;
    }

    /// Whether no input of a step depends on the states of another one, as those of decoders do, and only the last cell
    /// state is used.
    bool isDrivenFromOutside(const Chain& chain) const
    {
        ValueIds inputs;
        NodeSet states;
        for (const Reading& each : chain) {
            inputs.push_back(each.weights.x[0]);
            states.insert(m_graph.graph().value(each.states.nextH).producer);
        }
        const auto& outputs = m_graph.graph().outputs;
        const bool returnsCells = std::any_of(chain.begin(), chain.end() - 1, [&](const Reading& each) {
            return each.states.nextC && std::find(outputs.begin(), outputs.end(), each.states.nextC) != outputs.end();
        });
        return !returnsCells && !m_graph.dependsOn(inputs, states);
    }

    /// Whether the inputs of the steps can be the elements of one sequence: an input of one sample may be broadcast in
    /// its step.
    bool hasOneBatch(const Chain& chain) const
    {
        const auto isOfOne = [&](const Reading& each) {
            return dimensionOf(m_graph.graph(), each.weights.x[0], 0).size == 1;
        };
        return std::ranges::all_of(chain, isOfOne) || std::ranges::none_of(chain, isOfOne);
    }

    void replace(const Chain& chain, ValueId lengths)
    {
        const StepStates& first = chain.front().states;
        const auto initial = [&](ValueId state) { return RecurrentLayerNode::State{state, m_matcher.isZero(state)}; };
        RecurrentLayerNode layer{.weights = chain.front().weights,
                                 .sequence = sequenceOf(chain, lengths),
                                 .lengths = lengths,
                                 .h = initial(first.h)};
        const bool isLstm = static_cast<bool>(first.c);
        layer.c = isLstm ? initial(first.c) : RecurrentLayerNode::State{};
        const Node last = m_graph.graph().node(m_graph.graph().value(chain.back().states.nextH).producer);
        const auto made = addRecurrentLayer(m_graph, layer, last.name);
        const auto count = static_cast<std::int64_t>(chain.size());
        const auto steps = m_graph.add("Unpack", {made[0]}, {{"num", count}, {"axis", std::int64_t{0}}}, chain.size(),
                                       last.name + "/steps");
        ValueIds outputs;
        for (std::size_t i = 0; i < chain.size(); ++i) {
            const StepStates& states = chain[i].states;
            const Masked test{lengths, static_cast<std::int64_t>(i), {}, {}};
            outputs.push_back(lengths ? outputOf(states.nextH, test) : states.nextH);
            const Element element{made[0], i, chain.size()};
            if (outputs.back()) {
                m_sequences.emplace(outputs.back(), element);
            }
            if (lengths) {
                m_maskedSequences.emplace(states.nextH, MaskedElement{element, lengths});
            }
        }
        replacePacked(outputs, made[0]);
        for (std::size_t i = 0; i < chain.size(); ++i) {
            const bool isFinalState = !lengths && i + 1 == chain.size();
            if (outputs[i]) {
                m_graph.replace(outputs[i], isFinalState ? made[1] : steps[i]);
            }
        }
        const StepStates& states = chain.back().states;
        const Masked test{lengths, count - 1, {}, {}};
        if (lengths) {
            replaceHeld(states.h, states.nextH, test, made[1]);
        }
        if (isLstm && lengths) {
            replaceHeld(states.c, states.nextC, test, made[2]);
        } else if (isLstm) {
            m_graph.replace(states.nextC, made[2]);
        }
    }

    /// The output of a step, which is zero past the end of a sample; absent if nothing reads it.
    ValueId outputOf(ValueId state, const Masked& test) const
    {
        for (const ValueId value : selectionsOf(state)) {
            const Masked& selection = m_masked.at(value);
            if (isSameTest(selection, test) && m_matcher.isZero(selection.past)) {
                return value;
            }
        }
        return {};
    }

    /// Replaces the state after the last step, which is the old state past the end of a sample.
    void replaceHeld(ValueId old, ValueId next, const Masked& test, ValueId by)
    {
        for (const ValueId value : selectionsOf(next)) {
            const Masked& selection = m_masked.at(value);
            if (isSameTest(selection, test) && selection.past == old) {
                m_graph.replace(value, by);
            }
        }
    }

    /// An element of a sequence along its first axis.
    struct Element {
        ValueId sequence;
        std::size_t index = 0;
        std::size_t count = 0;
        std::int64_t axis = 0;
    };

    struct MaskedElement {
        Element element;
        ValueId lengths;
    };

    /// As the input of a layer with these lengths, for which an element past the end of a sample does not matter.
    std::optional<Element> elementOf(ValueId value, ValueId lengths) const
    {
        if (const auto layer = m_sequences.find(value); layer != m_sequences.end()) {
            return layer->second;
        }
        const auto layer = m_maskedSequences.find(value);
        if (lengths && layer != m_maskedSequences.end() && layer->second.lengths == lengths) {
            return layer->second.element;
        }
        const Node* unpack = m_matcher.node(value, "Unpack");
        if (unpack == nullptr || unpack->inputs.size() != 1) {
            return std::nullopt;
        }
        return Element{unpack->inputs[0], m_matcher.body().value(value).producerOutput, unpack->outputs.size(),
                       intOf(*unpack, "axis", 0)};
    }

    ValueId intVector(const std::vector<std::int32_t>& values)
    {
        return m_graph.addWeight(
            "axes", Tensor::of<std::int32_t>(ElementType::Int32, {static_cast<std::int64_t>(values.size())}, values));
    }

    /// The inputs of the steps as one tensor, (time, batch, features).
    ValueId sequenceOf(const Chain& chain, ValueId lengths)
    {
        ValueIds elements;
        bool isForward = true;
        bool isBackward = true;
        const auto first = elementOf(chain.front().weights.x[0], lengths);
        for (const Reading& each : chain) {
            const ValueId x = each.weights.x[0];
            const auto element = elementOf(x, lengths);
            const bool isOfSame = first && element && element->sequence == first->sequence &&
                                  element->axis == first->axis && element->count == chain.size() &&
                                  element->axis >= 0 && element->axis <= 1;
            isForward = isForward && isOfSame && element->index == elements.size();
            isBackward = isBackward && isOfSame && element->index + elements.size() + 1 == chain.size();
            elements.push_back(x);
        }
        if (!isForward && !isBackward) {
            const auto count = static_cast<std::int64_t>(elements.size());
            return m_graph.add("Pack", elements, {{"N", count}, {"axis", std::int64_t{0}}}).front();
        }
        const ValueId sequence = first->axis == 0
                                     ? first->sequence
                                     : m_graph.add("Transpose", {first->sequence, intVector({1, 0, 2})}).front();
        return isForward ? sequence : m_graph.add("ReverseV2", {sequence, intVector({0})}).front();
    }

    /// Outputs of all steps that are stacked in their order are the sequence of the layer.
    void replacePacked(const ValueIds& outputs, ValueId sequence)
    {
        for (std::uint32_t i = 0; i < m_graph.sourceNodes(); ++i) {
            const Node& node = m_graph.graph().node(NodeId{i});
            const std::int64_t axis = intOf(node, "axis", 0);
            if (node.op != "Pack" || node.inputs != outputs || axis < 0 || axis > 1) {
                continue;
            }
            const ValueId packed = node.outputs[0];
            m_graph.replace(packed,
                            axis == 0 ? sequence : m_graph.add("Transpose", {sequence, intVector({1, 0, 2})}).front());
        }
    }

    GraphRewriter& m_graph;
    StepMatcher m_matcher;
    std::map<ValueId, Masked> m_masked;                 ///< selections by length
    std::map<ValueId, ValueIds> m_maskedOf;             ///< the same, by what they are before the end of a sample
    std::map<ValueId, Element> m_sequences;             ///< outputs of steps of layers
    std::map<ValueId, MaskedElement> m_maskedSequences; ///< new states of steps of layers with lengths
};

} // namespace

void fuseUnrolledLayers(GraphRewriter& graph)
{
    UnrolledLayers(graph).fuse();
}

} // namespace crosswalk::tensorflow
