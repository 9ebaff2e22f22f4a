#include "core/formats/tensorflow/ops/recurrent/read_outputs.h"

#include "core/graph/reads.h"

namespace crosswalk::tensorflow {

std::vector<bool> readOutputs(const NodeContext& ctx)
{
    std::vector<bool> isRead(ctx.node.outputs.size());
    const auto mark = [&](ValueId id) {
        const Value& value = ctx.graph.value(id);
        if (value.producer == ctx.id) {
            isRead[value.producerOutput] = true;
        }
    };
    for (const Node& node : ctx.graph.nodes()) {
        forEachRead(ctx.graph, node, mark);
    }
    for (const ValueId output : ctx.graph.outputs) {
        mark(output);
    }
    return isRead;
}

} // namespace crosswalk::tensorflow
