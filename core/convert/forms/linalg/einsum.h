#pragma once

#include "core/convert/emit.h"

#include <string>

namespace crosswalk::forms {

inline bool hasEinsum(const NodeContext& ctx)
{
    constexpr int firstOpset = 12;
    return ctx.onnx.opset() >= firstOpset;
}

/// Einsum, in the type of the operands. Refused below its first opset.
inline OnnxValue einsum(const NodeContext& ctx, const OnnxValues& operands, const std::string& equation)
{
    if (!hasEinsum(ctx)) {
        ctx.refuse("Einsum requires opset 12", {}, "use --opset 12 or a later one");
    }
    return ctx.emit("Einsum", operands, {{"equation", equation}});
}

} // namespace crosswalk::forms
