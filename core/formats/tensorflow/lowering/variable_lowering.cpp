// Variables of TensorFlow 1 (VariableV2) and 2 (VarHandleOp). A variable that nothing writes is a stored value. The
// content of one that nodes write is passed from write to read in the order of execution.

#include "core/formats/tensorflow/lowering/model_lowering.h"

#include "core/base/diagnostic.h"
#include "core/formats/tensorflow/lowering/access_order.h"
#include "core/formats/tensorflow/lowering/loop_lowering.h"
#include "core/formats/tensorflow/source_info.h"
#include "core/formats/tensorflow/variable_nodes.h"
#include "core/graph/attributes.h"
#include "core/graph/shape_fit.h"

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
        const std::int64_t batch = intOf(node, "batch_dims", 0);
        std::vector<Attribute> attributes;
        if (node.op == "ResourceGather") { // gathers along the first axis behind those of the batch
            inputs.push_back(intConstant(region, id, {batch}, true));
        }
        if (batch != 0) {
            attributes.push_back({"batch_dims", batch});
        }
        return emit(region, id, node.op == "ResourceGather" ? "GatherV2" : "GatherNd", inputs, std::move(attributes),
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
        // Writes can change the sizes that the variable declares as open.
        const Shape sizes = crosswalk::shapeOf(stored->dims());
        value.type = TensorType{stored->type(), type.shape && fitsShape(sizes, *type.shape) ? *type.shape : sizes};
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
    noteAccess(region, handle.node, {id, false});
    return contentOf(handle.node);
}

/// Notes the variables whose memory a node reads. One that passes a reference on does not read it.
void ModelLowering::noteReferenceReads(Region& region, NodeId id) const
{
    const Node& node = region.source.graph.node(id);
    const auto& references = region.source.references;
    const bool isWrite = variableWriteOf(node) != nullptr;
    if (!isWrite && !node.outputs.empty() && references.contains(node.outputs[0])) {
        return;
    }
    for (std::size_t i = isWrite ? 1 : 0; i < node.inputs.size(); ++i) {
        if (const auto reference = references.find(node.inputs[i]); reference != references.end()) {
            noteAccess(region, refOf(region, reference->second), {id, false});
        }
    }
}

void ModelLowering::noteAccess(Region& region, const NodeRef& variable, const Access& access)
{
    std::vector<Access>& accesses = region.source.accesses[variable];
    if (std::ranges::find(accesses, access) == accesses.end()) { // the step of a loop can be lowered several times
        accesses.push_back(access);
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
        std::vector<Attribute> attributes;
        if (operation.isByRow) {
            attributes.push_back({std::string(updatesRows), true});
        } else if (operation.update == "TensorStridedSliceUpdate") {
            attributes = node.attributes; // the masks
        }
        content = emit(region, id, std::string(operation.update), operands, std::move(attributes), {type}).front();
    }
    m_written[variable] = content;
    noteAccess(region, variable, {id, true});
    return {content};
}

/// Lowers a loop. Variables that its body writes are further loop variables.
std::vector<Lowered> ModelLowering::loop(Region& region, NodeId id, const std::vector<Lowered>& initial, bool mayWrite,
                                         const LoopCondition& condition, const LoopBody& body)
{
    const Written before = m_written;
    const RestoreOnError restore(m_written, before);
    std::vector<NodeRef> written;
    if (mayWrite) { // the body is lowered once to find them
        const std::size_t problems = m_problems.size();
        TargetScope scratch(&region.target);
        body(scratch, initial);
        written = changedSince(before);
        m_written = before;
        m_problems.resize(problems);
    }
    std::vector<Lowered> variables = initial;
    for (const NodeRef& variable : written) {
        variables.push_back(contentOf(variable));
    }
    // Makes the content of the written variables current, and returns the values of the loop's own variables.
    const auto begin = [&](const std::vector<Lowered>& values) {
        const auto own = values.begin() + static_cast<std::ptrdiff_t>(initial.size());
        for (std::size_t i = 0; i < written.size(); ++i) {
            m_written[written[i]] = own[static_cast<std::ptrdiff_t>(i)];
        }
        return std::vector<Lowered>(values.begin(), own);
    };
    const auto loweredCondition = [&](TargetScope& target, const std::vector<Lowered>& values) {
        const std::vector<Lowered> own = begin(values);
        const Written atStart = m_written;
        Lowered truth = condition(target, own);
        if (!changedSince(atStart).empty()) {
            fail(region, id, "unsupported-control-flow", "the condition of its loop writes a variable");
        }
        m_written = before;
        return truth;
    };
    const auto loweredBody = [&](TargetScope& target, const std::vector<Lowered>& values) {
        std::vector<Lowered> next = body(target, begin(values));
        if (next.size() != initial.size()) {
            fail(region, id, "damaged",
                 fmt::format("its body returns {} values for {} loop variables", next.size(), initial.size()));
        }
        for (const NodeRef& variable : written) {
            next.push_back(contentOf(variable));
        }
        m_written = before;
        return next;
    };
    std::vector<Lowered> results = LoopLowering(*this, region, id).lower(variables, loweredCondition, loweredBody);
    for (std::size_t i = 0; i < written.size(); ++i) {
        m_written[written[i]] = results[initial.size() + i];
    }
    results.resize(initial.size());
    return results;
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
    const auto report = [&](const Access& at, const Access& other, const NodeRef& variable, std::string_view which,
                            const std::string& exported) {
        Diagnostic problem =
            problemAt(scope, at.node, "unordered-write",
                      fmt::format("the graph does not order it and {}{}, which {} the same variable, {}; the exported "
                                  "model runs {}",
                                  scope.graph.node(other.node).name, which, other.isWrite ? "writes" : "reads",
                                  m_variables.at(variable).name, exported));
        problem.severity = Severity::Warning;
        m_problems.push_back(std::move(problem));
    };
    for (const auto& [variable, accesses] : scope.accesses) {
        if (std::none_of(accesses.begin(), accesses.end(), [](const Access& access) { return access.isWrite; })) {
            continue;
        }
        const AccessOrder order(scope, accesses);
        for (std::size_t i = 0; i < accesses.size(); ++i) {
            for (std::size_t j = 0; j <= i; ++j) {
                const Access& first = accesses[j];
                const Access& second = accesses[i];
                if (!first.isWrite && !second.isWrite) {
                    continue;
                }
                const bool isOrdered = order.isBefore(j, i) || order.isBefore(i, j) || order.areExclusive(i, j);
                if (first.node != second.node && !isOrdered) {
                    report(second, first, variable, "", scope.graph.node(first.node).name + " first");
                } else if (order.mayOverlap(j, i)) {
                    report(second, first, variable, " of the next iteration", "the iterations one after the other");
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
