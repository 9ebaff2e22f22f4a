#include "core/formats/tensorflow/default_outputs.h"

#include "core/formats/tensorflow/variable_nodes.h"
#include "core/graph/needed_nodes.h"

#include <algorithm>
#include <array>

namespace crosswalk::tensorflow {
namespace {

/// Operators that are not results of inference although nothing reads them.
constexpr auto notResults = std::to_array<std::string_view>({
    "Assert",
    "Assign",
    "AssignAdd",
    "AssignAddVariableOp",
    "AssignSub",
    "AssignSubVariableOp",
    "AssignVariableOp",
    "Const",
    "IsVariableInitialized",
    "MergeV2Checkpoints",
    "NoOp",
    "Placeholder",
    "PlaceholderV2",
    "PlaceholderWithDefault",
    "Print",
    "PrintV2",
    "ReadVariableOp",
    "RestoreV2",
    "SaveV2",
    "VarHandleOp",
    "VarIsInitializedOp",
    "Variable",
    "VariableV2",
});

/// Operators whose outputs except the first are only for training.
constexpr auto trainingOutputs = std::to_array<std::string_view>({
    "CudnnRNN",
    "FusedBatchNorm",
    "_FusedBatchNormEx",
});

/// Whether the operator's result does not depend on the values that it reads.
bool readsShapeOnly(const Node& node)
{
    return node.op == "Shape" || node.op == "ShapeN" || node.op == "Size" || node.op == "Rank" ||
           node.op == "ZerosLike" || node.op == "OnesLike";
}

std::string_view lastPart(std::string_view name)
{
    return name.substr(name.rfind('/') + 1); // npos + 1 is 0
}

/// tf.zeros and tf.ones of TensorFlow 1 compare the number of elements with 1000 and use the result in Python.
bool comparesFillSize(const Node& node)
{
    if (node.op != "Less") {
        return false;
    }
    const std::string_view name = node.name;
    const std::size_t slash = name.rfind('/');
    const std::string_view scope = lastPart(name.substr(0, slash == std::string_view::npos ? 0 : slash));
    return scope.starts_with("zeros") || scope.starts_with("ones");
}

/// Whether a name is TensorFlow's default name of a node: the operator's, "MatMul_1".
bool isAutomaticName(std::string_view name, std::string_view op)
{
    if (!name.starts_with(op)) {
        return false;
    }
    name.remove_prefix(op.size());
    if (name.empty()) {
        return true;
    }
    return name.size() > 1 && name[0] == '_' &&
           std::all_of(name.begin() + 1, name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// An operator of an optimizer: ApplyAdam, ResourceSparseApplyMomentum.
bool appliesGradients(const Node& node)
{
    std::string_view op = node.op;
    for (const std::string_view prefix : {"Resource", "Sparse"}) {
        op.remove_prefix(op.starts_with(prefix) ? prefix.size() : 0);
    }
    return op.starts_with("Apply");
}

bool isSummary(const Node& node)
{
    return node.op.ends_with("Summary") || node.op.ends_with("SummaryV2");
}

/// Whether a part of the name is "gradients" or "gradients_1", the scopes of tf.gradients.
bool isInGradients(std::string_view name)
{
    constexpr std::string_view scope = "gradients";
    while (!name.empty()) {
        const std::size_t slash = name.find('/');
        const std::string_view part = name.substr(0, slash);
        if (slash != std::string_view::npos && part.starts_with(scope) &&
            (part.size() == scope.size() || part[scope.size()] == '_')) {
            return true;
        }
        name.remove_prefix(slash == std::string_view::npos ? name.size() : slash + 1);
    }
    return false;
}

class OutputFinder {
public:
    OutputFinder(const Graph& graph, GraphKind kind)
        : m_graph(graph)
        , m_kind(kind)
        , m_hasOptimizer(std::ranges::any_of(graph.nodes(), appliesGradients))
    {
    }

    ValueIds find() const
    {
        std::vector<NodeId> leaves = leavesOf(isReadBy([](const Node&) { return true; }));
        if (leaves.empty() && m_kind == GraphKind::Frozen) {
            addConstants(leaves);
        }
        if (m_kind == GraphKind::Whole) {
            chooseOfWhole(leaves);
        }
        ValueIds outputs;
        for (const NodeId leaf : leaves) {
            addOutputsOf(leaf, outputs);
        }
        return outputs;
    }

private:
    /// By node: whether a node that `counts` accepts reads it.
    template <typename Counts>
    std::vector<bool> isReadBy(Counts counts) const
    {
        std::vector<bool> isRead(m_graph.nodeCount());
        for (const Node& node : m_graph.nodes()) {
            if (!counts(node)) {
                continue;
            }
            for (const ValueId input : node.inputs) {
                if (const NodeId producer = m_graph.value(input).producer) {
                    isRead[producer.index] = true;
                }
            }
            for (const NodeId before : node.controlInputs) {
                isRead[before.index] = isRead[before.index] || m_kind == GraphKind::Frozen;
            }
        }
        return isRead;
    }

    /// The nodes that nothing reads and that may be results.
    std::vector<NodeId> leavesOf(const std::vector<bool>& isRead) const
    {
        std::vector<NodeId> leaves;
        for (std::uint32_t i = 0; i < m_graph.nodeCount(); ++i) {
            if (!isRead[i] && isResult(m_graph.node(NodeId{i}))) {
                leaves.push_back(NodeId{i});
            }
        }
        return leaves;
    }

    /// The constants that nothing reads: the results of a graph that was folded to them.
    void addConstants(std::vector<NodeId>& leaves) const
    {
        const std::vector<bool> isRead = isReadBy([](const Node&) { return true; });
        for (std::uint32_t i = 0; i < m_graph.nodeCount(); ++i) {
            if (!isRead[i] && m_graph.node(NodeId{i}).op == "Const") {
                leaves.push_back(NodeId{i});
            }
        }
    }

    /// Whether the node only trains the variables. Gradients are results where no optimizer applies them.
    bool isOfOptimizer(const Node& node) const
    {
        return m_hasOptimizer && (appliesGradients(node) || isInGradients(node.name));
    }

    bool isResult(const Node& node) const
    {
        return !node.outputs.empty() && !isOfOptimizer(node) && !isSummary(node) &&
               std::find(notResults.begin(), notResults.end(), node.op) == notResults.end() && !comparesFillSize(node);
    }

    /// Keeps the leaves that `keep` accepts, and all if it accepts none.
    template <typename Keep>
    static void prefer(std::vector<NodeId>& leaves, Keep keep)
    {
        std::vector<NodeId> kept;
        std::copy_if(leaves.begin(), leaves.end(), std::back_inserter(kept), keep);
        if (!kept.empty()) {
            leaves = std::move(kept);
        }
    }

    void chooseOfWhole(std::vector<NodeId>& leaves) const
    {
        const std::vector<bool> depends = dependsOnVariable();
        const auto isComputed = [&](NodeId id) { return depends[id.index] && !readsVariableItself(id); };
        if (m_hasOptimizer && std::ranges::none_of(leaves, isComputed)) { // all results are read for training
            leaves = leavesOf(isReadBy([this](const Node& node) { return !isOfOptimizer(node) && !isSummary(node); }));
        }
        prefer(leaves, isComputed);
        prefer(leaves, [&](NodeId id) { return m_graph.node(id).op != "Exit"; }); // counters of loops
        if (isReturnn()) {
            prefer(leaves, [&](NodeId id) { return m_graph.node(id).name.starts_with("output/"); });
        }
    }

    std::vector<bool> dependsOnVariable() const
    {
        std::vector<bool> depends(m_graph.nodeCount());
        const Consumers consumers(m_graph);
        std::vector<NodeId> open;
        const auto add = [&](NodeId id) {
            if (!depends[id.index] && !readsShapeOnly(m_graph.node(id))) {
                depends[id.index] = true;
                open.push_back(id);
            }
        };
        for (std::uint32_t i = 0; i < m_graph.nodeCount(); ++i) {
            if (isVariable(m_graph.node(NodeId{i}))) {
                add(NodeId{i});
            }
        }
        while (!open.empty()) {
            const NodeId id = open.back();
            open.pop_back();
            for (const ValueId output : m_graph.node(id).outputs) {
                for (const NodeId consumer : consumers.of(output)) {
                    add(consumer);
                }
            }
        }
        return depends;
    }

    /// The node `<variable>/read` that TensorFlow 1 adds to each variable.
    bool readsVariableItself(NodeId id) const
    {
        const Node& node = m_graph.node(id);
        const NodeId producer = node.inputs.empty() ? NodeId() : m_graph.value(node.inputs[0]).producer;
        return node.op == "Identity" && producer && isVariable(m_graph.node(producer));
    }

    bool isReturnn() const
    {
        const auto nodes = m_graph.nodes();
        return std::any_of(nodes.begin(), nodes.end(), [](const Node& node) {
            return node.op == "Placeholder" && node.name.starts_with("extern_data/placeholders/");
        });
    }

    void addOutputsOf(NodeId leaf, ValueIds& outputs) const
    {
        const Node& node = m_graph.node(leaf);
        if (isForTraining(node)) {
            return;
        }
        if (const auto named = namedByAuthor(node)) {
            outputs.push_back(*named);
            return;
        }
        const bool isFirstOnly = hasTrainingOutputs(node);
        for (const ValueId output : node.outputs) {
            if (m_graph.value(output).type.isTensor()) {
                outputs.push_back(output);
            }
            if (isFirstOnly) {
                break;
            }
        }
    }

    static bool hasTrainingOutputs(const Node& node)
    {
        return std::any_of(trainingOutputs.begin(), trainingOutputs.end(),
                           [&](std::string_view prefix) { return node.op.starts_with(prefix); });
    }

    /// Whether the node is the Identity that freezing adds after an output for training.
    bool isForTraining(const Node& node) const
    {
        if (node.op != "Identity" || node.inputs.empty() || !isAutomaticName(node.name, "Identity")) {
            return false;
        }
        const Value& input = m_graph.value(node.inputs[0]);
        return input.producer && input.producerOutput > 0 && hasTrainingOutputs(m_graph.node(input.producer));
    }

    /// Freezing a function of TensorFlow 2 adds an Identity after each output. If the author named the output
    /// (tf.identity(x, name="logits")), the named node is the output.
    std::optional<ValueId> namedByAuthor(const Node& node) const
    {
        if (node.op != "Identity" || node.inputs.empty() || !isAutomaticName(node.name, "Identity")) {
            return std::nullopt;
        }
        const Value& input = m_graph.value(node.inputs[0]);
        if (!input.producer) {
            return std::nullopt;
        }
        const Node& source = m_graph.node(input.producer);
        const bool isNamed = source.name.find('/') == std::string::npos && !isAutomaticName(source.name, source.op) &&
                             source.op != "Placeholder";
        return isNamed ? std::optional(node.inputs[0]) : std::nullopt;
    }

    const Graph& m_graph;
    GraphKind m_kind;
    bool m_hasOptimizer;
};

} // namespace

ValueIds defaultOutputs(const Graph& graph, GraphKind kind)
{
    return OutputFinder(graph, kind).find();
}

ValueIds defaultInputs(const Graph& graph, GraphKind kind)
{
    const std::vector<bool> isNeeded = neededNodes(graph);
    ValueIds inputs;
    ValueIds withDefault;
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const Node& node = graph.node(NodeId{i});
        if (node.outputs.empty() || (kind == GraphKind::Whole && !isNeeded[i])) {
            continue;
        }
        if (!isNeeded[i] && node.name.starts_with("unused_control_flow_input")) {
            continue; // what TensorFlow leaves behind where it lowers the loops of functions
        }
        if (node.op == "Placeholder" || node.op == "PlaceholderV2") {
            inputs.push_back(node.outputs[0]);
        } else if (node.op == "PlaceholderWithDefault") {
            withDefault.push_back(node.outputs[0]);
        }
    }
    return inputs.empty() ? withDefault : inputs;
}

} // namespace crosswalk::tensorflow
