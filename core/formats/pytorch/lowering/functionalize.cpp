#include "core/formats/pytorch/lowering/functionalize.h"

#include "core/base/budget.h"
#include "core/base/diagnostic.h"
#include "core/base/is_one_of.h"
#include "core/formats/pytorch/argument_names.h"
#include "core/formats/pytorch/in_place_operators.h"
#include "core/formats/pytorch/lowering/view_calls.h"
#include "core/formats/pytorch/torchscript/operator_signatures.h"
#include "core/formats/pytorch/view_operators.h"
#include "core/graph/attributes.h"
#include "core/graph/graph_rewriter.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>

namespace crosswalk::pytorch {
namespace {

constexpr std::string_view space = "aten::";

bool isAten(std::string_view op, std::span<const std::string_view> names)
{
    return op.starts_with(space) && isOneOf(op.substr(space.size()), names);
}

/// Given one tensor, they return it or a view of it; given several, they compute new ones.
bool isViewOfOnlyOperand(std::string_view op)
{
    static constexpr auto names = std::to_array<std::string_view>({"cartesian_prod", "chain_matmul", "einsum"});
    return isAten(op, names);
}

/// The results are `self`.
bool isAlias(std::string_view op)
{
    static constexpr auto names = std::to_array<std::string_view>(
        {"alias", "alpha_dropout", "cpu", "data", "detach", "detach_", "dropout", "feature_alpha_dropout",
         "feature_dropout", "lift", "lift_fresh", "positive", "resolve_neg"});
    return isAten(op, names);
}

/// Views that autograd does not take for views.
bool isUnsafePart(std::string_view op)
{
    static constexpr auto names =
        std::to_array<std::string_view>({"unsafe_chunk", "unsafe_split", "unsafe_split_with_sizes"});
    return isAten(op, names);
}

/// The results share memory with `self`.
bool isView(std::string_view op)
{
    static constexpr auto names = std::to_array<std::string_view>(
        {"_conj",        "adjoint",  "conj",         "dsplit",           "hsplit",       "mH",
         "matrix_H",     "moveaxis", "tensor_split", "vsplit",           "_unsafe_view", "as_strided",
         "broadcast_to", "chunk",    "diagonal",     "expand",           "expand_as",    "imag",
         "mT",           "movedim",  "narrow",       "numpy_T",          "permute",      "real",
         "select",       "slice",    "split",        "split_with_sizes", "squeeze",      "swapaxes",
         "swapdims",     "t",        "transpose",    "unbind",           "unflatten",    "unfold",
         "unsqueeze",    "view",     "view_as",      "view_as_complex",  "view_as_real"});
    return isAten(op, names) || isUnsafePart(op);
}

/// The results may share memory with the operands, which the order of their elements in memory decides.
bool isPossibleView(std::string_view op)
{
    static constexpr auto names = std::to_array<std::string_view>(
        {"_autocast_to_full_precision", "_autocast_to_reduced_precision", "atleast_1d", "atleast_2d", "atleast_3d",
         "broadcast_tensors", "conj_physical", "contiguous", "dequantize", "flatten", "linalg_diagonal", "meshgrid",
         "ravel", "reshape", "reshape_as", "resolve_conj", "sum_to_size", "to", "type_as"});
    return isAten(op, names);
}

/// The result is `self` if it has the same type and device, and a copy otherwise.
bool isConversion(std::string_view op)
{
    static constexpr auto names = std::to_array<std::string_view>({"to", "type_as"});
    return isAten(op, names);
}

/// The memory of `self` is addressed by strides.
bool isStrided(std::string_view op)
{
    static constexpr auto names =
        std::to_array<std::string_view>({"as_strided", "as_strided_copy", "as_strided_scatter"});
    return isAten(op, names);
}

/// Views that may start at another place of the memory than `self`.
bool isPart(std::string_view op)
{
    static constexpr auto names = std::to_array<std::string_view>(
        {"as_strided", "chunk", "diagonal", "dsplit", "hsplit", "linalg_diagonal", "narrow", "select", "slice", "split",
         "split_with_sizes", "tensor_split", "unbind", "vsplit"});
    return isAten(op, names) || isUnsafePart(op);
}

/// Views with numbers of another kind.
bool isComplexView(std::string_view op)
{
    static constexpr auto names = std::to_array<std::string_view>(
        {"_conj", "adjoint", "conj", "imag", "mH", "matrix_H", "real", "view_as_complex", "view_as_real"});
    return isAten(op, names);
}

/// The elements of the result lie in memory in another order than the row-major one, or may do so.
bool permutes(std::string_view op)
{
    static constexpr auto names =
        std::to_array<std::string_view>({"adjoint",  "einsum",   "gru",      "istft",    "lstm",
                                         "mH",       "mT",       "matrix_H", "moveaxis", "movedim",
                                         "numpy_T",  "permute",  "rnn_relu", "rnn_tanh", "scaled_dot_product_attention",
                                         "stft",     "swapaxes", "swapdims", "t",        "tensordot",
                                         "transpose"});
    return isAten(op, names) || op.starts_with("aten::fft_");
}

/// The elements of the result lie in memory in their order, whatever those of the operands do.
bool makesContiguous(const Node& node)
{
    static constexpr auto names = std::to_array<std::string_view>(
        {"_log_softmax", "_softmax", "addmm", "as_strided_copy", "baddbmm", "bmm", "embedding", "layer_norm", "linear",
         "log_softmax", "matmul", "mm", "native_layer_norm", "repeat", "softmax"});
    return isAten(node.op, names) || (node.op == "aten::contiguous" && node.attribute("memory_format") == nullptr);
}

/// Operators that give `self` another shape, but write to no element.
bool isInPlaceView(std::string_view op)
{
    static constexpr auto names =
        std::to_array<std::string_view>({"squeeze_", "swapaxes_", "swapdims_", "t_", "transpose_", "unsqueeze_"});
    return isAten(op, names);
}

bool isInPlace(std::string_view op)
{
    return op.starts_with(space) && operatorOfInPlace(op) && op != "aten::detach_";
}

/// A node without results that is no check of the program writes to its operands, or has another effect.
bool mayOnlyWrite(const Node& node)
{
    static constexpr auto checks = std::to_array<std::string_view>(
        {"aten::_assert_async", "aten::_assert_scalar", "aten::_assert_tensor_metadata", "aten::_linalg_check_errors",
         "aten::_print", "aten::sym_constrain_range", "aten::sym_constrain_range_for_size", "higher_order::print",
         "prim::RaiseException", "profiler::_record_function_exit"});
    // What is written in a loop or a branch of TorchScript is among its results.
    static constexpr auto control = std::to_array<std::string_view>({"prim::If", "prim::Loop"});
    return node.outputs.empty() && !isOneOf(node.op, checks) && !isOneOf(node.op, control);
}

/// Whether an overload writes its results to given tensors: `out`, or several that have the names of the results.
bool writesGiven(std::string_view overload)
{
    static constexpr auto ofSeveral = std::to_array<std::string_view>(
        {"Q", "U", "X", "bin_ct", "dim_max", "dim_min", "dim_values", "eigvals", "values", "values_stable"});
    return overload.ends_with("out") || isOneOf(overload, ofSeveral);
}

/// The inputs that a call writes its results to: those that no other overload of its operator has.
std::vector<std::size_t> writtenInputs(const Node& node)
{
    const auto* overload = attributeOf<std::string>(node, overloadName);
    const auto* names = attributeOf<std::vector<std::string>>(node, argumentNames);
    if (overload == nullptr || names == nullptr || !writesGiven(*overload)) {
        return {};
    }
    const auto signatures = signaturesOf(node.op);
    std::vector<std::size_t> written;
    for (std::size_t i = 0; i < names->size() && i < node.inputs.size(); ++i) {
        const std::string_view name = std::string_view((*names)[i]).substr(0, (*names)[i].find('['));
        if (std::ranges::none_of(signatures, [&](const Signature& signature) {
                return std::ranges::find(signature.arguments, name, &SignatureArgument::name) !=
                       signature.arguments.end();
            })) {
            written.push_back(i);
        }
    }
    return written;
}

/// Whether the graph writes in place, or depends on the memory of tensors in another way.
bool writesInPlace(const Graph& graph)
{
    return std::ranges::any_of(graph.nodes(),
                               [](const Node& node) {
                                   return isInPlace(node.op) || isInPlaceView(node.op) || mayOnlyWrite(node) ||
                                          isStrided(node.op) || !writtenInputs(node).empty();
                               }) ||
           std::ranges::any_of(graph.subgraphs, [](const auto& body) { return writesInPlace(*body); });
}

bool refersToBody(const Attribute& attribute)
{
    return std::holds_alternative<SubgraphId>(attribute.value);
}

constexpr std::size_t deepestViews = 1000;

class Functionalization {
public:
    /// `path`: to the graph in the source.
    /// `contiguous`: as in ProgramState, of this graph.
    /// `budget`: of the model.
    Functionalization(Graph& graph, GraphPath path, const Budget& budget, const std::set<ValueId>& contiguous,
                      std::vector<Diagnostic>& problems)
        : m_graph(graph)
        , m_budget(budget)
        , m_path(std::move(path))
        , m_views(graph, m_path)
        , m_writes(!m_path.empty() || writesInPlace(graph))
        , m_sourceNodes(static_cast<std::uint32_t>(graph.nodeCount()))
        , m_contiguous(contiguous)
        , m_problems(problems)
    {
    }

    /// Before run(): as in ProgramState, of this graph.
    void setStorages(std::map<ValueId, ValueId> storages) { m_storages = std::move(storages); }

    /// Before run(): the output has its elements before later writes.
    void readWhereComputed(ValueId output) { m_inner.emplace(output, output); }

    std::map<ValueId, ValueId> run()
    {
        for (std::uint32_t i = 0; i < m_sourceNodes; ++i) {
            m_node = NodeId{i};
            ValueIds inputs = node().inputs;
            if (isStrided(node().op) && !inputs.empty() && inputs[0]) {
                inputs[0] = stridedMemory(inputs[0]);
            }
            const ValueIds sources = inputs;
            for (ValueId& input : inputs) {
                input = input ? read(input) : input;
            }
            m_graph.node(m_node).inputs = std::move(inputs);
            if (mayOnlyWrite(node())) {
                refuse(m_node, "returns nothing, so that what it writes is not known", "let it return what it writes");
            } else if (const auto written = writtenInputs(node()); !written.empty()) {
                writeGiven(sources, written);
            } else if (isInPlaceView(node().op)) {
                reshapeInPlace(sources);
            } else if (isInPlace(node().op)) {
                writeInPlace(sources);
            } else if (m_writes && std::ranges::any_of(node().attributes, refersToBody)) {
                runBodies(sources);
            } else {
                addResults(sources);
            }
            for (std::size_t k = 0; k < node().outputs.size(); ++k) {
                const ValueId output = node().outputs[k];
                if (const auto inner = m_inner.find(output); inner != m_inner.end()) {
                    inner->second = read(output);
                }
            }
        }
        m_node = {};
        readOutputs();
        std::map<ValueId, ValueId> written;
        for (const auto& [value, memory] : m_memory) {
            if (memory.version > 0 && !memory.base && graph().value(value).tensor) {
                written.emplace(value, memory.value);
            }
        }
        return written;
    }

private:
    /// What a value of the source refers to.
    struct Memory {
        ValueId value;                   ///< the elements, after the first `version` writes
        ValueId base = {};               ///< the value that it is a view of
        NodeId view = {};                ///< that computes it from the base; none: the same elements
        std::size_t output = 0;          ///< of that node
        std::size_t depth = 0;           ///< of views: 1 for a view of a value that is none
        std::uint32_t version = 0;       ///< of the memory: of a base, the number of writes
        NodeId writer = {};              ///< of a base: the first node that writes to it
        NodeId staleSince = {};          ///< the node that may have written to it
        ValueId continuesAs = {};        ///< the value that it is after an operator that gave it another shape
        std::set<ValueId> mayShare = {}; ///< bases whose memory it may share
    };

    const Graph& graph() const { return m_graph; }
    const Node& node() const { return graph().node(m_node); }

    Memory& memory(ValueId value) { return m_memory.try_emplace(value, Memory{.value = value}).first->second; }

    ValueId rootOf(ValueId value)
    {
        for (Memory* at = &memory(value); at->base; at = &memory(value)) {
            value = at->base;
        }
        return value;
    }

    /// The elements of a value of the source at the node that is being visited.
    ValueId read(ValueId value)
    {
        while (memory(value).continuesAs) {
            value = memory(value).continuesAs;
        }
        return elements(value);
    }

    /// Replaces the outputs by their elements, under their names: at the end, or where they are computed.
    void readOutputs()
    {
        m_outputs = graph().outputs;
        std::set<ValueId> named(m_outputs.begin(), m_outputs.end()); // values that have the name of an output
        std::map<ValueId, ValueId> replaced;
        for (ValueId& output : m_graph.outputs) {
            const auto inner = m_inner.find(output);
            ValueId last = inner != m_inner.end() ? inner->second : read(output);
            if (last == output || !graph().value(output).producer) { // a stored tensor as an output is a state
                continue;
            }
            if (const auto known = replaced.find(output); known != replaced.end()) {
                output = known->second;
                continue;
            }
            if (named.contains(last)) {
                last = m_views.alias(last, graph().value(output).producer);
            }
            named.insert(last);
            replaced.emplace(output, last);
            std::swap(m_graph.value(output).name, m_graph.value(last).name);
            output = last;
        }
    }

    /// The node that may have written to the memory of a value that is no view, other than by its name.
    NodeId staleSince(ValueId root)
    {
        if (const NodeId since = memory(root).staleSince) {
            return since;
        }
        const auto storage = m_storages.find(root);
        const auto write =
            storage != m_storages.end() ? m_writtenStorages.find(storage->second) : m_writtenStorages.end();
        return write != m_writtenStorages.end() && write->second != root ? memory(write->second).writer : NodeId{};
    }

    ValueId elements(ValueId value)
    {
        const Memory& root = memory(rootOf(value));
        if (const NodeId since = staleSince(rootOf(value))) {
            refuse(since,
                   fmt::format("writes to memory that {} may share, which is read later", graph().value(value).name));
        }
        Memory& seen = memory(value);
        if (!seen.base || seen.version == root.version) {
            return seen.value;
        }
        const ValueId base = elements(seen.base);
        expectRoom();
        seen.value = seen.view ? m_views.view(base, seen.view, seen.output, value, m_node ? m_node : seen.view) : base;
        seen.version = root.version;
        return seen.value;
    }

    void addView(ValueId result, ValueId base, NodeId view, std::size_t output)
    {
        const std::size_t depth = memory(base).depth + 1;
        if (depth > deepestViews) { // a write goes through all of them
            throw ModelError("too-large", fmt::format("views of views are more than {} deep", deepestViews));
        }
        m_memory.insert_or_assign(result, Memory{.value = result,
                                                 .base = base,
                                                 .view = view,
                                                 .output = output,
                                                 .depth = depth,
                                                 .version = memory(rootOf(base)).version});
    }

    void addResults(const ValueIds& sources)
    {
        if (sources.empty() || !sources[0]) {
            return;
        }
        const bool isOfContiguous = isViewOfContiguous(node().op) && m_contiguous.contains(current(sources[0])) &&
                                    node().attribute("memory_format") == nullptr;
        const auto copies = isConversion(node().op) ? isCopied() : std::nullopt;
        if (copies.value_or(false)) {
            return; // new memory
        }
        const bool isSame =
            isAlias(node().op) || (isOfContiguous && node().op == "aten::contiguous") || !copies.value_or(true);
        if (isSame || isOfContiguous || isView(node().op)) {
            for (std::size_t i = 0; i < node().outputs.size(); ++i) {
                addView(node().outputs[i], current(sources[0]), isSame ? NodeId{} : m_node, i);
            }
        } else if (isPossibleView(node().op) || (isViewOfOnlyOperand(node().op) && sources.size() == 1)) {
            for (const ValueId output : node().outputs) {
                for (const ValueId source : sources) {
                    share(output, source);
                }
            }
        }
    }

    /// The value whose elements are the memory of an operand that the node addresses by strides.
    ValueId stridedMemory(ValueId operand)
    {
        const bool isScattered = node().op == "aten::as_strided_scatter"; // its result has the shape of the operand
        const bool hasOffset = node().attribute("storage_offset") != nullptr || inputNamed(node(), "storage_offset");
        ValueId root = current(operand);
        bool isKnown = true;
        for (const Memory* at = &memory(root); at->base; at = &memory(root)) {
            const std::string_view view = at->view ? std::string_view(graph().node(at->view).op) : std::string_view();
            isKnown = isKnown && !isComplexView(view) && (!isPart(view) || hasOffset) && (!isScattered || !at->view);
            root = at->base;
        }
        if (!isKnown || (hasOffset && mayBePart(root)) || mayBePermuted(root)) {
            refuse(m_node, "addresses the memory of a tensor whose elements may have another order there",
                   "copy it with contiguous()");
        }
        return root;
    }

    /// Whether a value may be a view that starts at another place of the memory than its base.
    bool mayBePart(ValueId value) const
    {
        for (NodeId at = graph().value(value).producer; at; at = graph().value(value).producer) {
            const Node& maker = graph().node(at);
            if (isPart(maker.op)) {
                return true;
            }
            if (maker.inputs.empty() || !maker.inputs[0] ||
                !(isView(maker.op) || isAlias(maker.op) || isPossibleView(maker.op))) {
                return false;
            }
            value = maker.inputs[0];
        }
        return false;
    }

    /// Whether the elements of a value that is no view may lie in memory in another order than their own.
    bool mayBePermuted(ValueId value) const
    {
        std::vector<ValueId> open{value};
        std::set<ValueId> seen;
        while (!open.empty()) {
            const ValueId next = open.back();
            open.pop_back();
            if (!next || m_contiguous.contains(next) || !seen.insert(next).second) {
                continue;
            }
            const NodeId producer = graph().value(next).producer;
            if (!producer) {
                if (!m_path.empty()) { // an operand of the body
                    return true;
                }
                continue;
            }
            const Node& maker = graph().node(producer);
            if (permutes(maker.op) || std::ranges::any_of(maker.attributes, refersToBody)) {
                return true;
            }
            if (!makesContiguous(maker)) {
                open.insert(open.end(), maker.inputs.begin(), maker.inputs.end());
            }
        }
        return false;
    }

    /// Whether a conversion copies its operand; nothing if its type or device decide that and are not known.
    std::optional<bool> isCopied() const
    {
        const ElementType from = graph().value(node().inputs[0]).type.element;
        const ElementType to = graph().value(node().outputs.at(0)).type.element;
        const auto* copies = attributeOf<bool>(node(), "copy");
        if (from == ElementType::Undefined || to == ElementType::Undefined) {
            return std::nullopt;
        }
        if (from != to || (copies != nullptr && *copies)) {
            return true;
        }
        const bool mayMove = node().attribute("device") != nullptr || node().attribute("memory_format") != nullptr;
        return mayMove ? std::nullopt : std::optional(false);
    }

    ValueId current(ValueId value)
    {
        while (memory(value).continuesAs) {
            value = memory(value).continuesAs;
        }
        return value;
    }

    void share(ValueId result, ValueId source)
    {
        const ValueId root = rootOf(current(source));
        memory(result).mayShare.insert(root);
        memory(result).mayShare.insert(memory(root).mayShare.begin(), memory(root).mayShare.end());
        for (const ValueId other : std::set(memory(result).mayShare)) {
            memory(other).mayShare.insert(result);
        }
    }

    void writeInPlace(const ValueIds& sources)
    {
        if (sources.empty() || !sources[0] || node().outputs.size() != 1) {
            return;
        }
        m_graph.node(m_node).op = *operatorOfInPlace(node().op);
        m_graph.node(m_node).attributes.push_back({std::string(inPlace), true});
        const ValueId target = current(sources[0]);
        const ValueId result = node().outputs[0];
        write(target, result);
        addView(result, target, {}, 0);
    }

    /// A call that writes its result to the given tensor, in the type of that tensor, and returns it.
    void writeGiven(const ValueIds& sources, const std::vector<std::size_t>& written)
    {
        if (written.size() != 1 || !sources[written[0]] || node().outputs.size() != 1) {
            refuse(m_node, "writes its results to given tensors, which is supported for one tensor");
            return;
        }
        const ValueId target = current(sources[written[0]]);
        const auto& names = *attributeOf<std::vector<std::string>>(node(), argumentNames);
        m_graph.node(m_node).attributes.push_back({std::string(writtenArgument), names[written[0]]});
        const ValueId result = node().outputs[0];
        write(target, result);
        addView(result, target, {}, 0);
    }

    void reshapeInPlace(const ValueIds& sources)
    {
        if (sources.empty() || !sources[0] || node().outputs.size() != 1) {
            return;
        }
        m_graph.node(m_node).op.pop_back();
        const ValueId target = current(sources[0]);
        addView(node().outputs[0], target, m_node, 0);
        memory(target).continuesAs = node().outputs[0];
    }

    /// Limits the nodes that replace the elements of views of views, for each write.
    void expectRoom() const { m_budget.expectLowered(graph().nodeCount() - m_sourceNodes, m_sourceNodes); }

    /// The base of a view with its elements replaced; absent if that is not supported.
    ValueId withPart(const Memory& view, ValueId content)
    {
        const bool hasStrides = graph().node(view.view).op == "aten::as_strided"; // which refer to the whole memory
        if (hasStrides && (!m_contiguous.contains(view.base) || memory(view.base).base)) {
            return {};
        }
        expectRoom();
        return m_views.withPart(elements(view.base), view.view, view.output, content, m_node);
    }

    void write(ValueId value, ValueId content)
    {
        const Memory before = memory(value);
        if (before.base) {
            const ValueId whole = before.view ? withPart(before, content) : content;
            if (!whole) {
                refuse(m_node,
                       fmt::format("writes to the result of {}, which is not supported", graph().node(before.view).op));
                return;
            }
            write(before.base, whole);
        } else {
            ++memory(value).version;
            memory(value).writer = before.writer ? before.writer : m_node;
            for (const ValueId other : before.mayShare) {
                memory(rootOf(other)).staleSince = m_node;
            }
            if (const auto storage = m_storages.find(value); storage != m_storages.end()) {
                m_writtenStorages.emplace(storage->second, value);
            }
        }
        memory(value).value = content;
        memory(value).version = memory(rootOf(value)).version;
    }

    // Branches and loops.

    /// What a body does with the memory of its inputs, by their positions.
    struct BodyEffects {
        std::set<std::size_t> written;
        std::vector<std::set<std::size_t>> shared; ///< by output: the inputs whose memory it may share
    };

    std::optional<std::size_t> inputPosition(ValueId value) const
    {
        const auto found = std::ranges::find(graph().inputs, value);
        return found != graph().inputs.end() ? std::optional(static_cast<std::size_t>(found - graph().inputs.begin()))
                                             : std::nullopt;
    }

    /// After the run of a body.
    BodyEffects effects()
    {
        BodyEffects found;
        for (std::size_t i = 0; i < graph().inputs.size(); ++i) {
            if (memory(graph().inputs[i]).version > 0) {
                found.written.insert(i);
            }
        }
        for (const ValueId output : m_outputs) {
            std::set<std::size_t> shared;
            const ValueId root = rootOf(current(output));
            std::set<ValueId> bases = memory(root).mayShare;
            bases.insert(root);
            for (const ValueId base : bases) {
                if (const auto position = inputPosition(base)) {
                    shared.insert(*position);
                }
            }
            found.shared.push_back(std::move(shared));
        }
        return found;
    }

    /// A copy of a body of the node that is being visited, with the source nodes of its nodes.
    Graph bodyCopy(SubgraphId id, const GraphPath& path) const
    {
        Graph body = graph().subgraph(id);
        for (std::uint32_t i = 0; i < body.nodeCount(); ++i) {
            body.node(NodeId{i}).origins = {{path, NodeId{i}}};
        }
        return body;
    }

    /// A body of the node that is being visited.
    struct Body {
        SubgraphId id;
        std::unique_ptr<Graph> graph; ///< not moved: its functionalization refers to it
        std::unique_ptr<Functionalization> functional;
        BodyEffects effects = {};
    };

    std::vector<Body> functionalBodies()
    {
        std::vector<Body> bodies;
        for (const Attribute& attribute : node().attributes) {
            if (const auto* id = std::get_if<SubgraphId>(&attribute.value)) {
                GraphPath path = m_path;
                path.push_back({m_node.index, id->index});
                Body body{.id = *id, .graph = std::make_unique<Graph>(bodyCopy(*id, path)), .functional = nullptr};
                body.functional = std::make_unique<Functionalization>(*body.graph, std::move(path), m_budget,
                                                                      std::set<ValueId>(), m_problems);
                body.functional->run();
                body.effects = body.functional->effects();
                bodies.push_back(std::move(body));
            }
        }
        return bodies;
    }

    /// Makes the bodies of a branch or a loop functional. Both branches return what either of them writes to an
    /// operand.
    void runBodies(const ValueIds& sources)
    {
        std::vector<Body> bodies = functionalBodies();
        const bool isBranch = node().op == "higher_order::cond";
        const std::size_t results = node().outputs.size();
        std::set<std::size_t> written;
        for (Body& body : bodies) {
            written.insert(body.effects.written.begin(), body.effects.written.end());
            body.functional->refuseWrittenInputs(isBranch);
        }
        for (const Body& body : bodies) {
            for (const std::size_t i : isBranch ? written : std::set<std::size_t>()) {
                body.graph->outputs.push_back(body.functional->elements(body.graph->inputs.at(i)));
            }
            if (writesInPlace(graph().subgraph(body.id))) {
                m_graph.subgraphs[body.id.index] =
                    std::make_shared<const Graph>(GraphRewriter(*body.graph, "aten::alias").finish().graph);
            } else if (isBranch && !written.empty()) {
                m_graph.subgraphs[body.id.index] = std::make_shared<const Graph>(*body.graph);
            }
        }
        if (isBranch) {
            for (const std::size_t i : written) {
                writeOperand(sources, i);
            }
        }
        shareResults(sources, bodies, results);
    }

    std::optional<ValueId> operandNamed(const ValueIds& sources, std::string_view name) const
    {
        const auto input = inputNamed(node(), name);
        return input && *input < sources.size() ? std::optional(sources[*input]) : std::nullopt;
    }

    /// The operand of a branch that is an input of its bodies.
    std::optional<ValueId> bodyOperand(const ValueIds& sources, std::size_t position) const
    {
        return operandNamed(sources, fmt::format("operand3[{}]", position));
    }

    /// A further result of a branch is the content of an operand afterwards.
    void writeOperand(const ValueIds& sources, std::size_t position)
    {
        const auto operand = bodyOperand(sources, position);
        const ValueId content = m_graph.addOutput(m_node, fmt::format("{}#{}", node().name, node().outputs.size()));
        if (operand) {
            m_graph.value(content).type = graph().value(*operand).type;
            write(current(*operand), content);
        }
    }

    /// Results of a branch, and the last states of a loop, may be operands or views of them. Stacked results are
    /// copies.
    void shareResults(const ValueIds& sources, const std::vector<Body>& bodies, std::size_t results)
    {
        if (node().op == "higher_order::cond") {
            for (const Body& body : bodies) {
                for (std::size_t k = 0; k < std::min(results, body.effects.shared.size()); ++k) {
                    for (const std::size_t position : body.effects.shared[k]) {
                        if (const auto operand = bodyOperand(sources, position)) {
                            share(node().outputs[k], *operand);
                        }
                    }
                }
            }
        } else if (node().op == "higher_order::while_loop" || node().op == "higher_order::scan") {
            const bool isWhile = node().op == "higher_order::while_loop";
            for (std::size_t k = 0; k < results; ++k) { // a loop of no step returns what it is given
                const auto carried = operandNamed(sources, fmt::format("{}[{}]", isWhile ? "operand2" : "operand1", k));
                const BodyEffects& effects = bodies.back().effects;
                if (carried) {
                    share(node().outputs[k], *carried);
                }
                for (std::size_t i = 0;
                     carried && k < effects.shared.size() && !effects.shared[k].empty() && i < sources.size(); ++i) {
                    share(node().outputs[k], sources[i]);
                }
            }
        }
    }

    /// Writes to inputs of a body that have no form: all of a loop, and those to memory that an input may share.
    void refuseWrittenInputs(bool isBranch)
    {
        for (const ValueId input : graph().inputs) {
            if (const NodeId writer = memory(input).writer; writer && !isBranch) {
                refuse(writer, "writes to an operand of the loop that contains it");
            }
            if (const NodeId writer = memory(input).staleSince) {
                refuse(writer, "may write to an operand of the branch or loop that contains it");
            }
        }
    }

    /// Reports each node once.
    void refuse(NodeId at, const std::string& what, const char* hint = "copy the tensor before the write, with clone()")
    {
        if (!m_refused.insert(at).second) {
            return;
        }
        const Node& writer = graph().node(at);
        Diagnostic problem{.code = "unsupported-operator",
                           .message = fmt::format("{} {}", writer.op, what),
                           .nodeIndex = at.index,
                           .op = writer.op,
                           .hint = hint};
        if (m_path.empty()) {
            problem.node = NodeNames(graph()).of(at);
        } else {
            problem.path = m_path;
            problem.nodeIndex = m_path.front().node;
            problem.indexInBody = at.index;
        }
        m_problems.push_back(std::move(problem));
    }

    Graph& m_graph;
    const Budget& m_budget;
    GraphPath m_path;
    ViewCalls m_views;
    bool m_writes;                      ///< whether any part of the program writes in place
    ValueIds m_outputs;                 ///< those of the source
    std::map<ValueId, ValueId> m_inner; ///< by output that is read where it is computed: its elements there
    std::uint32_t m_sourceNodes;
    std::set<ValueId> m_contiguous;
    std::vector<Diagnostic>& m_problems;
    std::map<ValueId, Memory> m_memory;
    std::map<ValueId, ValueId> m_storages;        ///< as in ProgramState, of this graph
    std::map<ValueId, ValueId> m_writtenStorages; ///< the first tensor of each that is written
    std::set<NodeId> m_refused;
    NodeId m_node = {}; ///< that is being visited; none for the outputs
};

} // namespace

std::map<ValueId, ValueId> functionalize(Graph& graph, const ProgramState& state, std::vector<Diagnostic>& problems)
{
    Functionalization functionalization(graph, {}, graph.budget, state.contiguous, problems);
    functionalization.setStorages(state.storages);
    for (const ValueId output : graph.outputs) {
        if (!state.returned.contains(output)) {
            functionalization.readWhereComputed(output);
        }
    }
    return functionalization.run();
}

} // namespace crosswalk::pytorch
