#include "core/formats/tensorflow/ops/recurrent/joined_weights.h"

#include "core/convert/emit.h"

namespace crosswalk::tensorflow {

forms::CellWeights joinedWeights(const NodeContext& ctx, OnnxValue weights, std::int64_t hidden, OnnxValue bias)
{
    const std::int64_t features = ctx.fixedDim(weights, 0) - hidden;
    if (features < 1) {
        ctx.wrongWeight("its weights have too few rows for the units of the cell");
    }
    const OnnxValues parts = emit::split(ctx, weights, 0, {features, hidden});
    return {.input = {parts[0]}, .recurrent = {parts[1]}, .bias = {bias}};
}

} // namespace crosswalk::tensorflow
