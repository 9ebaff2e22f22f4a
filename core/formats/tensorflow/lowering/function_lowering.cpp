// Inlines calls of functions, and lowers the loops and branches of TensorFlow 2, whose bodies are functions.

#include "core/formats/tensorflow/lowering/model_lowering.h"

#include "core/base/diagnostic.h"
#include "core/formats/tensorflow/lowering/loop_lowering.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

/// The function that an attribute refers to; empty if there is none.
std::string functionOf(const Node& node, std::string_view attribute)
{
    const auto* function = attributeOf<Boxed<FunctionReference>>(node, attribute);
    return function != nullptr ? (*function)->name : std::string();
}

} // namespace

/// The outputs of a node that calls functions; nothing for other nodes.
std::optional<std::vector<Lowered>> ModelLowering::functionNode(Region& region, NodeId id)
{
    const Node& node = region.source.graph.node(id);
    if (node.op == "PartitionedCall" || node.op == "StatefulPartitionedCall") {
        return inlined(region, id, functionOf(node, "f"), inputsOf(region, id), region.target);
    }
    if (m_model.findFunction(node.op) != nullptr) {
        return inlined(region, id, node.op, inputsOf(region, id), region.target);
    }
    if (node.op == "While" || node.op == "StatelessWhile") {
        return functionalLoop(region, id);
    }
    if (node.op == "If" || node.op == "StatelessIf") {
        return functionalBranch(region, id);
    }
    return std::nullopt;
}

std::vector<Lowered> ModelLowering::inlined(Region& caller, NodeId id, std::string_view function,
                                            std::vector<Lowered> arguments, TargetScope& target)
{
    const auto found = std::find_if(m_model.functions.begin(), m_model.functions.end(),
                                    [&](const Graph::Function& each) { return each.name == function; });
    if (found == m_model.functions.end()) {
        fail(caller, id, "damaged",
             fmt::format("it calls the function {}, which the model does not contain", function));
    }
    if (std::find(m_calls.begin(), m_calls.end(), function) != m_calls.end()) {
        fail(caller, id, "damaged", fmt::format("the function {} calls itself", function));
    }
    const Graph& body = m_model.subgraph(found->body);
    if (arguments.size() != body.inputs.size()) {
        fail(caller, id, "damaged",
             fmt::format("it passes {} arguments to the function {}, which requires {}", arguments.size(), function,
                         body.inputs.size()));
    }
    m_calls.emplace_back(function);
    SourceScope scope{body, caller.source.path, nameOf(caller, id) + "/", controlFlowOf(body), std::move(arguments)};
    scope.path.push_back({id.index, found->body.index});
    Region region{scope, target};
    lowerInOrder(region, body.outputs);
    std::vector<Lowered> results;
    for (const ValueId output : body.outputs) {
        results.push_back(get(region, output));
    }
    m_calls.pop_back();
    return results;
}

std::vector<Lowered> ModelLowering::functionalLoop(Region& region, NodeId id)
{
    const Node& node = region.source.graph.node(id);
    const std::string condition = functionOf(node, "cond");
    const std::string body = functionOf(node, "body");
    LoopLowering loop(*this, region, id);
    return loop.lower(
        inputsOf(region, id),
        [&](TargetScope& target, const std::vector<Lowered>& variables) {
            const auto results = inlined(region, id, condition, variables, target);
            return results.empty() ? Lowered{} : results.front();
        },
        [&](TargetScope& target, const std::vector<Lowered>& variables) {
            return inlined(region, id, body, variables, target);
        });
}

std::vector<Lowered> ModelLowering::functionalBranch(Region& region, NodeId id)
{
    const Node& node = region.source.graph.node(id);
    std::vector<Lowered> inputs = inputsOf(region, id);
    if (inputs.empty() || !inputs.front().isTensor()) {
        fail(region, id, "damaged", "its condition is not a tensor");
    }
    const Lowered condition = inputs.front();
    inputs.erase(inputs.begin());
    return branch(region, id, condition, [&](TargetScope& target, bool side) {
        return inlined(region, id, functionOf(node, side ? "then_branch" : "else_branch"), inputs, target);
    });
}

} // namespace crosswalk::tensorflow
