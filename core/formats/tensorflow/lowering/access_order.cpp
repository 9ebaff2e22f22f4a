#include "core/formats/tensorflow/lowering/access_order.h"

#include "core/formats/tensorflow/lowering/variable_writes.h"
#include "core/graph/attributes.h"
#include "core/graph/needed_nodes.h"

#include <algorithm>
#include <span>

namespace crosswalk::tensorflow {

AccessOrder::AccessOrder(const SourceScope& scope, const std::vector<Access>& accesses)
    : m_scope(scope)
    , m_accesses(accesses)
    , m_beforeInIteration(accesses.size())
{
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        m_before.push_back(neededNodes(scope.graph, std::span(&accesses[i].node, 1)));
        if (frameOf(i) != Frame::none) {
            m_beforeInIteration[i] = neededInIteration(scope.graph, accesses[i].node);
        }
    }
}

bool AccessOrder::areExclusive(std::size_t a, std::size_t b) const
{
    const ControlFlow::Context& first = m_scope.flow.contextOf[m_accesses[a].node.index];
    const ControlFlow::Context& second = m_scope.flow.contextOf[m_accesses[b].node.index];
    return std::ranges::any_of(first, [&](const ControlFlow::Branch& branch) {
        return std::ranges::any_of(second, [&](const ControlFlow::Branch& other) {
            return other.predicate == branch.predicate && other.side != branch.side;
        });
    });
}

bool AccessOrder::isBefore(std::size_t first, std::size_t second) const
{
    const bool isSameLoop = frameOf(second) != Frame::none && frameOf(first) == frameOf(second);
    return (isSameLoop ? m_beforeInIteration : m_before)[second][m_accesses[first].node.index];
}

bool AccessOrder::mayOverlap(std::size_t a, std::size_t b) const
{
    const std::uint32_t frame = frameOf(a);
    if (frame == Frame::none || frame != frameOf(b) || !isParallel(frame)) {
        return false;
    }
    if (a != b) {
        return !m_before[a][m_accesses[b].node.index] || !m_before[b][m_accesses[a].node.index];
    }
    const Node& node = m_scope.graph.node(m_accesses[a].node);
    const VariableWrite* write = variableWriteOf(node);
    // The order of sums and extremes does not matter unless something reads what is between them.
    const bool isCommutative = write != nullptr && !write->update.empty() && write->update != "TensorScatterUpdate" &&
                               write->update != "TensorStridedSliceUpdate";
    return !(isCommutative && !isOutputRead(node)) && !dependsOnItself(m_accesses[a].node);
}

bool AccessOrder::isParallel(std::uint32_t frame) const
{
    constexpr std::int64_t usual = 10; // TensorFlow's default
    return std::ranges::any_of(m_scope.flow.frames[frame].variables, [&](const Frame::Variable& variable) {
        return intOf(m_scope.graph.node(variable.enter), "parallel_iterations", usual) != 1;
    });
}

bool AccessOrder::isOutputRead(const Node& node) const
{
    return !node.outputs.empty() && std::ranges::any_of(m_scope.graph.nodes(), [&](const Node& reader) {
        return std::ranges::find(reader.inputs, node.outputs[0]) != reader.inputs.end();
    });
}

bool AccessOrder::dependsOnItself(NodeId id) const
{
    const Node& node = m_scope.graph.node(id);
    std::vector<NodeId> inputs(node.controlInputs.begin(), node.controlInputs.end());
    for (const ValueId input : node.inputs) {
        inputs.push_back(m_scope.graph.value(input).producer);
    }
    return neededNodes(m_scope.graph, inputs)[id.index];
}

} // namespace crosswalk::tensorflow
