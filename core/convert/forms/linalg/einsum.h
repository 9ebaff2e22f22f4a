#pragma once

#include "core/convert/emit.h"

#include <string>

namespace crosswalk::forms {

/// Einsum, in the type of the operands. Refused below opset 12, which does not have it.
inline OnnxValue einsum(const NodeContext& ctx, const OnnxValues& operands, const std::string& equation)
{
    constexpr int firstOpset = 12;
    if (ctx.onnx.opset() < firstOpset) {
        ctx.refuse("Einsum requires opset 12", {}, "use --opset 12 or a later one");
    }
    return ctx.emit("Einsum", operands, {{"equation", equation}});
}

} // namespace crosswalk::forms
