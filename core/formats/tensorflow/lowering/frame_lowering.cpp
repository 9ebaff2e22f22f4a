// Loops of TensorFlow 1.

#include "core/formats/tensorflow/lowering/model_lowering.h"

#include "core/graph/needed_nodes.h"

#include <algorithm>
#include <iterator>

namespace crosswalk::tensorflow {
/// The outputs of a node of a loop's frame that is part of the loop itself; absent for other nodes.
Lowered ModelLowering::frameValue(Region& region, NodeId id)
{
    const Graph& graph = region.source.graph;
    const ControlFlow& flow = region.source.flow;
    const Node& node = graph.node(id);
    const std::uint32_t frame = flow.frameOf[id.index];
    const std::uint32_t variable = flow.variableOf[id.index];
    if (node.op == "Exit" || node.op == "RefExit") {
        const NodeId from = node.inputs.front() ? graph.value(node.inputs.front()).producer : NodeId{};
        const std::uint32_t exited = from && frame != Frame::none && flow.frameOf[from.index] == frame
                                         ? flow.variableOf[from.index]
                                         : Frame::none;
        if (exited == Frame::none) {
            fail(region, id, "unsupported-control-flow", "it leaves the loop with a value that is not a loop variable");
        }
        const std::vector<Lowered> results = frameLoop(region, frame);
        return results[exited];
    }
    if (node.op == "Enter" || node.op == "RefEnter") {
        // Inside its loop, a value from outside is read directly.
        return get(region.frame == frame && region.parent != nullptr ? *region.parent : region, node.inputs[0]);
    }
    if (variable == Frame::none || region.variables == nullptr || region.frame != frame) {
        return {};
    }
    return (*region.variables)[variable];
}

/// The values of a loop's variables after the loop.
std::vector<Lowered> ModelLowering::frameLoop(Region& region, std::uint32_t index)
{
    if (const auto known = region.loops.find(index); known != region.loops.end()) {
        return known->second;
    }
    const Graph& graph = region.source.graph;
    const Frame& frame = region.source.flow.frames[index];
    if (!frame.condition) {
        fail(region, frame.variables.empty() ? NodeId{0} : frame.variables.front().merge, "damaged",
             "the loop has no condition");
    }
    std::vector<Lowered> initial;
    for (const Frame::Variable& variable : frame.variables) {
        noteReferenceReads(region, variable.merge);
        initial.push_back(get(region, graph.node(variable.enter).inputs[0]));
    }
    const auto inside = [&](TargetScope& target, const std::vector<Lowered>& variables) {
        Region inner{region.source, target, &region};
        inner.frame = index;
        inner.variables = &variables;
        return inner;
    };
    const std::vector<NodeId> writers = writersInFrame(region, index);
    std::vector<Lowered> results = loop(
        region, frame.condition, initial, !writers.empty(),
        [&](TargetScope& target, const std::vector<Lowered>& variables) {
            Region inner = inside(target, variables);
            return get(inner, graph.node(frame.condition).inputs[0]);
        },
        [&](TargetScope& target, const std::vector<Lowered>& variables) {
            Region inner = inside(target, variables);
            runStep(inner, writers);
            std::vector<Lowered> next;
            for (const Frame::Variable& variable : frame.variables) {
                next.push_back(get(inner, graph.node(variable.next).inputs[0]));
            }
            return next;
        });
    region.loops.emplace(index, results);
    noteFrame(region, index);
    return results;
}

/// The nodes of a loop, and of the loops inside it, that write variables. Those of its condition cannot be converted.
std::vector<NodeId> ModelLowering::writersInFrame(Region& region, std::uint32_t index)
{
    const Graph& graph = region.source.graph;
    const ControlFlow& flow = region.source.flow;
    std::vector<NodeId> writers;
    for (const NodeId writer : region.source.writers) {
        if (flow.isInside(flow.frameOf[writer.index], index)) {
            writers.push_back(writer);
        }
    }
    if (writers.empty()) {
        return writers;
    }
    // What runs in the body depends on the Switch of a loop variable.
    std::vector<bool> isOfBody(graph.nodeCount());
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const Node& node = graph.node(NodeId{i});
        if (!flow.isInside(flow.frameOf[i], index) && flow.frameOf[i] != Frame::none) {
            continue;
        }
        const bool isVariable = flow.frameOf[i] == index && flow.variableOf[i] != Frame::none;
        const auto isAfterSwitch = [&](NodeId before) { return before && isOfBody[before.index]; };
        isOfBody[i] = isVariable ? node.op == "Switch" || node.op == "RefSwitch"
                                 : std::ranges::any_of(node.inputs,
                                                       [&](ValueId input) {
                                                           return input && isAfterSwitch(graph.value(input).producer);
                                                       }) ||
                                       std::ranges::any_of(node.controlInputs, isAfterSwitch);
    }
    for (const NodeId writer : writers) {
        if (!isOfBody[writer.index]) {
            region.source.lowered.insert(writer); // no second problem
            fail(region, writer, "unsupported-control-flow", "it writes a variable in the condition of a loop");
        }
    }
    return writers;
}

/// Lowers the nodes of a step of a loop in their order if some of them write variables.
void ModelLowering::runStep(Region& step, const std::vector<NodeId>& writers)
{
    if (writers.empty()) {
        return;
    }
    const Graph& graph = step.source.graph;
    const ControlFlow& flow = step.source.flow;
    const Frame& frame = flow.frames[step.frame];
    ControlFlow::Context around = flow.contextOf[frame.condition.index]; // the branches in which the loop runs
    std::vector<NodeId> ends = step.source.joins;
    for (const Frame::Variable& variable : frame.variables) {
        ends.push_back(graph.value(graph.node(variable.next).inputs[0]).producer);
        const ControlFlow::Context& context = flow.contextOf[variable.merge.index];
        ControlFlow::Context both;
        std::ranges::set_union(around, context, std::back_inserter(both));
        around = std::move(both);
    }
    const auto isHere = [&](const ControlFlow::Context& context) { return std::ranges::includes(around, context); };
    std::vector<NodeId> own = writers;
    std::erase_if(own, [&](NodeId writer) {
        return flow.frameOf[writer.index] != step.frame || !isHere(flow.contextOf[writer.index]);
    });
    ends.insert(ends.end(), own.begin(), own.end());
    const auto isGiven = [&](ValueId value) { return graph.value(value).producer == frame.condition; };
    lowerNodes(step, neededNodes(graph, ends, Edges::Values, isGiven), own, isHere);
}

/// The nodes of the outermost loops of the model's graph belong to the translation of the loop.
void ModelLowering::noteFrame(const Region& region, std::uint32_t index)
{
    const ControlFlow& flow = region.source.flow;
    if (!region.source.path.empty() || flow.frames[index].parent != Frame::none) {
        return;
    }
    for (std::uint32_t i = 0; i < flow.frameOf.size(); ++i) {
        if (flow.isInside(flow.frameOf[i], index) && NodeId{i} != flow.frames[index].condition) {
            m_merged.try_emplace(NodeId{i}, flow.frames[index].condition);
        }
    }
}

} // namespace crosswalk::tensorflow
