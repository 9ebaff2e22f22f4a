#include "core/formats/tensorflow/lowering/model_lowering.h"
#include "core/formats/tensorflow/lowering/dilated_convolutions.h"
#include "core/formats/tensorflow/lowering/series_windows.h"

#include "core/base/budget.h"
#include "core/base/diagnostic.h"
#include "core/base/is_one_of.h"
#include "core/convert/select_outputs.h"
#include "core/formats/tensorflow/identities.h"
#include "core/formats/tensorflow/lowering/block_lstm_states.h"
#include "core/formats/tensorflow/lowering/definition_check.h"
#include "core/formats/tensorflow/lowering/joined_lists.h"
#include "core/formats/tensorflow/lowering/lower.h"
#include "core/formats/tensorflow/lowering/recurrent_loops.h"
#include "core/formats/tensorflow/lowering/sequence_masks.h"
#include "core/formats/tensorflow/lowering/unrolled_layers.h"
#include "core/formats/tensorflow/source_info.h"
#include "core/formats/tensorflow/variable_nodes.h"
#include "core/graph/attributes.h"
#include "core/graph/needed_nodes.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

/// The recursion limit for demanded values. No real body is deeper, and the stack is finite.
constexpr std::size_t deepestDemand = 4000;

/// Operators that return their inputs unchanged, apart from training and debugging.
constexpr std::array<std::string_view, 12> identities{
    "CheckNumerics",   "EnsureShape", "Identity", "IdentityN",   "LoopCond",     "PlaceholderWithDefault",
    "PreventGradient", "Print",       "PrintV2",  "RefIdentity", "StopGradient", "Snapshot"};

bool isIdentity(std::string_view op)
{
    return std::find(identities.begin(), identities.end(), op) != identities.end();
}

/// Whether an output is an operation that the model runs, not a tensor that it returns.
bool isOperation(const Value& output)
{
    return output.type.kind() == ValueType::Kind::Opaque && output.type.handle() == operationType;
}

} // namespace

SubgraphId addBody(Graph& graph, const Graph& body)
{
    return graph.addSubgraph(std::make_shared<const Graph>(GraphRewriter(body, "Identity").finish().graph));
}

namespace {

/// The number of nodes that the file contains: functions and bodies are graphs of the model.
std::uint64_t nodesOf(const Graph& model)
{
    std::uint64_t count = model.nodeCount();
    for (const auto& graph : model.subgraphs) {
        count += graph->nodeCount();
    }
    return count;
}

/// The input whose memory an output of a node shares; invalid if the output has its own.
ValueId sharedInput(const SourceScope& source, NodeId id, std::size_t output)
{
    const Node& node = source.graph.node(id);
    if (node.inputs.empty()) {
        return {};
    }
    if (isIdentity(node.op) && node.op != "Snapshot") { // that makes a copy
        return node.inputs[std::min(output, node.inputs.size() - 1)];
    }
    const bool isPassed = isOneOf(node.op, {"Enter", "RefEnter", "Switch", "RefSwitch", "_SwitchN"}) &&
                          source.flow.variableOf[id.index] == Frame::none;
    return isPassed || variableWriteOf(node) != nullptr ? node.inputs[0] : ValueId{};
}

} // namespace

ModelLowering::ModelLowering(const Graph& model, const ConvertOptions& options)
    : m_model(model)
    , m_options(options)
    , m_top(nullptr)
    , m_writers(model)
    , m_modelNodes(nodesOf(model))
{
    for (const Graph::Function& function : model.functions) {
        m_functions.try_emplace(function.name, function.body);
    }
}

/// A placeholder with a default value is an input if the options give its shape or type.
void ModelLowering::addNamedPlaceholders(Region& whole)
{
    for (std::uint32_t i = 0; i < m_model.nodeCount(); ++i) {
        const Node& node = m_model.node(NodeId{i});
        if (node.op != "PlaceholderWithDefault" || node.outputs.empty() ||
            std::ranges::find(m_model.inputs, node.outputs[0]) != m_model.inputs.end()) {
            continue;
        }
        const std::string& name = m_model.value(node.outputs[0]).name;
        if (m_options.shapes.contains(name) || m_options.types.contains(name)) {
            placeholder(whole, NodeId{i}, 0);
        }
    }
}

LoweredGraph ModelLowering::run()
{
    expectDefinitions(m_model);
    SourceScope source{m_model, {}, {}, controlFlowOf(m_model)};
    Region whole{source, m_top};
    if (!m_options.outputs.empty()) {
        expectOutsideOfBodies(source.flow);
    }
    for (const ValueId input : m_model.inputs) {
        if (m_model.value(input).producer) {
            placeholder(whole, m_model.value(input).producer, m_model.value(input).producerOutput);
        }
    }
    addNamedPlaceholders(whole);
    findStates();
    std::vector<NodeId> ends;
    std::vector<NodeId> operations;
    for (const ValueId output : m_model.outputs) {
        const Value& value = m_model.value(output);
        (isOperation(value) ? operations : ends).push_back(value.producer);
    }
    lowerInOrder(whole, ends, operations);
    LoweredGraph lowered;
    for (const ValueId output : m_model.outputs) {
        const std::string& name = m_model.value(output).name;
        const NodeId producer = m_model.value(output).producer;
        const Lowered result = isOperation(m_model.value(output)) ? Lowered{} : get(whole, output);
        if (result.isTensor()) {
            addOutput(result, name, {{}, producer}, m_model.value(output).type.element);
        } else if (!isOperation(m_model.value(output)) && !m_written.contains({{}, producer})) {
            Diagnostic problem{.code = "unsupported-output",
                               .message = fmt::format("output {} is not a tensor", name),
                               .nodeIndex = producer.index};
            m_problems.push_back(std::move(problem));
        }
    }
    addStates(lowered);
    storeDefaults(lowered);
    if (m_top.graph.outputs.empty() && m_problems.empty() && !m_model.outputs.empty()) {
        const NodeId last = m_model.value(m_model.outputs.front()).producer;
        throw ModelError("unknown-output",
                         fmt::format("{} computes no tensor and writes no variable", m_model.node(last).name));
    }
    GraphRewriter rewriter(m_top.graph, "Identity");
    fuseDilatedConvolutions(rewriter);
    fuseSeriesWindows(rewriter);
    replaceSequenceMasks(rewriter);
    fuseRecurrentLoops(rewriter);
    fuseBlockLstms(rewriter);
    fuseUnrolledLayers(rewriter);
    markJoinedLists(rewriter);
    GraphRewriter::Result pruned = rewriter.finish();
    lowered.graph = std::move(pruned.graph);
    lowered.graph.producer = m_model.producer;
    lowered.graph.version = m_model.version;
    lowered.graph.name = m_model.name;
    lowered.standIns.resize(m_model.valueCount());
    for (const auto& [value, became] : whole.values) {
        if (became.isTensor()) {
            lowered.standIns[value.index] = {nullptr, pruned.standIns[became.value.index]};
        }
    }
    lowered.problems = std::move(m_problems);
    lowered.merged = std::move(m_merged);
    return lowered;
}

/// The nodes of a loop or branch of TensorFlow 1 are nodes of the model's graph, but lowering moves them into a body.
void ModelLowering::expectOutsideOfBodies(const ControlFlow& flow) const
{
    for (const ValueId output : m_model.outputs) {
        const Value& value = m_model.value(output);
        const bool isInLoop = flow.frameOfOutputs(m_model, value.producer) != Frame::none;
        if (isInLoop || !flow.branches[output.index].empty()) {
            throw ModelError("unknown-output",
                             fmt::format("{} is in a {}; only values outside of bodies can be outputs", value.name,
                                         isInLoop ? "loop" : "branch"));
        }
    }
}

/// Adds an output of the lowered graph, of the source's type. `origin` is the source's node behind it.
void ModelLowering::addOutput(const Lowered& result, const std::string& name, const NodeRef& origin, ElementType type)
{
    Graph& graph = m_top.graph;
    ValueId value = m_top.use(result);
    const Node& source = graphAt(m_model, origin.path)->node(origin.node);
    const auto* stored = attributeOf<ElementType>(source, "dtype");
    if (isComplex(type) || (graph.value(value).tensor && stored != nullptr && isComplex(*stored))) {
        m_problems.push_back(
            {.code = "unsupported-output",
             .message = fmt::format("output {} is complex, but no ONNX operator returns complex numbers", name),
             .nodeIndex = origin.node.index,
             .hint = "make its real and imaginary parts the outputs"});
        return;
    }
    if (graph.value(value).name != name) { // under the output's own name
        value = m_top
                    .add({.op = "Identity", .name = source.name, .origins = {origin}}, {result},
                         {graph.value(value).type}, {name})
                    .front()
                    .value;
    }
    graph.outputs.push_back(value);
}

Diagnostic ModelLowering::problemAt(const SourceScope& scope, NodeId node, Code code, std::string message) const
{
    Diagnostic problem{.code = code, .message = std::move(message)};
    problem.path = scope.path;
    problem.nodeIndex = problem.path.empty() ? node.index : problem.path.front().node;
    problem.indexInBody = node.index;
    problem.node = scope.prefix + scope.graph.node(node).name;
    problem.op = scope.graph.node(node).op;
    return problem;
}

void ModelLowering::fail(const Region& region, NodeId node, Code code, std::string message) const
{
    throw ModelError(problemAt(region.source, node, code, std::move(message)));
}

std::string ModelLowering::nameOf(const Region& region, NodeId node) const
{
    return region.source.prefix + region.source.graph.node(node).name;
}

/// Lowers the nodes that `ends` read, in the source's order, which keeps the recursion shallow, and runs the nodes that
/// write variables before `ends` or before `operations`.
void ModelLowering::lowerInOrder(Region& region, std::vector<NodeId> ends, std::span<const NodeId> operations)
{
    const SourceScope& source = region.source;
    std::vector<NodeId> last = ends;
    last.insert(last.end(), operations.begin(), operations.end());
    if (m_writers.any()) {
        findWriters(region.source, last);
        findReferences(region);
    }
    const std::vector<NodeId>& writers = source.writers;
    ends.insert(ends.end(), writers.begin(), writers.end());
    ends.insert(ends.end(), source.joins.begin(), source.joins.end());
    const auto isGiven = [&](ValueId value) { return isFed(region, value); };
    lowerNodes(region, neededNodes(source.graph, ends, Edges::Values, isGiven), writers,
               [](const ControlFlow::Context& context) { return context.empty(); });
    for (const NodeId writer : writers) {
        if (!source.lowered.contains(writer)) {
            m_problems.push_back(problemAt(source, writer, "unsupported-control-flow",
                                           "it writes a variable in a loop or a branch without a result"));
        }
    }
    checkAccessOrder(source);
}

/// Finds the nodes before `ends` that write variables, and the ends of the branches and loops that may contain them.
void ModelLowering::findWriters(SourceScope& source, std::span<const NodeId> ends) const
{
    const std::vector<bool> needed = neededNodes(source.graph, ends);
    source.writers = m_writers.writersAmong(source.graph, needed);
    for (std::uint32_t i = 0; !source.writers.empty() && i < source.graph.nodeCount(); ++i) {
        const std::string& op = source.graph.node(NodeId{i}).op;
        const bool isVariable = source.flow.variableOf[i] != Frame::none;
        if (needed[i] && (isOneOf(op, {"Exit", "RefExit"}) || (isOneOf(op, {"Merge", "RefMerge"}) && !isVariable))) {
            source.joins.push_back(NodeId{i});
        }
    }
}

/// Finds the values that share the memory of a variable of TensorFlow 1. A write changes them where its node runs: the
/// variable is written in place, and TensorFlow passes tensors on without copying them.
void ModelLowering::findReferences(const Region& region) const
{
    SourceScope& source = region.source;
    const Graph& graph = source.graph;
    if (source.writers.empty()) {
        return;
    }
    std::map<ValueId, NodeId> shared;
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const Node& node = graph.node(NodeId{i});
        const bool isOwner = isVariable(node) && node.op != "VarHandleOp";
        for (std::size_t k = 0; k < node.outputs.size(); ++k) {
            const auto from = shared.find(sharedInput(source, NodeId{i}, k));
            if ((isOwner || from != shared.end()) && !isFed(region, node.outputs[k])) {
                shared.emplace(node.outputs[k], isOwner ? NodeId{i} : from->second);
            }
        }
    }
    std::set<NodeId> written;
    for (const NodeId writer : source.writers) {
        const Node& node = graph.node(writer);
        if (const auto target = node.inputs.empty() ? shared.end() : shared.find(node.inputs[0]);
            target != shared.end()) {
            written.insert(target->second);
        }
    }
    std::erase_if(shared, [&](const auto& reference) { return !written.contains(reference.second); });
    source.references = std::move(shared);
}

/// Lowers those of the needed nodes that run in the loop around the region, in branches for which `isHere` returns
/// true.
void ModelLowering::lowerNodes(Region& region, const std::vector<bool>& needed, const std::vector<NodeId>& writers,
                               const std::function<bool(const ControlFlow::Context&)>& isHere)
{
    const SourceScope& source = region.source;
    const std::uint32_t frame = region.whole().frame;
    for (std::uint32_t i = 0; i < source.graph.nodeCount(); ++i) {
        const Node& node = source.graph.node(NodeId{i});
        if (!needed[i] || source.flow.frameOfOutputs(source.graph, NodeId{i}) != frame) {
            continue;
        }
        const bool isWriter = std::binary_search(writers.begin(), writers.end(), NodeId{i});
        if (isWriter && isHere(source.flow.contextOf[i])) {
            run(region, NodeId{i});
        } else if (!node.outputs.empty() && isHere(source.flow.branches[node.outputs[0].index])) {
            get(region, node.outputs[0]);
        }
    }
}

/// Lowers a node that writes a variable, whether or not it has outputs.
void ModelLowering::run(Region& region, NodeId id)
{
    const Node& node = region.source.graph.node(id);
    region.source.lowered.insert(id);
    try {
        if (VariableWriters::isUnsupported(node)) {
            fail(region, id, "unsupported-operator", "writing a variable in this way has no form in ONNX");
        }
        if (node.outputs.empty()) {
            lowerNode(region, id);
        } else {
            get(region, node.outputs[0]);
        }
    } catch (const ModelError& error) {
        if (error.diagnostic.code == Code("damaged")) {
            throw;
        }
        m_problems.push_back(error.diagnostic);
    }
}

/// Whether the value is computed in the region itself, not outside it.
bool ModelLowering::belongsTo(const Region& region, ValueId value) const
{
    const NodeId producer = region.source.graph.value(value).producer;
    if (!producer || region.parent == nullptr) {
        return region.parent == nullptr;
    }
    const ControlFlow& flow = region.source.flow;
    if (region.isBranch) {
        const auto& context = flow.branches[value.index];
        return std::binary_search(context.begin(), context.end(), region.branch);
    }
    for (std::uint32_t frame = flow.frameOfOutputs(region.source.graph, producer); frame != Frame::none;
         frame = flow.frames[frame].parent) {
        if (frame == region.frame) {
            return true;
        }
    }
    return false;
}

Lowered ModelLowering::get(Region& region, ValueId value)
{
    if (!value) {
        return {};
    }
    if (const auto known = region.values.find(value); known != region.values.end()) {
        const auto reference = region.source.references.find(value);
        return reference != region.source.references.end() ? contentOf(refOf(region, reference->second))
                                                           : known->second;
    }
    if (!belongsTo(region, value)) {
        return get(*region.parent, value);
    }
    const NodeId producer = region.source.graph.value(value).producer;
    if (m_depth >= deepestDemand || !region.open.insert(value).second) {
        fail(region, producer, "damaged",
             m_depth >= deepestDemand ? "it depends on too long a chain of nodes" : "it depends on itself");
    }
    ++m_depth;
    const std::size_t calls = m_calls.size();
    const auto leave = [&] {
        --m_depth;
        m_calls.resize(calls);
        region.open.erase(value);
    };
    Lowered result;
    try {
        result = lowerValue(region, value);
    } catch (const ModelError& error) {
        leave();
        if (error.diagnostic.code != Code("unsupported-control-flow") || !producer) {
            throw;
        }
        return region.values[value] =
                   gap(region, producer, region.source.graph.value(value).producerOutput, error.diagnostic.message);
    }
    leave();
    keep(region, value, result);
    return result;
}

/// Whether a value is an input of the model. A signature can have any tensor of the graph as an input.
bool ModelLowering::isFed(const Region& region, ValueId value) const
{
    return region.source.path.empty() && m_placeholders.contains(value);
}

/// Keeps the lowered form of a value for what reads it. A reference to a variable is lowered again for each reader,
/// which may run after another write; what a write returns is kept to show that it ran.
void ModelLowering::keep(Region& region, ValueId value, const Lowered& result) const
{
    const SourceScope& source = region.source;
    const NodeId producer = source.graph.value(value).producer;
    if (!source.references.contains(value) || variableWriteOf(source.graph.node(producer)) != nullptr) {
        region.values[value] = result;
    }
}

/// A node that cannot be lowered, kept so that its translation reports why.
Lowered ModelLowering::gap(Region& region, NodeId id, std::uint32_t output, const std::string& why)
{
    const Graph& graph = region.source.graph;
    const Node& node = graph.node(id);
    std::vector<ValueType> types;
    for (const ValueId value : node.outputs) {
        types.push_back(graph.value(value).type);
    }
    const auto outputs = emit(region, id, node.op, {}, {{std::string(loweringError), why}}, types);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        region.values[node.outputs[i]] = outputs[i];
        region.source.references.erase(node.outputs[i]);
    }
    return outputs[output];
}

Lowered ModelLowering::lowerValue(Region& region, ValueId value)
{
    const Value& source = region.source.graph.value(value);
    if (!source.producer) { // an argument of a function
        const auto& inputs = region.source.graph.inputs;
        const auto at = static_cast<std::size_t>(std::find(inputs.begin(), inputs.end(), value) - inputs.begin());
        return at < region.source.arguments.size() ? region.source.arguments[at] : Lowered{};
    }
    return lowerOutput(region, source.producer, source.producerOutput);
}

Lowered ModelLowering::lowerOutput(Region& region, NodeId id, std::uint32_t output)
{
    const Node& node = region.source.graph.node(id);
    if (isFed(region, node.outputs[output])) {
        return placeholder(region, id, output);
    }
    if (region.source.flow.frameOf[id.index] != Frame::none) {
        if (Lowered result = frameValue(region, id); result.kind != Lowered::Kind::Absent) {
            return result;
        }
    }
    if (isIdentity(node.op) && !node.inputs.empty()) {
        noteReferenceReads(region, id);
        return get(region, node.inputs[std::min<std::size_t>(output, node.inputs.size() - 1)]);
    }
    const std::vector<Lowered> outputs = lowerNode(region, id);
    for (std::size_t i = 0; i < outputs.size() && i < node.outputs.size(); ++i) {
        if (!isFed(region, node.outputs[i])) {
            keep(region, node.outputs[i], outputs[i]);
        }
    }
    return output < outputs.size() ? outputs[output] : Lowered{};
}

std::vector<Lowered> ModelLowering::lowerNode(Region& region, NodeId id)
{
    m_model.budget.expectLowered(++m_lowered, m_modelNodes);
    if (!m_writers.any()) {
        return lowerOnce(region, id);
    }
    region.source.lowered.insert(id);
    noteReferenceReads(region, id);
    const bool isWriter = m_writers.writes(region.source.graph.node(id));
    if (isWriter && region.whole().ran.contains(id)) {
        fail(region, id, "unsupported-control-flow", "several ends of a branch depend on what it writes to a variable");
    }
    std::vector<Lowered> results = lowerOnce(region, id);
    if (isWriter) {
        region.whole().ran.insert(id);
    }
    return results;
}

/// Lowers a node by its kind.
std::vector<Lowered> ModelLowering::lowerOnce(Region& region, NodeId id)
{
    const Graph& graph = region.source.graph;
    const Node& node = graph.node(id);
    if (m_options.customOperators.contains(node.op)) {
        return plainNode(region, id);
    }
    if (node.op == "Const") {
        const auto* content = attributeOf<TensorId>(node, "value");
        return content != nullptr ? std::vector{region.target.constant(nameOf(region, id), graph.tensor(*content))}
                                  : plainNode(region, id);
    }
    if (node.op == "Placeholder") {
        return {placeholder(region, id, 0)};
    }
    if (auto results = variableNode(region, id)) {
        return *results;
    }
    if (auto results = tableNode(region, id)) {
        return *results;
    }
    if (auto results = functionNode(region, id)) {
        return *results;
    }
    if (auto results = branchNode(region, id)) {
        return *results;
    }
    if (auto results = cellNode(region, id)) {
        return *results;
    }
    if (auto results = listNode(region, id)) {
        return *results;
    }
    return plainNode(region, id);
}

std::vector<Lowered> ModelLowering::inputsOf(Region& region, NodeId id)
{
    std::vector<Lowered> inputs;
    for (const ValueId input : region.source.graph.node(id).inputs) {
        inputs.push_back(get(region, input));
    }
    return inputs;
}

std::vector<Lowered> ModelLowering::plainNode(Region& region, NodeId id)
{
    const Graph& graph = region.source.graph;
    const Node& node = graph.node(id);
    const std::vector<Lowered> inputs = inputsOf(region, id);
    Node copy{.op = node.op, .name = nameOf(region, id), .origins = {refOf(region, id)}};
    for (const Attribute& attribute : node.attributes) {
        if (attribute.name.starts_with('_')) {
            continue; // of TensorFlow's own passes
        }
        Attribute& added = copy.attributes.emplace_back(attribute);
        if (const auto* tensor = std::get_if<TensorId>(&attribute.value)) {
            added.value = region.target.graph.addTensor(graph.tensor(*tensor));
        }
    }
    std::vector<ValueType> types;
    std::vector<std::string> names;
    for (const ValueId output : node.outputs) {
        types.push_back(graph.value(output).type);
        names.push_back(region.source.prefix + graph.value(output).name);
    }
    return region.target.add(std::move(copy), inputs, types, names);
}

std::vector<Lowered> ModelLowering::emit(Region& region, NodeId source, std::string op,
                                         const std::vector<Lowered>& inputs, std::vector<Attribute> attributes,
                                         const std::vector<ValueType>& types, std::string_view suffix)
{
    const std::string name = nameOf(region, source).append(suffix);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < types.size(); ++i) {
        names.push_back(fmt::format("{}:{}", name, i));
    }
    return region.target.add(
        {.op = std::move(op), .name = name, .attributes = std::move(attributes), .origins = {refOf(region, source)}},
        inputs, types, names);
}

Lowered ModelLowering::intConstant(Region& region, NodeId source, Ints values, bool isScalar)
{
    const std::vector<std::int32_t> narrow(values.begin(), values.end());
    Ints dims;
    if (!isScalar) {
        dims.push_back(static_cast<std::int64_t>(values.size()));
    }
    return region.target.constant(nameOf(region, source),
                                  Tensor::of<std::int32_t>(ElementType::Int32, std::move(dims), narrow));
}

/// An input of the model. The types of placeholders are exact; shapes may be partly open.
Lowered ModelLowering::placeholder(Region& region, NodeId id, std::uint32_t output)
{
    const ValueId value = region.source.graph.node(id).outputs[output];
    const auto known = region.source.path.empty() ? m_placeholders.find(value) : m_placeholders.end();
    if (known != m_placeholders.end()) {
        return known->second;
    }
    const Value& source = region.source.graph.value(value);
    Lowered input = m_top.input(region.source.prefix + source.name, source.type);
    if (region.source.path.empty()) {
        m_placeholders.emplace(value, input);
        noteDefault(id, input);
    }
    return input;
}

/// A placeholder with a constant default need not be fed, unless a signature or the options name it as an input.
void ModelLowering::noteDefault(NodeId id, const Lowered& input)
{
    const Node& node = m_model.node(id);
    const std::string& name = m_top.graph.value(input.value).name;
    if (node.op != "PlaceholderWithDefault" || node.inputs.empty() || !sourceInfoOf(m_model).signatures.empty() ||
        m_options.shapes.contains(name) || m_options.types.contains(name)) {
        return;
    }
    if (const Tensor* content = m_model.tensorOf(behindIdentities(m_model, node.inputs[0]))) {
        m_defaults.emplace(input.value, *content);
    }
}

/// Stores the defaults of inputs at the end, so that no step of the lowering takes them for constants. addStates() has
/// listed those of states.
void ModelLowering::storeDefaults(LoweredGraph& lowered)
{
    for (auto& [value, content] : m_defaults) {
        m_top.graph.value(value).tensor = m_top.graph.addTensor(content);
    }
    for (const auto& [value, input] : m_placeholders) {
        if (m_defaults.contains(input.value)) {
            lowered.defaults.insert(m_top.graph.value(input.value).name);
        }
    }
}

LoweredGraph lower(const Graph& graph, const ConvertOptions& options)
{
    return ModelLowering(graph, options).run();
}

} // namespace crosswalk::tensorflow
