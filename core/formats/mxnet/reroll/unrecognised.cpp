#include "core/formats/mxnet/reroll/unrecognised.h"
#include "core/formats/mxnet/attribute_lookup.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace crosswalk::mxnet {
namespace {

/// The operators of LSTM, GRU and RNN steps.
constexpr std::array<std::string_view, 13> ofCells{
    "FullyConnected", "SliceChannel", "elemwise_add", "broadcast_add", "elemwise_mul",   "broadcast_mul", "sigmoid",
    "tanh",           "relu",         "ones_like",    "elemwise_sub",  "_rminus_scalar", "add_n"};

/// Nodes that compute `to` from `from`, both included; empty if `to` does not depend on `from`. The source is in
/// topological order, so all of them lie between the two.
NodeSet between(const GraphRewriter& graph, NodeId from, NodeId to)
{
    const auto reads = [&](NodeId id, const NodeSet& nodes) {
        const ValueIds& inputs = graph.graph().node(id).inputs;
        return std::any_of(inputs.begin(), inputs.end(), [&](ValueId input) {
            const NodeId producer = input ? graph.producer(input) : NodeId{};
            return producer && nodes.contains(producer);
        });
    };
    NodeSet after{from};
    for (std::uint32_t i = from.index + 1; i <= to.index; ++i) {
        if (reads(NodeId{i}, after)) {
            after.insert(NodeId{i});
        }
    }
    if (!after.contains(to)) {
        return {};
    }
    NodeSet before{to};
    for (auto id = after.rbegin(); id != after.rend(); ++id) {
        if (before.contains(*id)) {
            for (const ValueId input : graph.graph().node(*id).inputs) {
                if (const NodeId producer = input ? graph.producer(input) : NodeId{}; after.contains(producer)) {
                    before.insert(producer);
                }
            }
        }
    }
    return before;
}

std::string reasonOf(const GraphRewriter& graph, const NodeSet& step, NodeId first)
{
    const Node& product = graph.graph().node(first);
    if (product.op == "Convolution") {
        return "its steps are convolutions, but ONNX's recurrent operators multiply by matrices";
    }
    std::set<std::string> others;
    bool projects = false;
    for (const NodeId id : step) {
        const Node& node = graph.graph().node(id);
        const bool isGate = node.op == "Activation" && findAttribute(node.attributes, "act_type") != "softrelu" &&
                            findAttribute(node.attributes, "act_type") != "softsign";
        projects = projects || (node.op == "FullyConnected" && graph.input(node, 1) != graph.input(product, 1));
        if (!isGate && std::find(ofCells.begin(), ofCells.end(), node.op) == ofCells.end()) {
            others.insert(node.op == "Activation" ? std::string(findAttribute(node.attributes, "act_type").value_or(""))
                                                  : node.op);
        }
    }
    if (!others.empty()) {
        return fmt::format("its steps contain {}, which no LSTM, GRU or RNN of MXNet contains",
                           fmt::join(others, ", "));
    }
    return projects ? "its steps multiply the state by a second matrix, which ONNX's recurrent operators do not have"
                    : "its steps are neither an LSTM nor a GRU nor an RNN";
}

} // namespace

std::vector<Unrecognised> unrecognisedSteps(const GraphRewriter& graph, NodeSet explained)
{
    const std::vector<bool> needed = graph.neededNodes();
    ByValue<std::vector<NodeId>> byWeight;
    for (std::uint32_t i = 0; i < graph.sourceNodes(); ++i) {
        const Node& node = graph.graph().node(NodeId{i});
        if (needed[i] && (node.op == "FullyConnected" || node.op == "Convolution") && node.inputs.size() > 1) {
            byWeight[graph.input(node, 1)].push_back(NodeId{i});
        }
    }
    std::vector<Unrecognised> found;
    for (const auto& [weight, nodes] : byWeight) {
        if (nodes.size() < 2 || explained.contains(nodes.front())) {
            continue;
        }
        NodeSet step = between(graph, nodes[0], nodes[1]);
        const bool known = std::any_of(step.begin(), step.end(), [&](NodeId node) { return explained.contains(node); });
        if (step.empty() || known) {
            continue;
        }
        found.push_back(
            {nodes.front(), fmt::format("{} steps that share {} stay unrolled: {}", nodes.size(),
                                        graph.graph().value(weight).name, reasonOf(graph, step, nodes.front()))});
        explained.merge(step);
    }
    return found;
}

} // namespace crosswalk::mxnet
