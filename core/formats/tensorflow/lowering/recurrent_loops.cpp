#include "core/formats/tensorflow/lowering/recurrent_loops.h"

#include "core/formats/tensorflow/lowering/lifted_steps.h"
#include "core/formats/tensorflow/lowering/loop_steps.h"
#include "core/formats/tensorflow/lowering/recurrent_layer_node.h"
#include "core/formats/tensorflow/lowering/small_integers.h"
#include "core/formats/tensorflow/lowering/step_recognition.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

/// The value of a state before and after a step: a loop variable, or one of the parts that are joined in one.
struct State {
    ValueId before;
    ValueId after; ///< in a step that is not past the end of its sample
    std::size_t variable = 0;
    std::size_t part = 0;
    std::size_t parts = 1;
};

/// A layer among the states of a loop.
struct Layer {
    StepWeights weights;
    std::size_t h = 0;       ///< state
    std::size_t c = 0;       ///< lstm
    ValueIds sequences = {}; ///< in the graph around the loop, that the input depends on
};

/// What a row of a list is past the end of a sample.
struct Row {
    ValueId value; ///< of the body, before the end
    bool isZeroPastEnd = false;
    bool holdsPastEnd = false;
};

class RecurrentLoop {
public:
    RecurrentLoop(GraphRewriter& graph, NodeId node)
        : m_graph(graph)
        , m_id(node)
        , m_steps(graph.graph(), node)
        , m_lift(graph, m_steps)
    {
    }

    /// Returns what prevents it; nothing after success, or if no recurrent weights are in the loop.
    std::optional<std::string> fuse()
    {
        if (!multipliesStates()) {
            return std::nullopt;
        }
        if (!findStates() || !findRows() || !findLayers() || !checkRows()) {
            return m_difference;
        }
        replace();
        return std::nullopt;
    }

private:
    const StepMatcher& step() const { return m_steps.step(); }
    const Graph& body() const { return m_steps.step().body(); }

    bool differs(std::string what)
    {
        m_difference = std::move(what);
        return false;
    }

    std::string nameOf(ValueId value) const
    {
        const Value& found = body().value(value);
        return found.producer ? fmt::format("{} ({})", found.name, body().node(found.producer).op) : found.name;
    }

    /// Whether a step has the weights of a layer and a state for them.
    bool multipliesStates() const
    {
        const bool hasWeights = std::any_of(body().nodes().begin(), body().nodes().end(), [&](const Node& node) {
            return node.op == "MatMul" && node.inputs.size() == 2 && step().stored(node.inputs[1]) != nullptr;
        });
        bool hasState = false;
        for (std::size_t i = 0; i < m_steps.variables(); ++i) {
            hasState = hasState || isFloating(body().value(m_steps.before(i)).type.element);
        }
        return hasWeights && hasState;
    }

    /// The two sides of a value that is selected by whether the samples have ended: past the end and before it.
    struct Selected {
        ValueId past;
        ValueId before;
    };

    std::optional<Selected> selected(ValueId value)
    {
        const Node* select = step().node(value, "Select");
        const auto end =
            select != nullptr && select->inputs.size() == 3 ? m_steps.endOf(select->inputs[0]) : std::nullopt;
        if (!end || (m_lengths && !(m_lengths == end->lengths))) {
            return std::nullopt;
        }
        m_lengths = end->lengths;
        return end->isPast ? Selected{select->inputs[1], select->inputs[2]}
                           : Selected{select->inputs[2], select->inputs[1]};
    }

    bool findStates()
    {
        for (std::size_t i = 0; i < m_steps.variables(); ++i) {
            if (m_steps.isCounter(i)) {
                continue;
            }
            State state{m_steps.before(i), m_steps.after(i), i};
            const ElementType type = body().value(state.before).type.element;
            if (type != ElementType::Undefined && !isFloating(type)) {
                return differs(fmt::format("{} is a state of type {}", nameOf(state.after), elementTypeName(type)));
            }
            if (const auto sides = selected(state.after)) {
                if (sides->past != state.before) {
                    return differs(fmt::format("{} past the end of a sample should be the state before the step",
                                               nameOf(sides->past)));
                }
                state.after = sides->before;
            }
            m_isSelected.push_back(state.after != m_steps.after(i));
            addParts(state);
        }
        if (m_states.empty() || m_states.size() > mostStates) {
            return differs(fmt::format("the loop has {} states", m_states.size()));
        }
        return std::adjacent_find(m_isSelected.begin(), m_isSelected.end(), std::not_equal_to<>()) ==
                   m_isSelected.end() ||
               differs("some states, but not all, are held past the end of a sample");
    }

    /// Divides a variable that joins two states, as cells do whose state is not a tuple.
    void addParts(const State& state)
    {
        const Node* joined = step().node(state.after, "ConcatV2");
        std::array<ValueId, 2> halves;
        for (std::uint32_t i = 0; i < body().valueCount(); ++i) {
            const auto part = step().half(ValueId{i});
            if (part && part->whole == state.before) {
                halves[part->index] = ValueId{i};
            }
        }
        if (joined == nullptr || joined->inputs.size() != 3 || !halves[0] || !halves[1]) {
            m_states.push_back(state);
            return;
        }
        for (std::size_t part = 0; part < 2; ++part) {
            m_states.push_back({halves[part], joined->inputs[part], state.variable, part, 2});
        }
    }

    bool findRows()
    {
        const auto& outputs = body().outputs;
        for (std::size_t i = m_steps.variables(); i < outputs.size(); ++i) {
            Row row{outputs[i]};
            const State* held = nullptr;
            for (const State& state : m_states) {
                if (state.parts == 1 && m_steps.after(state.variable) == row.value) {
                    held = &state;
                }
            }
            if (held != nullptr && m_isSelected.front()) {
                row.value = held->after;
                row.holdsPastEnd = true;
            } else if (const auto sides = selected(row.value)) {
                if (!m_lift.isZero(sides->past)) {
                    return differs(
                        fmt::format("{}, the output past the end of a sample, should be zero", nameOf(sides->past)));
                }
                row.value = sides->before;
                row.isZeroPastEnd = true;
            }
            if (m_lengths && !row.holdsPastEnd && !row.isZeroPastEnd) {
                return differs(fmt::format("{} is computed past the end of a sample", nameOf(row.value)));
            }
            m_rows.push_back(row);
        }
        return !m_lengths || m_isSelected.front() || differs("states change past the end of a sample");
    }

    bool findLayers()
    {
        std::vector<bool> isDone(m_states.size());
        StepDifference difference;
        for (std::size_t left = m_states.size(); left > 0;) {
            const auto layer = nextLayer(isDone, difference);
            if (!layer) {
                return differs(m_difference.empty() && difference.value
                                   ? fmt::format("{} should be {}", nameOf(difference.value), difference.expected)
                                   : m_difference);
            }
            isDone[layer->h] = true;
            --left;
            if (layer->weights.kind == "lstm") {
                isDone[layer->c] = true;
                --left;
            }
            m_lift.define(m_states[layer->h].after, layer->sequences);
            m_layers.push_back(*layer);
        }
        return true;
    }

    std::optional<Layer> nextLayer(const std::vector<bool>& isDone, StepDifference& difference)
    {
        for (std::size_t h = 0; h < m_states.size(); ++h) {
            for (std::size_t c = 0; c < m_states.size(); ++c) {
                if (isDone[h] || isDone[c]) {
                    continue;
                }
                if (auto layer = matchStates(h, c, difference); layer && canRead(*layer)) {
                    return layer;
                }
            }
        }
        return std::nullopt;
    }

    /// The layer of two states, or of one if they are the same.
    std::optional<Layer> matchStates(std::size_t h, std::size_t c, StepDifference& difference) const
    {
        StepStates states{.h = m_states[h].before, .nextH = m_states[h].after};
        std::optional<StepWeights> weights;
        if (h != c) {
            states.c = m_states[c].before;
            states.nextC = m_states[c].after;
            weights = matchLstm(step(), states, difference);
        } else {
            weights = matchGru(step(), states, difference);
            weights = weights ? std::move(weights) : matchRnn(step(), states, difference);
        }
        return weights ? std::optional(Layer{std::move(*weights), h, c}) : std::nullopt;
    }

    /// Whether the input of a layer can be computed for all steps before the layer.
    bool canRead(Layer& layer)
    {
        for (const ValueId part : layer.weights.x) {
            const auto sequences = m_lift.sequencesOf(part);
            if (!sequences) {
                return differs(fmt::format("{}, the input of the step, depends on its state", nameOf(part)));
            }
            layer.sequences.insert(layer.sequences.end(), sequences->begin(), sequences->end());
        }
        std::ranges::for_each(layer.sequences, [&](ValueId sequence) { addSequence(sequence); });
        m_difference.clear();
        return true;
    }

    void addSequence(ValueId sequence)
    {
        m_isCut = m_isCut || !m_steps.runAlong(sequence, m_lengths);
        m_sequence = m_sequence ? m_sequence : sequence;
        const Graph& graph = m_steps.graph();
        m_lengthsDiffer = m_lengthsDiffer || (m_sequence != sequence && !isSame(dimensionOf(graph, m_sequence, 0),
                                                                                dimensionOf(graph, sequence, 0)));
    }

    bool checkRows()
    {
        for (const Row& row : m_rows) {
            const auto sequences = m_lift.sequencesOf(row.value);
            if (!sequences) {
                return differs(
                    fmt::format("{}, an output of the step, depends on more than its input and the output of "
                                "the cell",
                                nameOf(row.value)));
            }
            if (row.holdsPastEnd && !isOutputOfLayer(row.value)) {
                return differs(fmt::format("{} is held past the end of a sample", nameOf(row.value)));
            }
            if (row.isZeroPastEnd && m_lift.rankOf(row.value).value_or(0) < 1) {
                return differs(fmt::format("{} may have no axis of the samples", nameOf(row.value)));
            }
            std::ranges::for_each(*sequences, [&](ValueId sequence) { addSequence(sequence); });
        }
        if (m_isCut && m_steps.limits().empty()) {
            return differs("the number of its steps depends on what they compute");
        }
        if (m_lengthsDiffer && (m_isCut || !m_steps.runToEndOf(m_sequence))) {
            return differs("it reads sequences that may have different lengths");
        }
        return static_cast<bool>(m_sequence) || differs("it reads no sequence");
    }

    bool isOutputOfLayer(ValueId value) const
    {
        return std::any_of(m_layers.begin(), m_layers.end(),
                           [&](const Layer& layer) { return m_states[layer.h].after == value; });
    }

    /// Whether a row holds the output of a layer past the end of a sample.
    bool isHeld(ValueId output) const
    {
        return std::ranges::any_of(m_rows, [&](const Row& row) { return row.holdsPastEnd && row.value == output; });
    }

    void replace()
    {
        const Node loop = m_graph.graph().node(m_id);
        const ValueId lengths = lengthsOfLayers(loop.name);
        ValueIds finals(m_states.size());
        for (std::size_t i = 0; i < m_layers.size(); ++i) {
            const Layer& layer = m_layers[i];
            RecurrentLayerNode node{.weights = layer.weights,
                                    .sequence = m_lift.lifted(layer.weights.x),
                                    .lengths = lengths,
                                    .h = initial(m_states[layer.h]),
                                    .repeatsLast = isHeld(m_states[layer.h].after)};
            if (layer.weights.kind == "lstm") {
                node.c = initial(m_states[layer.c]);
            }
            const auto made =
                addRecurrentLayer(m_graph, node, i == 0 ? loop.name : fmt::format("{}/{}", loop.name, i + 1));
            m_graph.addOrigins(made[0], std::array{m_id});
            m_lift.set(m_states[layer.h].after, made[0]);
            finals[layer.h] = made[1];
            if (layer.weights.kind == "lstm") {
                finals[layer.c] = made[2];
            }
        }
        replaceVariables(loop, finals);
        replaceRows(loop, lengths);
    }

    /// The lengths of the samples. A loop that ends before its sequence gives them the number of its steps: ONNX
    /// Runtime's operators do not run on a part of the sequence that is empty.
    ValueId lengthsOfLayers(const std::string& name)
    {
        ValueId lengths = m_lengths.outer;
        if (!lengths && m_lengths) {
            lengths = m_graph.addWeight(name + "/lengths", *m_lengths.stored);
        }
        if (!m_isCut) {
            return lengths;
        }
        m_lengths.type = lengths ? m_lengths.type : typeOfCount();
        const ValueId count = stepCount(m_lengths.type);
        return lengths ? m_graph.add("Minimum", {lengths, count}).front() : count;
    }

    ValueId axis(std::int32_t value)
    {
        return m_graph.addWeight("axis", Tensor::of<std::int32_t>(ElementType::Int32, {}, std::array{value}));
    }

    RecurrentLayerNode::State initial(const State& state)
    {
        const ValueId value = m_steps.initial(state.variable);
        if (m_lift.isZeroOutside(value)) {
            return {value, true};
        }
        if (state.parts == 1) {
            return {value};
        }
        return {m_graph.add("Split", {axis(1), value}, {{"num_split", static_cast<std::int64_t>(state.parts)}},
                            state.parts)[state.part]};
    }

    void replaceVariables(const Node& loop, const ValueIds& finals)
    {
        for (std::size_t i = 0; i < m_steps.variables(); ++i) {
            ValueIds parts;
            for (std::size_t k = 0; k < m_states.size(); ++k) {
                if (m_states[k].variable == i) {
                    parts.push_back(finals[k]);
                }
            }
            if (parts.empty()) {
                m_graph.replace(loop.outputs[i], stepCount(m_steps.typeOfCounter(i)));
            } else if (parts.size() == 1) {
                m_graph.replace(loop.outputs[i], parts[0]);
            } else {
                const auto count = static_cast<std::int64_t>(parts.size());
                parts.push_back(axis(1));
                m_graph.replace(loop.outputs[i], m_graph.add("ConcatV2", parts, {{"N", count}}).front());
            }
        }
    }

    ValueId cast(ValueId value, ElementType from, ElementType to)
    {
        return from == to ? value : m_graph.add("Cast", {value}, {{"SrcT", from}, {"DstT", to}}).front();
    }

    /// The type in which the limits of the number of steps are compared.
    ElementType typeOfCount() const
    {
        const std::vector<LoopSteps::Limit> limits = m_steps.limits();
        const bool isOne = std::ranges::all_of(limits, [&](const auto& each) { return each.type == limits[0].type; });
        return isOne ? limits[0].type : ElementType::Int64;
    }

    ValueId stepCount(ElementType type)
    {
        const ElementType common = typeOfCount();
        ValueId count;
        for (const LoopSteps::Limit& limit : m_steps.limits()) {
            const ValueId given = limit.outer ? limit.outer : m_graph.addWeight("steps", *limit.stored);
            const ValueId value = cast(given, limit.type, common);
            count = count ? m_graph.add("Minimum", {count, value}).front() : value;
        }
        const ValueId zero = m_graph.addWeight("zero", Tensor::filled(common, {}, 0));
        return cast(m_graph.add("Maximum", {count, zero}).front(), common, type);
    }

    void replaceRows(const Node& loop, ValueId lengths)
    {
        const bool isWhole = m_steps.runToEndOf(m_sequence);
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            const Row& row = m_rows[i];
            const ValueId made = loop.outputs[m_steps.variables() + i];
            ValueId rows = m_lift.lifted({row.value});
            const bool isOutput = isOutputOfLayer(row.value);
            if (row.isZeroPastEnd && (!isOutput || isHeld(row.value))) {
                rows = m_lift.zeroPastEnd(rows, *m_lift.rankOf(row.value), lengths, m_lengths.type);
            }
            if (isWhole) {
                m_graph.replace(made, rows);
                continue;
            }
            if (row.isZeroPastEnd || (isOutput && !row.holdsPastEnd)) {
                replaceExtended(made, rows);
            }
            m_graph.replace(made, firstRows(m_graph, rows, stepCount(ElementType::Int32)));
        }
    }

    /// Rows that are extended by zeros to the length of the sequence: `rows` have them already.
    void replaceExtended(ValueId made, ValueId rows)
    {
        for (std::uint32_t i = 0; i < m_graph.sourceNodes(); ++i) {
            const Node& node = m_graph.graph().node(NodeId{i});
            if (node.op == "ExtendRows" && node.inputs[0] == made && m_steps.isLength(node.inputs[1], m_sequence)) {
                m_graph.replace(node.outputs[0], rows);
            }
        }
    }

    /// No cell has more; each pair of them is compared.
    static constexpr std::size_t mostStates = 32;

    GraphRewriter& m_graph;
    NodeId m_id;
    LoopSteps m_steps;
    LiftedSteps m_lift;
    SampleLengths m_lengths;
    std::vector<State> m_states;
    std::vector<bool> m_isSelected; ///< by loop variable, counters excluded: held past the end of a sample
    std::vector<Row> m_rows;
    std::vector<Layer> m_layers;
    ValueId m_sequence;           ///< in the graph around the loop
    bool m_lengthsDiffer = false; ///< sequences may have different numbers of elements
    bool m_isCut = false;         ///< the number of steps may be less than the number of elements of a sequence
    std::string m_difference;
};

} // namespace

void fuseRecurrentLoops(GraphRewriter& graph)
{
    for (std::uint32_t i = 0; i < graph.sourceNodes(); ++i) {
        const Node& node = graph.graph().node(NodeId{i});
        // A loop that could not be lowered has no bodies. No recurrent layer reads what its steps have written to
        // lists.
        if (node.op != "While" || attributeOf<SubgraphId>(node, "body") == nullptr ||
            node.attribute("list_variables") != nullptr) {
            continue;
        }
        if (auto difference = RecurrentLoop(graph, NodeId{i}).fuse(); difference && !difference->empty()) {
            graph.addAttribute(NodeId{i}, {std::string(stepDifference), std::move(*difference)});
        }
    }
}

} // namespace crosswalk::tensorflow
