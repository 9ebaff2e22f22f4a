#include "core/formats/mxnet/deferred_shapes.h"

#include "core/formats/mxnet/attribute_lookup.h"
#include "core/formats/mxnet/axis_propagation.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace crosswalk::mxnet {
namespace {

/// A begin state directly precedes the cell that reads it; the number of nodes within which to look for the point where
/// it is combined with the data.
constexpr std::size_t lookAhead = 4096;

/// The place of an axis after all axes, of which there is an unknown number, changed places.
constexpr std::int64_t somewhere = 64;

constexpr std::array<std::string_view, 4> creators{"_full", "_ones", "_zeros", "_zeros_without_dtype"};

/// One dimension of an input of the graph.
struct InputAxis {
    ValueId input;
    std::int64_t axis = 0;
};

/// The graph input dimension that determines a dimension of a value.
std::optional<InputAxis> originOf(const Graph& graph, InputAxis place)
{
    std::vector<InputAxis> open{place};
    std::unordered_set<std::uint32_t> seen;
    while (!open.empty()) {
        const InputAxis at = open.back();
        open.pop_back();
        if (!at.input || !seen.insert(at.input.index).second) {
            continue;
        }
        const Value& value = graph.value(at.input);
        if (!value.producer) {
            if (!value.tensor && value.role == Role::Data) {
                return at;
            }
            continue;
        }
        const Node& node = graph.node(value.producer);
        for (std::size_t slot = node.inputs.size(); slot-- > 0;) {
            if (const auto axis = inputAxis(node, slot, at.axis, value.producerOutput)) {
                open.push_back({node.inputs[slot], *axis});
            }
        }
    }
    return std::nullopt;
}

/// Follows a dimension to the first operator that equates it with a dimension of an input.
std::optional<InputAxis> metBy(const Graph& graph, ValueId created, std::int64_t createdAxis)
{
    std::unordered_map<std::uint32_t, std::int64_t> follows{{created.index, createdAxis}};
    const std::size_t first = graph.value(created).producer.index + 1;
    const std::size_t end = std::min(graph.nodeCount(), first + lookAhead);
    for (std::size_t i = first; i < end; ++i) {
        const Node& node = graph.node(NodeId{static_cast<std::uint32_t>(i)});
        for (std::size_t slot = 0; slot < node.inputs.size(); ++slot) {
            const auto followed = follows.find(node.inputs[slot].index);
            if (followed == follows.end()) {
                continue;
            }
            const std::int64_t axis = followed->second; // a copy: appending to `follows` may move the original
            for (std::size_t k = 0; k < node.outputs.size(); ++k) {
                const auto out = outputAxis(node, slot, axis, k);
                if (!out || !follows.emplace(node.outputs[k].index, *out).second) {
                    continue;
                }
                for (std::size_t other = 0; other < node.inputs.size(); ++other) {
                    const auto met = inputAxis(node, other, *out, k);
                    if (met && !follows.contains(node.inputs[other].index)) {
                        if (const auto origin = originOf(graph, {node.inputs[other], *met})) {
                            return origin;
                        }
                    }
                }
            }
        }
    }
    return std::nullopt;
}

/// For each dimension of the node's `shape`: the input dimension that MXNet infers for it; nothing if it is not open or
/// no chain of operators determines it. Empty for any other operator.
std::vector<std::optional<InputAxis>> deferredDims(const Graph& graph, const Node& node)
{
    if (std::find(creators.begin(), creators.end(), node.op) == creators.end()) {
        return {};
    }
    const auto dims = integers(node.attributes, "shape").value_or(Ints());
    std::vector<std::optional<InputAxis>> sizes(dims.size());
    for (std::size_t axis = 0; axis < dims.size(); ++axis) {
        if (dims[axis] == 0) {
            sizes[axis] = metBy(graph, node.outputs[0], static_cast<std::int64_t>(axis));
        }
    }
    return sizes;
}

bool isCreated(const Graph& graph, ValueId value)
{
    const NodeId producer = graph.value(value).producer;
    return producer && std::find(creators.begin(), creators.end(), graph.node(producer).op) != creators.end();
}

/// Whether a size of 1 stands for the right one at this operand: the other operands have the right one, or the
/// translator enlarges a state.
bool isBroadcast(const Node& node, const std::unordered_map<std::uint32_t, std::int64_t>& follows)
{
    static constexpr std::array<std::string_view, 3> withStates{"RNN", "_foreach", "_while_loop"};
    if (std::find(withStates.begin(), withStates.end(), node.op) != withStates.end()) {
        return true;
    }
    const bool combines = combinesEqualShapes(node.op) || node.op.starts_with("broadcast_");
    return combines && std::any_of(node.inputs.begin(), node.inputs.end(),
                                   [&](ValueId input) { return !follows.contains(input.index); });
}

/// Whether the operand has a size of 1 next to others that have the right one.
bool isJoinedWithOthers(const Graph& graph, const Node& node)
{
    return (node.op == "Concat" || node.op == "stack") &&
           !std::all_of(node.inputs.begin(), node.inputs.end(), [&](ValueId input) { return isCreated(graph, input); });
}

} // namespace

bool dependsOnOpenSize(const Graph& graph, ValueId created, std::int64_t axis)
{
    std::unordered_map<std::uint32_t, std::int64_t> follows{{created.index, axis}};
    for (std::uint32_t i = graph.value(created).producer.index + 1; i < graph.nodeCount(); ++i) {
        const Node& node = graph.node(NodeId{i});
        for (std::size_t slot = 0; slot < node.inputs.size(); ++slot) {
            const auto followed = follows.find(node.inputs[slot].index);
            if (followed == follows.end() || isBroadcast(node, follows)) {
                continue;
            }
            const bool reverses = node.op == "transpose" && integers(node.attributes, "axes").value_or(Ints()).empty();
            const auto out = reverses ? std::optional(somewhere) : outputAxis(node, slot, followed->second, 0);
            if (!out || isJoinedWithOthers(graph, node)) {
                return true;
            }
            for (std::size_t k = 0; k < node.outputs.size(); ++k) {
                follows.emplace(node.outputs[k].index, *out);
            }
        }
    }
    return std::any_of(graph.outputs.begin(), graph.outputs.end(),
                       [&](ValueId output) { return follows.contains(output.index); });
}

bool connectDeferredShapes(GraphRewriter& graph, const ConvertOptions& options, std::vector<Diagnostic>& /*problems*/)
{
    std::map<NodeId, std::vector<std::optional<InputAxis>>> deferred;
    for (std::uint32_t i = 0; i < graph.graph().nodeCount(); ++i) {
        const Node& node = graph.graph().node(NodeId{i});
        if (options.customOperators.contains(node.op)) {
            continue;
        }
        auto dims = deferredDims(graph.graph(), node);
        if (std::any_of(dims.begin(), dims.end(), [](const auto& dim) { return dim.has_value(); })) {
            deferred.emplace(NodeId{i}, std::move(dims));
        }
    }
    for (const auto& [node, dims] : deferred) {
        ValueIds inputs;
        Ints axes;
        for (const auto& dim : dims) {
            inputs.push_back(dim ? dim->input : ValueId{});
            axes.push_back(dim ? dim->axis : -1);
        }
        graph.setInputs(node, std::move(inputs));
        graph.addAttribute(node, {std::string(deferredAxes), std::move(axes)});
    }
    return !deferred.empty();
}

} // namespace crosswalk::mxnet
