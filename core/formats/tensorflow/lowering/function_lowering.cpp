// Inlines calls of functions, and lowers the loops and branches of TensorFlow 2, whose bodies are functions.

#include "core/formats/tensorflow/lowering/model_lowering.h"

#include "core/base/budget.h"
#include "core/base/diagnostic.h"
#include "core/base/is_one_of.h"
#include "core/formats/tensorflow/lowering/definition_check.h"
#include "core/formats/tensorflow/source_info.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>

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
    // A batch function runs on the joined inputs of several calls, and a caller gets its own rows: for one call, a
    // call.
    if (isOneOf(node.op, {"PartitionedCall", "StatefulPartitionedCall", "BatchFunction"})) {
        return inlined(region, id, functionOf(node, "f"), inputsOf(region, id), region.target);
    }
    if (m_model.findFunction(node.op) != nullptr) {
        return inlined(region, id, node.op, inputsOf(region, id), region.target);
    }
    if (isOneOf(node.op, {"While", "StatelessWhile", "_While"})) {
        return functionalLoop(region, id);
    }
    if (isOneOf(node.op, {"If", "StatelessIf", "_If"})) {
        return functionalBranch(region, id);
    }
    if (isOneOf(node.op, {"Case", "StatelessCase"})) {
        return functionalCase(region, id);
    }
    return std::nullopt;
}

std::vector<Lowered> ModelLowering::inlined(Region& caller, NodeId id, std::string_view function,
                                            std::vector<Lowered> arguments, TargetScope& target)
{
    const auto found = m_functions.find(function);
    if (found == m_functions.end()) {
        fail(caller, id, "damaged",
             fmt::format("it calls the function {}, which the model does not contain", function));
    }
    if (std::find(m_calls.begin(), m_calls.end(), function) != m_calls.end()) {
        fail(caller, id, "damaged", fmt::format("the function {} calls itself", function));
    }
    if (m_calls.size() >= Budget::callDepth) {
        throw ModelError("too-large",
                         fmt::format("calls of functions are nested more than {} deep", Budget::callDepth));
    }
    const Graph& body = m_model.subgraph(found->second);
    if (arguments.size() != body.inputs.size()) {
        fail(caller, id, "damaged",
             fmt::format("it passes {} arguments to the function {}, which requires {}", arguments.size(), function,
                         body.inputs.size()));
    }
    expectDefinitions(body);
    m_calls.emplace_back(function);
    SourceScope scope{body, caller.source.path, nameOf(caller, id) + "/", controlFlowOf(body), std::move(arguments)};
    scope.path.push_back({id.index, found->second.index});
    Region region{scope, target};
    std::vector<NodeId> ends;
    for (const ValueId output : body.outputs) {
        ends.push_back(body.value(output).producer);
    }
    lowerInOrder(region, ends, functionInfoOf(body).controlOutputs);
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
    return loop(
        region, id, inputsOf(region, id), m_writers.writes(node),
        [&](TargetScope& target, const std::vector<Lowered>& values) {
            const auto truth = inlined(region, id, condition, values, target);
            return truth.empty() ? Lowered{} : truth.front();
        },
        [&](TargetScope& target, const std::vector<Lowered>& values) {
            return inlined(region, id, body, values, target);
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

/// A Case is nested branches: index 0 or not, 1 or not... Every other index selects the last function.
std::vector<Lowered> ModelLowering::functionalCase(Region& region, NodeId id)
{
    const Node& node = region.source.graph.node(id);
    const auto* functions = attributeOf<std::vector<FunctionReference>>(node, "branches");
    std::vector<Lowered> inputs = inputsOf(region, id);
    if (functions == nullptr || functions->empty() || inputs.empty() || !inputs.front().isTensor()) {
        fail(region, id, "damaged", "it has no branches, or no index");
    }
    const Lowered index = inputs.front();
    inputs.erase(inputs.begin());
    const std::function<std::vector<Lowered>(Region&, std::size_t)> select = [&](Region& around, std::size_t first) {
        if (first + 1 == functions->size()) {
            return inlined(around, id, functions->back().name, inputs, around.target);
        }
        const auto isFirst =
            emit(around, id, "Equal",
                 {index, around.target.constant(nameOf(region, id),
                                                Tensor::scalar(ElementType::Int32, static_cast<double>(first)))},
                 {}, {TensorType{ElementType::Bool, Shape{}}}, fmt::format("/is{}", first));
        return branch(around, id, isFirst.front(), [&](TargetScope& target, bool side) {
            Region inner{around.source, target, &around};
            return side ? inlined(inner, id, (*functions)[first].name, inputs, target) : select(inner, first + 1);
        });
    };
    return select(region, 0);
}

} // namespace crosswalk::tensorflow
