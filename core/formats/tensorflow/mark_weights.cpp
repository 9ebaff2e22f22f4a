#include "core/formats/tensorflow/mark_weights.h"

#include "core/formats/tensorflow/variable_nodes.h"
#include "core/graph/attributes.h"
#include "core/graph/needed_nodes.h"
#include "core/graph/parameters.h"

namespace crosswalk::tensorflow {
namespace {

bool isWeight(const Node& node, const Tensor& content)
{
    return isVariable(node) || (node.op == "Const" && crosswalk::isWeight(content));
}

} // namespace

void markWeights(Graph& graph)
{
    const std::vector<bool> isNeeded = neededNodes(graph);
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const Node& node = graph.node(NodeId{i});
        const auto* content = isNeeded[i] ? attributeOf<TensorId>(node, "value") : nullptr;
        if (content != nullptr && !node.outputs.empty() && isWeight(node, graph.tensor(*content))) {
            graph.value(node.outputs[0]).role = Role::Parameter;
        }
    }
}

} // namespace crosswalk::tensorflow
