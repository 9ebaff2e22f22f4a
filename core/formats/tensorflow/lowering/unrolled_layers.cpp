#include "core/formats/tensorflow/lowering/unrolled_layers.h"

#include "core/formats/tensorflow/lowering/recurrent_layer_node.h"
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
            if (isDrivenFromOutside(chain)) {
                replace(chain);
            }
        }
    }

private:
    /// Adds a step to the chain whose last states it reads, or to the first step of a new chain.
    static bool extend(std::vector<Chain>& chains, std::map<ValueId, std::size_t>& chainOf,
                       const std::map<ValueId, std::vector<Reading>>& firsts, const Reading& reading)
    {
        const auto follows = [&](const Reading& before) {
            return before.states.nextH == reading.states.h && before.states.nextC == reading.states.c &&
                   haveSameWeights(before.weights, reading.weights);
        };
        if (const auto known = chainOf.find(reading.states.h); known != chainOf.end()) {
            Chain& chain = chains[known->second];
            if (!follows(chain.back())) {
                return false;
            }
            chainOf.emplace(reading.states.nextH, known->second);
            chainOf.erase(reading.states.h);
            chain.push_back(reading);
            return true;
        }
        const auto first = firsts.find(reading.states.h);
        if (first == firsts.end()) {
            return false;
        }
        const auto before = std::find_if(first->second.begin(), first->second.end(), follows);
        if (before == first->second.end()) {
            return false;
        }
        chainOf.emplace(reading.states.nextH, chains.size());
        chains.push_back({*before, reading});
        return true;
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

    void replace(const Chain& chain)
    {
        const StepStates& first = chain.front().states;
        const auto initial = [&](ValueId state) { return m_matcher.isZero(state) ? ValueId{} : state; };
        RecurrentLayerNode layer{
            .weights = chain.front().weights, .sequence = sequenceOf(chain), .h = initial(first.h)};
        const bool isLstm = static_cast<bool>(first.c);
        layer.c = isLstm ? initial(first.c) : ValueId{};
        const Node last = m_graph.graph().node(m_graph.graph().value(chain.back().states.nextH).producer);
        const auto made = addRecurrentLayer(m_graph, layer, last.name);
        const auto count = static_cast<std::int64_t>(chain.size());
        const auto steps = m_graph.add("Unpack", {made[0]}, {{"num", count}, {"axis", std::int64_t{0}}}, chain.size(),
                                       last.name + "/steps");
        replacePacked(chain, made[0]);
        for (std::size_t i = 0; i < chain.size(); ++i) {
            const StepStates& states = chain[i].states;
            const bool isLast = i + 1 == chain.size();
            m_sequences.emplace(states.nextH, Element{made[0], i, chain.size()});
            m_graph.replace(states.nextH, isLast ? made[1] : steps[i]);
            if (isLast && isLstm) {
                m_graph.replace(states.nextC, made[2]);
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

    std::optional<Element> elementOf(ValueId value) const
    {
        if (const auto layer = m_sequences.find(value); layer != m_sequences.end()) {
            return layer->second;
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
    ValueId sequenceOf(const Chain& chain)
    {
        ValueIds elements;
        bool isForward = true;
        bool isBackward = true;
        const auto first = elementOf(chain.front().weights.x[0]);
        for (const Reading& each : chain) {
            const ValueId x = each.weights.x[0];
            const auto element = elementOf(x);
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
    void replacePacked(const Chain& chain, ValueId sequence)
    {
        ValueIds outputs;
        for (const Reading& each : chain) {
            outputs.push_back(each.states.nextH);
        }
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
    std::map<ValueId, Element> m_sequences; ///< outputs of steps of layers
};

} // namespace

void fuseUnrolledLayers(GraphRewriter& graph)
{
    UnrolledLayers(graph).fuse();
}

} // namespace crosswalk::tensorflow
