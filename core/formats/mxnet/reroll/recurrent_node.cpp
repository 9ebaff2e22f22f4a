#include "core/formats/mxnet/reroll/recurrent_node.h"

#include "core/formats/mxnet/attribute_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

/// How wide a run's input or state is: the columns of its matrix. Nothing where the file does not store it.
std::optional<std::int64_t> columns(const Rewriting& graph, const CellOperand& operand)
{
    const Tensor* stored = graph.graph().tensorOf(operand.gates.front().weight);
    return stored != nullptr && stored->rank() == 2 ? std::optional(stored->dims()[1]) : std::nullopt;
}

bool isStored(const Rewriting& graph, const CellOperand& operand)
{
    return std::all_of(operand.gates.begin(), operand.gates.end(), [&](const GateRows& rows) {
        return graph.graph().tensorOf(rows.weight) != nullptr &&
               (!rows.bias || graph.graph().tensorOf(rows.bias) != nullptr);
    });
}

/// All gates are the rows of one matrix in MXNet's own order, biased.
bool isWhole(const CellOperand& operand)
{
    std::int64_t next = 0;
    for (const GateRows& rows : operand.gates) {
        if (rows.weight != operand.gates.front().weight || rows.bias != operand.gates.front().bias || !rows.bias ||
            rows.first != next) {
            return false;
        }
        next += rows.count;
    }
    return true;
}

/// The stored parameters as they stand in the packed vector.
class Packing {
public:
    explicit Packing(const Rewriting& graph)
        : m_graph(graph)
    {
    }
    void weights(const CellOperand& operand)
    {
        for (const GateRows& rows : operand.gates) {
            const Tensor& stored = *m_graph.graph().tensorOf(rows.weight);
            const std::int64_t width = stored.dims()[1];
            m_parts.push_back(stored.range(rows.first * width, {rows.count * width}));
        }
    }
    void biases(const CellOperand& operand)
    {
        for (const GateRows& rows : operand.gates) {
            const Tensor* stored = rows.bias ? m_graph.graph().tensorOf(rows.bias) : nullptr;
            m_parts.push_back(stored != nullptr ? stored->range(rows.first, {rows.count})
                                                : Tensor::filled(m_parts.front().type(), {rows.count}, 0));
        }
    }
    Tensor joined() const { return Tensor::joined(m_parts); }

private:
    const Rewriting& m_graph;
    std::vector<Tensor> m_parts;
};

using Runs = std::vector<const UnrolledRun*>;

ValueId packedParameters(Rewriting& graph, const Runs& runs, const std::string& name)
{
    const bool stored = std::all_of(runs.begin(), runs.end(), [&](const UnrolledRun* run) {
        const auto& operands = run->steps.front().operands;
        return isStored(graph, operands[0]) && isStored(graph, operands[1]);
    });
    if (stored) {
        Packing packing(graph);
        for (const UnrolledRun* run : runs) {
            packing.weights(run->steps.front().operands[0]);
            packing.weights(run->steps.front().operands[1]);
        }
        for (const UnrolledRun* run : runs) {
            packing.biases(run->steps.front().operands[0]);
            packing.biases(run->steps.front().operands[1]);
        }
        return graph.addWeight(name + "_parameters", packing.joined());
    }
    Values parts;
    const auto flat = [&](ValueId part) {
        parts.push_back(graph.add("Reshape", {part}, {{"shape", std::string("(-1,)")}}).front());
    };
    for (const UnrolledRun* run : runs) {
        flat(run->steps.front().operands[0].gates.front().weight);
        flat(run->steps.front().operands[1].gates.front().weight);
    }
    for (const UnrolledRun* run : runs) {
        flat(run->steps.front().operands[0].gates.front().bias);
        flat(run->steps.front().operands[1].gates.front().bias);
    }
    return graph.add("Concat", parts, {{"dim", std::string("0")}, {"num_args", std::to_string(parts.size())}}).front();
}

/// A begin state of zeros, whose batch MXNet fills in.
const Node* zeros(const Rewriting& graph, ValueId state)
{
    const Node* node = graph.from("_zeros", state);
    const auto shape = node != nullptr ? integers(attributeText(*node, "shape", {})) : std::nullopt;
    return shape && shape->size() == 2 ? node : nullptr;
}

/// (directions, batch, width) from the states that the runs start from.
ValueId initialState(Rewriting& graph, const Values& states)
{
    Values rows;
    for (const ValueId state : states) {
        if (const Node* node = zeros(graph, state)) {
            const auto shape = *integers(attributeText(*node, "shape", {}));
            std::vector<Attribute> attributes = node->attributes;
            std::erase_if(attributes, [](const Attribute& attribute) { return attribute.name == "shape"; });
            attributes.push_back({"shape", fmt::format("({}, {}, {})", states.size(), shape[0], shape[1])});
            const std::vector<NodeId> origin{graph.producer(state)};
            const ValueId all = graph.add("_zeros", {}, attributes).front();
            graph.comesFrom(all, origin);
            return all; // a pair's states are both of zeros, or neither: arePair
        }
        rows.push_back(graph.add("expand_dims", {state}, {{"axis", std::string("0")}}).front());
    }
    if (rows.size() == 1) {
        return rows.front();
    }
    return graph.add("Concat", rows, {{"dim", std::string("0")}, {"num_args", std::string("2")}}).front();
}

/// Row by row of (directions, batch, width).
Values rowsOf(Rewriting& graph, ValueId state, std::size_t directions)
{
    if (directions == 1) {
        return graph.add("squeeze", {state}, {{"axis", std::string("0")}});
    }
    return graph.add(
        "SliceChannel", {state},
        {{"axis", std::string("0")}, {"num_outputs", std::to_string(directions)}, {"squeeze_axis", std::string("1")}},
        directions);
}

/// What the cell is called: by its weight, "lstm0_i2h_weight", or else by its first step.
std::string nameOf(const Rewriting& graph, const UnrolledRun& run)
{
    const std::string& weight = graph.graph().value(run.steps.front().operands[0].gates.front().weight).name;
    for (const std::string_view ending : {"_i2h_weight", "_weight"}) {
        if (weight.size() > ending.size() && weight.ends_with(ending)) {
            return weight.substr(0, weight.size() - ending.size());
        }
    }
    return graph.graph().node(graph.producer(run.steps.front().h)).name;
}

void replaceAll(Rewriting& graph, const Values& values, ValueId by)
{
    for (const ValueId value : values) {
        graph.replace(value, by);
    }
}

Values reversedOrder(Values values)
{
    std::reverse(values.begin(), values.end());
    return values;
}

} // namespace

std::string packingObstacle(const Rewriting& graph, const UnrolledRun& run)
{
    for (std::size_t i = 0; i < 2; ++i) {
        const CellOperand& operand = run.steps.front().operands[i];
        if (!isStored(graph, operand)) {
            if (!isWhole(operand)) {
                return "its weights are not stored, and not in the order in which MXNet's own cells have their gates";
            }
            continue;
        }
        for (const GateRows& rows : operand.gates) {
            const Tensor& weight = *graph.graph().tensorOf(rows.weight);
            const Tensor* bias = rows.bias ? graph.graph().tensorOf(rows.bias) : nullptr;
            const bool fits =
                weight.rank() == 2 && rows.first + rows.count <= weight.dims()[0] &&
                weight.dims()[1] == columns(graph, operand) && (i == 0 || weight.dims()[1] == rows.count) &&
                (bias == nullptr ||
                 (bias->rank() == 1 && rows.first + rows.count <= bias->dims()[0] && bias->type() == weight.type()));
            if (!fits) {
                return "its weights have other shapes than its steps call for";
            }
        }
    }
    return {};
}

bool arePair(const Rewriting& graph, Sequences& sequences, const UnrolledRun& forward, const UnrolledRun& backward)
{
    const auto& ours = forward.steps.front();
    const auto& theirs = backward.steps.front();
    const auto zeroTogether = [&](ValueId a, ValueId b) {
        return (zeros(graph, a) != nullptr) == (zeros(graph, b) != nullptr);
    };
    if (forward.validLength || backward.validLength || forward.mode() != backward.mode() ||
        forward.steps.size() != backward.steps.size() || forward.hidden() != backward.hidden() ||
        !zeroTogether(ours.operands[1].value, theirs.operands[1].value) ||
        (forward.mode() == CellMode::Lstm && !zeroTogether(ours.cBefore, theirs.cBefore))) {
        return false;
    }
    const auto width = columns(graph, ours.operands[0]);
    if (!width || width != columns(graph, theirs.operands[0]) || !isStored(graph, ours.operands[0]) ||
        !isStored(graph, theirs.operands[0])) {
        return false;
    }
    const Values inputs = forward.inputs();
    const Values turned = reversedOrder(backward.inputs());
    if (inputs == turned) {
        return true;
    }
    const auto sequence = sequences.of(inputs);
    return sequence && sequence == sequences.of(turned);
}

ValueId putRecurrentNode(Rewriting& graph, Sequences& sequences, const UnrolledRun& forward,
                         const UnrolledRun* backward)
{
    Runs runs{&forward};
    if (backward != nullptr) {
        runs.push_back(backward);
    }
    const bool isLstm = forward.mode() == CellMode::Lstm;
    const std::string name = nameOf(graph, forward);
    Values h;
    Values c;
    std::vector<NodeId> origins;
    for (const UnrolledRun* run : runs) {
        h.push_back(run->steps.front().operands[1].value);
        c.push_back(run->steps.front().cBefore);
        const NodeSet nodes = run->nodes();
        origins.insert(origins.end(), nodes.begin(), nodes.end());
    }
    // An input that was cut out of a sequence step by step belongs to the node which reads the sequence.
    for (const ValueId input : forward.inputs()) {
        if (const Node* cutter = graph.from("SliceChannel", input);
            cutter != nullptr && graph.producer(input).index < graph.sourceNodes()) {
            origins.push_back(graph.producer(input));
        }
    }
    Values inputs{sequences.ofOrStacked(forward.inputs()), packedParameters(graph, runs, name), initialState(graph, h)};
    if (isLstm) {
        inputs.push_back(initialState(graph, c));
    }
    const std::optional<ValidLength>& validLength = forward.validLength;
    if (validLength) {
        inputs.push_back(validLength->lengths);
    }
    const auto made = graph.add("RNN", inputs,
                                {{"mode", std::string(modeName(forward.mode()))},
                                 {"state_size", std::to_string(forward.hidden())},
                                 {"num_layers", std::string("1")},
                                 {"bidirectional", std::string(runs.size() == 2 ? "True" : "False")},
                                 {"state_outputs", std::string("True")},
                                 {"use_sequence_length", std::string(validLength ? "True" : "False")}},
                                isLstm ? 3 : 2, name);
    graph.comesFrom(made[0], origins);

    // (time, batch, features of each direction), and the directions apart
    Values sides{made[0]};
    if (backward != nullptr) {
        sides =
            graph.add("SliceChannel", {made[0]}, {{"axis", std::string("2")}, {"num_outputs", std::string("2")}}, 2);
    }
    const Values lastH = rowsOf(graph, made[1], runs.size());
    const Values lastC = isLstm ? rowsOf(graph, made[2], runs.size()) : Values{};
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const Values steps = runs[i]->outputs();
        sequences.declare(sides[i], i == 0 ? steps : reversedOrder(steps));
        if (validLength) {
            continue; // the states are those of each sample's own last step
        }
        if (isLstm) {
            graph.replace(runs[i]->steps.back().c, lastC[i]);
        }
        sequences.declareAlone(steps.back(), lastH[i]);
    }
    if (validLength) {
        replaceAll(graph, validLength->lastH, lastH.front());
        replaceAll(graph, validLength->lastC, lastC.front());
    }
    return made[0];
}

} // namespace crosswalk::mxnet
