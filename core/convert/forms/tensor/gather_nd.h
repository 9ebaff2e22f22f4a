#pragma once

#include "core/convert/emit.h"

#include <cstdint>

namespace crosswalk::forms {

/// GatherND whose indices begin with the first `batch` axes of x. Refused below opset 12, which has no batch axes.
inline OnnxValue gatherInBatches(const NodeContext& ctx, OnnxValue x, OnnxValue indices, std::int64_t batch)
{
    constexpr int firstOpset = 12;
    if (batch > 0 && ctx.onnx.opset() < firstOpset) {
        ctx.refuse("GatherND with batch axes requires opset 12", {}, "use --opset 12 or a later one");
    }
    return ctx.emit("GatherND", {x, indices}, {{"batch_dims", batch}});
}

} // namespace crosswalk::forms
