#include "core/formats/tensorflow/identities.h"

namespace crosswalk::tensorflow {

ValueId behindIdentities(const Graph& graph, ValueId value)
{
    // A damaged graph may contain a cycle of them.
    for (std::size_t step = 0; value && step < graph.nodeCount(); ++step) {
        const NodeId producer = graph.value(value).producer;
        if (!producer || graph.node(producer).op != "Identity" || graph.node(producer).inputs.empty()) {
            break;
        }
        value = graph.node(producer).inputs[0];
    }
    return value;
}

} // namespace crosswalk::tensorflow
