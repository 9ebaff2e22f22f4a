#include "core/formats/mxnet/reroll/recurrent_node.h"

#include "core/formats/mxnet/attribute_lookup.h"
#include "core/formats/mxnet/attribute_parser.h"
#include "core/formats/mxnet/reroll/run_parameters.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

/// A begin state of zeros, whose batch MXNet infers.
const Node* zeros(const GraphRewriter& graph, ValueId state)
{
    const Node* node = graph.from("_zeros", state);
    const auto shape = node != nullptr ? integers(node->attributes, "shape") : std::nullopt;
    return shape && shape->size() == 2 ? node : nullptr;
}

/// (directions, batch, width) from the states that the runs start from.
ValueId initialState(GraphRewriter& graph, const Values& states)
{
    Values rows;
    for (const ValueId state : states) {
        if (const Node* node = zeros(graph, state)) {
            const auto shape = *integers(node->attributes, "shape");
            std::vector<Attribute> attributes = node->attributes;
            std::erase_if(attributes, [](const Attribute& attribute) { return attribute.name == "shape"; });
            attributes.push_back(
                parsedAttribute("shape", fmt::format("({}, {}, {})", states.size(), shape[0], shape[1])));
            const std::vector<NodeId> origin{graph.producer(state)};
            const ValueId all = graph.add("_zeros", {}, attributes).front();
            graph.addOrigins(all, origin);
            return all; // a pair's states are both of zeros, or neither: arePair
        }
        rows.push_back(graph.add("expand_dims", {state}, {parsedAttribute("axis", "0")}).front());
    }
    if (rows.size() == 1) {
        return rows.front();
    }
    return graph.add("Concat", rows, {parsedAttribute("dim", "0"), parsedAttribute("num_args", "2")}).front();
}

/// Row by row of (directions, batch, width).
Values rowsOf(GraphRewriter& graph, ValueId state, std::size_t directions)
{
    if (directions == 1) {
        return graph.add("squeeze", {state}, {parsedAttribute("axis", "0")});
    }
    return graph.add("SliceChannel", {state},
                     {parsedAttribute("axis", "0"), parsedAttribute("num_outputs", std::to_string(directions)),
                      parsedAttribute("squeeze_axis", "1")},
                     directions);
}

/// The name of the cell: from its weight, "lstm0_i2h_weight", or else from its first step.
std::string nameOf(const GraphRewriter& graph, const UnrolledRun& run)
{
    const std::string& weight = graph.graph().value(run.steps.front().operands[0].gates.front().weight).name;
    for (const std::string_view ending : {"_i2h_weight", "_weight"}) {
        if (weight.size() > ending.size() && weight.ends_with(ending)) {
            return weight.substr(0, weight.size() - ending.size());
        }
    }
    return graph.graph().node(graph.producer(run.steps.front().h)).name;
}

void replaceAll(GraphRewriter& graph, const Values& values, ValueId by)
{
    for (const ValueId value : values) {
        graph.replace(value, by);
    }
}

ElementType weightType(const GraphRewriter& graph, const UnrolledStep& step)
{
    return graph.graph().tensorOf(step.operands[0].gates.front().weight)->type();
}

Values reversedOrder(Values values)
{
    std::reverse(values.begin(), values.end());
    return values;
}

} // namespace

bool arePair(const GraphRewriter& graph, Sequences& sequences, const UnrolledRun& forward, const UnrolledRun& backward)
{
    const auto& ours = forward.steps.front();
    const auto& theirs = backward.steps.front();
    const auto zeroTogether = [&](ValueId a, ValueId b) {
        return (zeros(graph, a) != nullptr) == (zeros(graph, b) != nullptr);
    };
    if (forward.validLength || backward.validLength || forward.mode() != backward.mode() ||
        forward.steps.size() != backward.steps.size() || forward.hidden() != backward.hidden() ||
        ours.projects() != theirs.projects() || forward.outputSize() != backward.outputSize() ||
        !zeroTogether(ours.operands[1].value, theirs.operands[1].value) ||
        (forward.mode() == CellMode::Lstm && !zeroTogether(ours.cBefore, theirs.cBefore))) {
        return false;
    }
    // A single node needs all its initial states before it returns any.
    const auto startsFrom = [&](const UnrolledStep& first, const UnrolledRun& other) {
        const Values states{first.operands[1].value, first.cBefore};
        return graph.dependsOn(states, other.nodes());
    };
    if (startsFrom(ours, backward) || startsFrom(theirs, forward)) {
        return false;
    }
    const auto width = columns(graph, ours.operands[0]);
    if (!width || width != columns(graph, theirs.operands[0]) || !isStored(graph, forward) ||
        !isStored(graph, backward) || weightType(graph, ours) != weightType(graph, theirs)) {
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

ValueId putRecurrentNode(GraphRewriter& graph, Sequences& sequences, const UnrolledRun& forward,
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
    // An input that was sliced from a sequence step by step belongs to the node that reads the sequence.
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
    std::vector<Attribute> attributes{parsedAttribute("mode", std::string(modeName(forward.mode()))),
                                      parsedAttribute("state_size", std::to_string(forward.hidden())),
                                      parsedAttribute("num_layers", "1"),
                                      parsedAttribute("bidirectional", runs.size() == 2 ? "True" : "False"),
                                      parsedAttribute("state_outputs", "True"),
                                      parsedAttribute("use_sequence_length", validLength ? "True" : "False")};
    if (forward.steps.front().projects()) {
        attributes.push_back(parsedAttribute("projection_size", std::to_string(forward.outputSize())));
    }
    const auto made = graph.add("RNN", inputs, std::move(attributes), isLstm ? 3 : 2, name);
    graph.addOrigins(made[0], origins);

    // (time, batch, features of each direction), and the directions apart
    Values sides{made[0]};
    if (backward != nullptr) {
        sides = graph.add("SliceChannel", {made[0]},
                          {parsedAttribute("axis", "2"), parsedAttribute("num_outputs", "2")}, 2);
    }
    const Values lastH = rowsOf(graph, made[1], runs.size());
    const Values lastC = isLstm ? rowsOf(graph, made[2], runs.size()) : Values{};
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const Values steps = runs[i]->outputs();
        sequences.declare(sides[i], i == 0 ? steps : reversedOrder(steps));
        if (validLength) {
            continue; // the states are those of each sample's last valid step
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
