#include "core/formats/pytorch/lowering/functionalize.h"

#include "core/formats/pytorch/argument_names.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>

namespace crosswalk::pytorch {
namespace {

constexpr std::string_view space = "aten::";

bool isOneOf(std::string_view op, std::span<const std::string_view> names)
{
    return op.starts_with(space) && std::ranges::find(names, op.substr(space.size())) != names.end();
}

/// The results are `self`.
bool isAlias(std::string_view op)
{
    static constexpr auto names =
        std::to_array<std::string_view>({"alias", "detach", "detach_", "dropout", "feature_dropout", "lift_fresh"});
    return isOneOf(op, names);
}

/// The results share memory with `self`.
bool isView(std::string_view op)
{
    static constexpr auto names = std::to_array<std::string_view>(
        {"_unsafe_view", "as_strided", "broadcast_to", "chunk",   "diagonal",  "expand",
         "expand_as",    "imag",       "mT",           "movedim", "narrow",    "numpy_T",
         "permute",      "real",       "select",       "slice",   "split",     "split_with_sizes",
         "squeeze",      "swapaxes",   "swapdims",     "t",       "transpose", "unbind",
         "unflatten",    "unfold",     "unsqueeze",    "view",    "view_as",   "view_as_complex",
         "view_as_real"});
    return isOneOf(op, names);
}

/// The results may share memory with the operands, which the order of their elements in memory decides.
bool isPossibleView(std::string_view op)
{
    static constexpr auto names = std::to_array<std::string_view>(
        {"broadcast_tensors", "contiguous", "flatten", "ravel", "reshape", "reshape_as", "to", "type_as"});
    return isOneOf(op, names);
}

/// Operators that give `self` another shape, but write to no element.
bool isInPlaceView(std::string_view op)
{
    static constexpr auto names =
        std::to_array<std::string_view>({"squeeze_", "swapaxes_", "swapdims_", "t_", "transpose_", "unsqueeze_"});
    return isOneOf(op, names);
}

bool isInPlace(std::string_view op)
{
    return op.starts_with(space) && op.ends_with('_') && !op.ends_with("__") && op != "aten::detach_";
}

/// An operator to be called, with the arguments of a node as far as it has them.
struct Call {
    std::string op;
    std::vector<std::pair<std::string, ValueId>> inputs;
    std::vector<Attribute> attributes;
};

class Functionalization {
public:
    Functionalization(Graph& graph, std::vector<Diagnostic>& problems)
        : m_graph(graph)
        , m_sourceNodes(static_cast<std::uint32_t>(graph.nodeCount()))
        , m_problems(problems)
    {
    }

    std::map<ValueId, ValueId> run()
    {
        for (std::uint32_t i = 0; i < m_sourceNodes; ++i) {
            m_node = NodeId{i};
            std::vector<ValueId> inputs = node().inputs;
            const std::vector<ValueId> sources = inputs;
            for (ValueId& input : inputs) {
                input = input ? read(input) : input;
            }
            m_graph.node(m_node).inputs = std::move(inputs);
            if (isInPlaceView(node().op)) {
                reshapeInPlace(sources);
            } else if (isInPlace(node().op)) {
                writeInPlace(sources);
            } else {
                addResults(sources);
            }
        }
        m_node = {};
        for (std::size_t i = 0; i < graph().outputs.size(); ++i) {
            const ValueId output = graph().outputs[i];
            const ValueId last = read(output);
            if (last != output && graph().value(output).producer) { // a stored tensor as an output is a state
                std::swap(m_graph.value(output).name, m_graph.value(last).name);
                m_graph.outputs[i] = last;
            }
        }
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
        std::uint32_t version = 0;       ///< of the memory: of a base, the number of writes
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

    ValueId elements(ValueId value)
    {
        const Memory& root = memory(rootOf(value));
        if (root.staleSince) {
            refuse(root.staleSince,
                   fmt::format("writes to memory that {} may share, which is read later", graph().value(value).name));
        }
        Memory& seen = memory(value);
        if (!seen.base || seen.version == root.version) {
            return seen.value;
        }
        const ValueId base = elements(seen.base);
        seen.value = seen.view ? viewOf(base, seen.view, seen.output, value) : base;
        seen.version = root.version;
        return seen.value;
    }

    void addView(ValueId result, ValueId base, NodeId view, std::size_t output)
    {
        m_memory.insert_or_assign(result, Memory{.value = result,
                                                 .base = base,
                                                 .view = view,
                                                 .output = output,
                                                 .version = memory(rootOf(base)).version});
    }

    void addResults(const std::vector<ValueId>& sources)
    {
        if (sources.empty() || !sources[0]) {
            return;
        }
        const bool isSame = isAlias(node().op);
        if (isSame || isView(node().op)) {
            for (std::size_t i = 0; i < node().outputs.size(); ++i) {
                addView(node().outputs[i], current(sources[0]), isSame ? NodeId{} : m_node, i);
            }
        } else if (isPossibleView(node().op)) {
            for (const ValueId output : node().outputs) {
                for (const ValueId source : sources) {
                    share(output, source);
                }
            }
        }
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

    void writeInPlace(const std::vector<ValueId>& sources)
    {
        if (sources.empty() || !sources[0] || node().outputs.size() != 1) {
            return;
        }
        m_graph.node(m_node).op.pop_back();
        m_graph.node(m_node).attributes.push_back({std::string(inPlace), true});
        const ValueId target = current(sources[0]);
        const ValueId result = node().outputs[0];
        write(target, result);
        addView(result, target, {}, 0);
    }

    void reshapeInPlace(const std::vector<ValueId>& sources)
    {
        if (sources.empty() || !sources[0] || node().outputs.size() != 1) {
            return;
        }
        m_graph.node(m_node).op.pop_back();
        const ValueId target = current(sources[0]);
        addView(node().outputs[0], target, m_node, 0);
        memory(target).continuesAs = node().outputs[0];
    }

    void write(ValueId value, ValueId content)
    {
        const Memory before = memory(value);
        if (before.base) {
            const ValueId whole =
                before.view ? scattered(elements(before.base), Node(graph().node(before.view)), before.output, content)
                            : content;
            if (!whole) {
                refuse(m_node,
                       fmt::format("writes to the result of {}, which is not supported", graph().node(before.view).op));
                return;
            }
            write(before.base, whole);
        } else {
            ++memory(value).version;
            for (const ValueId other : before.mayShare) {
                memory(rootOf(other)).staleSince = m_node;
            }
        }
        memory(value).value = content;
        memory(value).version = memory(rootOf(value)).version;
    }

    // Calls of operators.

    /// The node's operator and arguments, without `self` and what describes the node.
    Call callOf(const Node& node) const
    {
        static constexpr auto own = std::to_array<std::string_view>({argumentNames, computedNumbers, overloadName});
        Call call{.op = node.op, .inputs = {}, .attributes = {}};
        const auto* names = attributeOf<std::vector<std::string>>(node, argumentNames);
        for (std::size_t i = 1; names != nullptr && i < node.inputs.size() && i < names->size(); ++i) {
            call.inputs.emplace_back((*names)[i], node.inputs[i]);
        }
        for (const Attribute& attribute : node.attributes) {
            if (std::ranges::find(own, attribute.name) == own.end()) {
                call.attributes.push_back(attribute);
            }
        }
        return call;
    }

    static void set(Call& call, std::string_view name, std::int64_t value)
    {
        std::erase_if(call.attributes, [&](const Attribute& attribute) { return attribute.name == name; });
        std::erase_if(call.inputs, [&](const auto& input) { return input.first == name; });
        call.attributes.push_back({std::string(name), value});
    }

    std::vector<ValueId> emit(Call call, ValueId self, NodeId origin, std::size_t outputs = 1)
    {
        std::vector<std::string> names{"self"};
        std::vector<std::string> numbers;
        std::vector<ValueId> inputs{self};
        for (const auto& [name, value] : call.inputs) {
            names.push_back(name);
            inputs.push_back(value);
            if (name != "src" && name != "other") { // arguments of views are numbers
                numbers.push_back(name);
            }
        }
        call.attributes.push_back({std::string(argumentNames), std::move(names)});
        if (!numbers.empty()) {
            call.attributes.push_back({std::string(computedNumbers), std::move(numbers)});
        }
        const NodeId made = m_graph.addNode({.op = std::move(call.op),
                                             .name = graph().node(origin).name,
                                             .inputs = std::move(inputs),
                                             .attributes = std::move(call.attributes),
                                             .origins = {{{}, origin}}});
        std::vector<ValueId> results;
        for (std::size_t i = 0; i < outputs; ++i) {
            results.push_back(m_graph.addOutput(made, fmt::format("{}#{}", graph().node(made).op, made.index)));
        }
        return results;
    }

    /// A view of the base's new elements.
    ValueId viewOf(ValueId base, NodeId view, std::size_t output, ValueId value)
    {
        const Node made = graph().node(view);
        Call call = callOf(made);
        const ValueId result = emit(std::move(call), base, m_node ? m_node : view, made.outputs.size()).at(output);
        m_graph.value(result).type = graph().value(value).type;
        return result;
    }

    /// The base with the elements of a view replaced; nothing if there is no form for it.
    ValueId scattered(ValueId base, const Node& view, std::size_t output, ValueId part)
    {
        Call call = callOf(view);
        const std::string_view name = std::string_view(view.op).substr(space.size());
        ValueId self = base;
        const auto into = [&](const char* op) {
            call.op = op;
            call.inputs.emplace_back("src", part);
        };
        if (name == "select" || name == "slice" || name == "diagonal") {
            into(name == "select"  ? "aten::select_scatter"
                 : name == "slice" ? "aten::slice_scatter"
                                   : "aten::diagonal_scatter");
        } else if (name == "unbind") {
            set(call, "index", static_cast<std::int64_t>(output));
            into("aten::select_scatter");
        } else if (name == "narrow") {
            const auto* start = attributeOf<std::int64_t>(view, "start");
            const auto* length = attributeOf<std::int64_t>(view, "length");
            std::int64_t end = 0;
            if (start == nullptr || length == nullptr || *start < 0 || __builtin_add_overflow(*start, *length, &end)) {
                return {};
            }
            set(call, "end", end);
            std::erase_if(call.attributes, [](const Attribute& attribute) { return attribute.name == "length"; });
            into("aten::slice_scatter");
        } else if (name == "split" || name == "chunk" || name == "split_with_sizes") {
            const auto range = rangeOf(view, output);
            if (!range) {
                return {};
            }
            call.inputs.clear();
            std::erase_if(call.attributes, [](const Attribute& attribute) {
                return attribute.name == "split_size" || attribute.name == "split_sizes" || attribute.name == "chunks";
            });
            set(call, "start", range->first);
            set(call, "end", range->second);
            into("aten::slice_scatter");
        } else if (name == "transpose" || name == "swapaxes" || name == "swapdims" || name == "t" || name == "mT" ||
                   name == "numpy_T") {
            self = part; // its own inverse
        } else if (name == "permute") {
            auto inverse = inversePermutation(view);
            if (inverse.empty()) {
                return {};
            }
            call.attributes = {{"dims", std::move(inverse)}};
            call.inputs.clear();
            self = part;
        } else if (name == "view" || name == "_unsafe_view" || name == "view_as" || name == "unflatten" ||
                   name == "unsqueeze" || name == "squeeze") {
            call = {.op = "aten::reshape_as", .inputs = {{"other", base}}, .attributes = {}};
            self = part;
        } else {
            return {};
        }
        const ValueId result = emit(std::move(call), self, m_node).front();
        m_graph.value(result).type = graph().value(base).type;
        return result;
    }

    /// The positions of a part along the axis, if all sizes are known.
    std::optional<std::pair<std::int64_t, std::int64_t>> rangeOf(const Node& view, std::size_t output) const
    {
        const auto* dim = attributeOf<std::int64_t>(view, "dim");
        std::int64_t start = 0;
        for (std::size_t i = 0; i < view.outputs.size(); ++i) {
            const auto& shape = graph().value(view.outputs[i]).type.shape;
            const auto rank = static_cast<std::int64_t>(shape ? shape->size() : 0);
            const std::int64_t axis = (dim != nullptr ? *dim : 0) + (dim != nullptr && *dim < 0 ? rank : 0);
            if (axis < 0 || axis >= rank || !(*shape)[static_cast<std::size_t>(axis)].isFixed()) {
                return std::nullopt;
            }
            const std::int64_t size = (*shape)[static_cast<std::size_t>(axis)].size;
            if (i == output) {
                return std::pair(start, start + size);
            }
            start += size;
        }
        return std::nullopt;
    }

    static std::vector<std::int64_t> inversePermutation(const Node& permute)
    {
        const auto* dims = attributeOf<std::vector<std::int64_t>>(permute, "dims");
        const auto rank = static_cast<std::int64_t>(dims != nullptr ? dims->size() : 0);
        std::vector<std::int64_t> inverse(static_cast<std::size_t>(rank));
        for (std::int64_t i = 0; i < rank; ++i) {
            const std::int64_t axis = (*dims)[static_cast<std::size_t>(i)];
            if (axis < -rank || axis >= rank) {
                return {};
            }
            inverse[static_cast<std::size_t>(axis < 0 ? axis + rank : axis)] = i;
        }
        return inverse;
    }

    /// Reports each node once.
    void refuse(NodeId at, const std::string& what)
    {
        if (!m_refused.insert(at).second) {
            return;
        }
        const Node& writer = graph().node(at);
        m_problems.push_back({.code = "unsupported-operator",
                              .message = fmt::format("{} {}", writer.op, what),
                              .node = NodeNames(graph()).of(at),
                              .nodeIndex = at.index,
                              .op = writer.op,
                              .hint = "copy the tensor before the write, with clone()"});
    }

    Graph& m_graph;
    std::uint32_t m_sourceNodes;
    std::vector<Diagnostic>& m_problems;
    std::map<ValueId, Memory> m_memory;
    std::set<NodeId> m_refused;
    NodeId m_node = {}; ///< that is being visited; none for the outputs
};

} // namespace

std::map<ValueId, ValueId> functionalize(Graph& graph, std::vector<Diagnostic>& problems)
{
    return Functionalization(graph, problems).run();
}

} // namespace crosswalk::pytorch
