// Nodes into which an MXNet backend fused other nodes. The file contains those as a subgraph.

#include "core/convert/emit.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/graph/attributes.h"

#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

/// The fused nodes. A variable of the subgraph represents the node's input at its position.
OnnxValues opened(NodeContext& ctx)
{
    const auto* bodies = attributeOf<std::vector<SubgraphId>>(ctx.node, "subgraphs");
    if (bodies == nullptr || bodies->size() != 1) {
        ctx.invalid(fmt::format("{} requires one subgraph, but this node has {}", ctx.node.op,
                                bodies == nullptr ? 0 : bodies->size()));
    }
    if (Attributes(ctx).boolean("quantized", false)) {
        ctx.refuse("its weights are quantized when MXNet loads them, in a way that depends on the machine", "quantized",
                   "convert the model from before quantization");
    }
    const SubgraphId body = bodies->front();
    const std::size_t wanted = ctx.graph.subgraph(body).inputs.size();
    if (wanted != ctx.inputCount()) {
        ctx.invalid(fmt::format("its subgraph takes {} values, but the node has {} inputs", wanted, ctx.inputCount()));
    }
    return ctx.translateSubgraph(body, ctx.inputs());
}

constexpr std::string_view form = "the translation of its subgraph";

} // namespace

std::span<const OpRow> fusedSubgraphOps()
{
    static constexpr OpRow rows[] = {
        {"_CachedOp", opened, form},
        {"_CachedOpThreadSafe", opened, form},
        {"_sg_mkldnn_conv", opened, form, Support::Exact, "only if it is not quantized"},
        {"_sg_mkldnn_fully_connected", opened, form, Support::Exact, "only if it is not quantized"},
        {"_sg_mkldnn_selfatt_qk", opened, form, Support::Exact, "only if it is not quantized"},
        {"_sg_mkldnn_selfatt_valatt", opened, form, Support::Exact, "only if it is not quantized"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
