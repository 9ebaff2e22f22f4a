#include "core/formats/tensorflow/ops/recurrent/read_outputs.h"

#include "core/graph/reads.h"

namespace crosswalk::tensorflow {

std::bitset<8> readOutputs(const NodeContext& ctx)
{
    std::bitset<8> isRead;
    const auto mark = [&](ValueId id) {
        const Value& value = ctx.graph.value(id);
        if (value.producer == ctx.id && value.producerOutput < isRead.size()) {
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
