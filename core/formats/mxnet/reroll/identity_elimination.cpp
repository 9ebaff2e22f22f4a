#include "core/formats/mxnet/reroll/identity_elimination.h"
#include "core/formats/mxnet/attribute_lookup.h"

namespace crosswalk::mxnet {
namespace {

bool isOnes(const GraphRewriter& graph, ValueId value)
{
    return graph.from("ones_like", value) != nullptr;
}

/// The input that a node returns unchanged; absent if there is none. Zoneout and variational dropout leave masks of
/// ones at inference (mxnet-rnn.md, section 9).
ValueId passedOn(const GraphRewriter& graph, const Node& node)
{
    if (node.op == "_copy" || node.op == "BlockGrad" ||
        (node.op == "Dropout" && findAttribute(node.attributes, "mode").value_or("training") == "training")) {
        return graph.input(node, 0);
    }
    if (node.op == "where" && node.inputs.size() == 3 && isOnes(graph, graph.input(node, 0))) {
        return graph.input(node, 1);
    }
    if (node.op == "elemwise_mul" && node.inputs.size() == 2) {
        return isOnes(graph, graph.input(node, 1))   ? graph.input(node, 0)
               : isOnes(graph, graph.input(node, 0)) ? graph.input(node, 1)
                                                     : ValueId{};
    }
    return {};
}

} // namespace

void eliminateIdentities(GraphRewriter& graph)
{
    for (std::uint32_t i = 0; i < graph.sourceNodes(); ++i) {
        const Node& node = graph.graph().node(NodeId{i});
        if (const ValueId input = node.outputs.empty() ? ValueId{} : passedOn(graph, node)) {
            graph.replace(node.outputs[0], input);
        }
    }
}

} // namespace crosswalk::mxnet
