#include "core/formats/pytorch/lowering/shared_weights.h"

#include "core/formats/pytorch/argument_names.h"
#include "core/graph/attributes.h"

#include <vector>

namespace crosswalk::pytorch {

void markSharedWeights(Graph& graph)
{
    std::vector<std::uint32_t> readers(graph.valueCount());
    for (const Node& node : graph.nodes()) {
        for (const ValueId input : node.inputs) {
            if (input) {
                ++readers[input.index];
            }
        }
    }
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const Node& node = graph.node(NodeId{i});
        const auto* names = attributeOf<std::vector<std::string>>(node, argumentNames);
        if (node.op != "aten::linear" || names == nullptr) {
            continue;
        }
        for (std::size_t k = 0; k < node.inputs.size() && k < names->size(); ++k) {
            const ValueId weight = node.inputs[k];
            if ((*names)[k] == "weight" && graph.tensorOf(weight) != nullptr && readers[weight.index] > 1) {
                graph.node(NodeId{i}).attributes.push_back({std::string(hasSharedWeight), true});
                break;
            }
        }
    }
}

} // namespace crosswalk::pytorch
