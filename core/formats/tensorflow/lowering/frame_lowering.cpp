// Loops of TensorFlow 1.

#include "core/formats/tensorflow/lowering/loop_lowering.h"

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
        initial.push_back(get(region, graph.node(variable.enter).inputs[0]));
    }
    const auto inside = [&](TargetScope& target, const std::vector<Lowered>& variables) {
        Region inner{region.source, target, &region};
        inner.frame = index;
        inner.variables = &variables;
        return inner;
    };
    LoopLowering loop(*this, region, frame.condition);
    const std::vector<Lowered> results = loop.lower(
        initial,
        [&](TargetScope& target, const std::vector<Lowered>& variables) {
            Region inner = inside(target, variables);
            return get(inner, graph.node(frame.condition).inputs[0]);
        },
        [&](TargetScope& target, const std::vector<Lowered>& variables) {
            Region inner = inside(target, variables);
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

/// The nodes of the outermost loops of the model's graph belong to the translation of the loop.
void ModelLowering::noteFrame(const Region& region, std::uint32_t index)
{
    const ControlFlow& flow = region.source.flow;
    if (!region.source.path.empty() || flow.frames[index].parent != Frame::none) {
        return;
    }
    for (std::uint32_t i = 0; i < flow.frameOf.size(); ++i) {
        std::uint32_t frame = flow.frameOf[i];
        while (frame != Frame::none && frame != index) {
            frame = flow.frames[frame].parent;
        }
        if (frame == index && NodeId{i} != flow.frames[index].condition) {
            m_merged.try_emplace(NodeId{i}, flow.frames[index].condition);
        }
    }
}

} // namespace crosswalk::tensorflow
