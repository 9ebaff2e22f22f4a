#include "core/formats/mxnet/reroll/linear_gate.h"
#include "core/formats/mxnet/attribute_lookup.h"

namespace crosswalk::mxnet {
namespace {

/// Sums of more terms are not gates.
constexpr std::size_t mostTerms = 2;
constexpr int mostGateDepth = 6;

std::optional<LinearGate> read(const GraphRewriter& graph, ValueId value, int depth);

std::optional<LinearGate> product(const GraphRewriter& graph, const Node& node)
{
    const auto rows = integer(node.attributes, "num_hidden");
    const bool hasBias = !flag(node.attributes, "no_bias", false);
    if (!rows || *rows < 1 || node.inputs.size() != (hasBias ? 3U : 2U)) {
        return std::nullopt;
    }
    LinearGate gate;
    gate.terms.push_back(
        {graph.input(node, 0), {graph.input(node, 1), hasBias ? graph.input(node, 2) : ValueId{}, 0, *rows, *rows}});
    return gate;
}

std::optional<LinearGate> sum(const GraphRewriter& graph, const Node& node, int depth)
{
    LinearGate all;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        const auto part = read(graph, graph.input(node, i), depth);
        if (!part || all.terms.size() + part->terms.size() > mostTerms) {
            return std::nullopt;
        }
        all.terms.insert(all.terms.end(), part->terms.begin(), part->terms.end());
        all.nodes.insert(all.nodes.end(), part->nodes.begin(), part->nodes.end());
    }
    return all;
}

/// A range of columns comes from a range of rows of each matrix.
std::optional<LinearGate> part(const GraphRewriter& graph, const Node& node, std::size_t which, int depth)
{
    const auto axis = integer(node.attributes, "axis", 1);
    const auto parts = static_cast<std::int64_t>(node.outputs.size());
    if (!axis || (*axis != 1 && *axis != -1) || flag(node.attributes, "squeeze_axis", false) ||
        integer(node.attributes, "num_outputs") != parts) {
        return std::nullopt;
    }
    auto gate = read(graph, graph.input(node, 0), depth);
    if (!gate) {
        return std::nullopt;
    }
    for (LinearGate::Term& term : gate->terms) {
        if (term.rows.count % parts != 0) {
            return std::nullopt;
        }
        term.rows.count /= parts;
        term.rows.first += static_cast<std::int64_t>(which) * term.rows.count;
    }
    return gate;
}

std::optional<LinearGate> read(const GraphRewriter& graph, ValueId value, int depth)
{
    const Node* node = graph.producerNode(value);
    if (node == nullptr || depth == 0) {
        return std::nullopt;
    }
    std::optional<LinearGate> gate;
    if (node->op == "FullyConnected") {
        gate = product(graph, *node);
    } else if (node->op == "elemwise_add" || node->op == "broadcast_add" || node->op == "add_n") {
        gate = sum(graph, *node, depth - 1);
    } else if (node->op == "SliceChannel") {
        std::size_t which = 0;
        while (node->outputs[which] != graph.current(value)) {
            ++which;
        }
        gate = part(graph, *node, which, depth - 1);
    }
    if (gate) {
        gate->nodes.push_back(graph.producer(value));
    }
    return gate;
}

} // namespace

std::optional<LinearGate> readLinearGate(const GraphRewriter& graph, ValueId value)
{
    return read(graph, value, mostGateDepth);
}

} // namespace crosswalk::mxnet
