// Variables of TensorFlow 1 (VariableV2) and 2 (VarHandleOp). A variable that nothing writes is a stored value. The
// content of one that nodes write is passed from write to read in the order of execution.

#include "core/formats/tensorflow/lowering/model_lowering.h"

#include "core/base/diagnostic.h"
#include "core/formats/tensorflow/source_info.h"
#include "core/formats/tensorflow/variable_nodes.h"
#include "core/graph/attributes.h"
#include "core/graph/needed_nodes.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

const Tensor* storedContent(const Graph& graph, NodeId variable)
{
    const auto* stored = attributeOf<TensorId>(graph.node(variable), "value");
    return stored != nullptr ? &graph.tensor(*stored) : nullptr;
}

} // namespace

/// The outputs of a node that creates, reads or writes a variable; nothing for other nodes.
std::optional<std::vector<Lowered>> ModelLowering::variableNode(Region& region, NodeId id)
{
    const Graph& graph = region.source.graph;
    const Node& node = graph.node(id);
    if (isVariable(node)) {
        const NodeRef ref = refOf(region, id);
        m_variables.try_emplace(ref, Variable{&graph, nameOf(region, id)});
        return std::vector{node.op == "VarHandleOp" ? Lowered{.kind = Lowered::Kind::Variable, .node = ref}
                                                    : contentOf(ref)};
    }
    if (variableWriteOf(node) != nullptr) {
        return write(region, id);
    }
    if (node.op == "ReadVariableOp") {
        return std::vector{read(region, id, get(region, node.inputs[0]))};
    }
    if (node.op == "ResourceGather" || node.op == "ResourceGatherNd") {
        std::vector<Lowered> inputs{read(region, id, get(region, node.inputs[0])), get(region, node.inputs[1])};
        if (node.op == "ResourceGather") {
            inputs.push_back(intConstant(region, id, {0}, true));
        }
        return emit(region, id, node.op == "ResourceGather" ? "GatherV2" : "GatherNd", inputs, {},
                    {graph.value(node.outputs[0]).type});
    }
    if (node.op == "VariableShape") {
        return emit(region, id, "Shape", {read(region, id, get(region, node.inputs[0]))}, {},
                    {graph.value(node.outputs[0]).type});
    }
    return std::nullopt;
}

/// The current content of a variable.
Lowered ModelLowering::contentOf(const NodeRef& ref)
{
    if (const auto written = m_written.find(ref); written != m_written.end()) {
        return written->second;
    }
    Variable& variable = m_variables.at(ref);
    if (!variable.initial.isTensor()) {
        variable.initial = initialContent(ref, variable);
    }
    return variable.initial;
}

/// The content before the first write: the stored one, or an input of the model.
Lowered ModelLowering::initialContent(const NodeRef& ref, const Variable& variable)
{
    const Tensor* stored = storedContent(*variable.graph, ref.node);
    const bool isState =
        m_states.contains(ref) || (ref.path.empty() && sourceInfoOf(m_model).unsavedVariables.contains(ref.node));
    if (stored != nullptr && !isState) {
        return m_top.constant(variable.name, *stored);
    }
    TensorType type;
    const Node& node = variable.graph->node(ref.node);
    if (const auto* element = attributeOf<ElementType>(node, "dtype")) {
        type.element = *element;
    }
    if (const auto* shape = attributeOf<ShapeAttribute>(node, "shape")) {
        type.shape = shape->shape;
    }
    Graph& graph = m_top.graph;
    Value value{.name = variable.name, .type = type, .role = isState ? Role::Data : Role::Parameter};
    if (stored != nullptr) {
        value.type = TensorType{stored->type(), crosswalk::shapeOf(stored->dims())};
    }
    Lowered content = m_top.tensor(graph.addValue(std::move(value)));
    graph.inputs.push_back(content.value);
    if (stored != nullptr) {
        m_defaults.emplace(content.value, *stored);
    }
    return content;
}

/// The content of the variable that `handle` refers to, as node `id` reads it.
Lowered ModelLowering::read(Region& region, NodeId id, const Lowered& handle)
{
    if (handle.isTensor()) { // a frozen graph reads a constant
        return handle;
    }
    if (handle.kind != Lowered::Kind::Variable) {
        return plainNode(region, id).front();
    }
    region.source.accesses[handle.node].push_back({id, false});
    return contentOf(handle.node);
}

/// Notes that an Identity reads a variable through a reference.
void ModelLowering::noteReferenceRead(Region& region, NodeId id)
{
    const Graph& graph = region.source.graph;
    const NodeId producer = graph.value(graph.node(id).inputs[0]).producer;
    if (producer && isReference(graph.node(producer))) {
        region.source.accesses[refOf(region, producer)].push_back({id, false});
    }
}

/// The variable that a node writes, by its input 0: a handle, or a reference to the content.
NodeRef ModelLowering::writtenVariable(Region& region, NodeId id)
{
    const Graph& graph = region.source.graph;
    ValueId target = graph.node(id).inputs[0];
    if (!graph.value(target).type.isTensor()) {
        if (const Lowered handle = get(region, target); handle.kind == Lowered::Kind::Variable) {
            return handle.node;
        }
    }
    for (NodeId producer = graph.value(target).producer; producer; producer = graph.value(target).producer) {
        const Node& node = graph.node(producer);
        if (isVariable(node)) {
            NodeRef ref = refOf(region, producer);
            m_variables.try_emplace(ref, Variable{&graph, nameOf(region, producer)});
            return ref;
        }
        const bool passesReference = node.op == "RefSwitch" || node.op == "RefEnter" || node.op == "RefIdentity" ||
                                     variableWriteOf(node) != nullptr;
        if (node.op == "Const") {
            fail(region, id, "unsupported-control-flow",
                 fmt::format("it writes {}, which was a variable before the graph was frozen", node.name));
        }
        if (!passesReference && node.op != "Identity") {
            break;
        }
        target = node.inputs[0];
    }
    fail(region, id, "unsupported-control-flow", "it writes a tensor that is not a variable of the model");
}

/// Runs a node that writes a variable. A write to a reference returns the new content.
std::vector<Lowered> ModelLowering::write(Region& region, NodeId id)
{
    const Graph& graph = region.source.graph;
    const Node& node = graph.node(id);
    const VariableWrite& operation = *variableWriteOf(node);
    const NodeRef variable = writtenVariable(region, id);
    std::vector<Lowered> operands;
    for (std::size_t i = 1; i < node.inputs.size(); ++i) {
        operands.push_back(get(region, node.inputs[i]));
        if (!operands.back().isTensor()) {
            fail(region, id, "unsupported-control-flow", "it writes a value that is not a tensor");
        }
    }
    Lowered content = operands.front();
    if (!operation.update.empty()) {
        const Lowered before = contentOf(variable);
        const ValueType type = before.scope->graph.value(before.value).type;
        if (operation.isByRow) {
            const Lowered& indices = operands.front();
            const ElementType element = indices.scope->graph.value(indices.value).type.element;
            operands.front() = emit(region, id, "ExpandDims", {indices, intConstant(region, id, {-1}, true)}, {},
                                    {TensorType{element, std::nullopt}}, "/indices")
                                   .front();
        }
        operands.insert(operands.begin(), before);
        const bool hasMasks = operation.update == "TensorStridedSliceUpdate";
        content = emit(region, id, std::string(operation.update), operands,
                       hasMasks ? node.attributes : std::vector<Attribute>(), {type})
                      .front();
    }
    m_written[variable] = content;
    region.source.accesses[variable].push_back({id, true});
    return {content};
}

/// The variables that were written after `before` was the current content.
std::vector<NodeRef> ModelLowering::changedSince(const Written& before) const
{
    std::vector<NodeRef> changed;
    for (const auto& [variable, content] : m_written) {
        const auto old = before.find(variable);
        if (old == before.end() || old->second != content) {
            changed.push_back(variable);
        }
    }
    return changed;
}

/// Reports variables that a scope reads and writes in no fixed order: then TensorFlow may do either first.
void ModelLowering::checkAccessOrder(const SourceScope& scope)
{
    for (const auto& [variable, accesses] : scope.accesses) {
        if (std::none_of(accesses.begin(), accesses.end(), [](const Access& access) { return access.isWrite; })) {
            continue;
        }
        std::vector<std::vector<bool>> before; // by access: the nodes that run before it
        for (const Access& access : accesses) {
            before.push_back(neededNodes(scope.graph, std::span(&access.node, 1)));
        }
        for (std::size_t i = 0; i < accesses.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                const Access& first = accesses[j];
                const Access& second = accesses[i];
                if ((first.isWrite || second.isWrite) && first.node != second.node && !before[i][first.node.index] &&
                    !before[j][second.node.index]) {
                    Diagnostic problem = problemAt(
                        scope, second.node, "unordered-write",
                        fmt::format("the graph does not order it and {}, which {} the same variable, {}; the exported "
                                    "model runs {} first",
                                    scope.graph.node(first.node).name, first.isWrite ? "writes" : "reads",
                                    m_variables.at(variable).name, scope.graph.node(first.node).name));
                    problem.severity = Severity::Warning;
                    m_problems.push_back(std::move(problem));
                }
            }
        }
    }
}

/// The variables that the user selected as outputs.
void ModelLowering::findStates()
{
    for (const ValueId output : m_model.outputs) {
        const NodeId producer = m_model.value(output).producer;
        if (producer && isVariable(m_model.node(producer))) {
            m_states.insert({{}, producer});
        }
    }
}

/// A written variable without stored content is an input and an output of the model: its content comes from the run
/// before. So is one that the user selected; any other starts from its stored content in each run.
void ModelLowering::addStates(LoweredGraph& lowered)
{
    Graph& graph = m_top.graph;
    for (const auto& [ref, content] : m_written) {
        const Variable& variable = m_variables.at(ref);
        const bool isSelected = m_states.contains(ref);
        if (!isSelected && storedContent(*variable.graph, ref.node) != nullptr) {
            if (variable.initial.isTensor()) {
                Diagnostic problem{.severity = Severity::Warning, .code = "state-not-exported", .message = {}};
                problem.node = variable.name;
                problem.message =
                    "each run of the graph writes this variable; the exported model starts every run from "
                    "the stored content";
                problem.hint = fmt::format("add {} to --outputs to make it an input and an output", variable.name);
                m_problems.push_back(std::move(problem));
            }
            continue;
        }
        std::string output = variable.name + "/next";
        const Node& node = variable.graph->node(ref.node);
        if (isSelected && node.op != "VarHandleOp") {
            output = variable.graph->value(node.outputs[0]).name; // selected as a tensor, so already an output
        } else {
            addOutput(content, output, ref, ElementType::Undefined);
        }
        if (variable.initial.isTensor()) {
            graph.value(variable.initial.value).role = Role::Data;
            lowered.states.emplace(variable.name, std::move(output));
            lowered.defaults.insert(variable.name);
        }
    }
    for (const NodeRef& ref : m_states) {
        const auto variable = m_variables.find(ref);
        if (!m_written.contains(ref) && variable != m_variables.end() && variable->second.initial.isTensor()) {
            std::erase(graph.inputs, variable->second.initial.value); // constant after all
        }
    }
}

} // namespace crosswalk::tensorflow
