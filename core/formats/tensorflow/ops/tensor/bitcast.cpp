// Bitcast: the bytes of elements as elements of another type.

#include "core/base/budget.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

bool hasWholeBytes(ElementType type)
{
    return isFloating(type) || (isInteger(type) && byteSize(type) > 0);
}

/// The dimensions of the result: elements of more bytes take the last axis, elements of fewer add one.
Ints dimsAs(const NodeContext& ctx, const Tensor& tensor, ElementType type)
{
    const auto from = static_cast<std::int64_t>(byteSize(tensor.type()));
    const auto to = static_cast<std::int64_t>(byteSize(type));
    Ints dims = tensor.dims();
    if (to < from) {
        dims.push_back(from / to);
    } else if (to > from) {
        if (dims.empty() || dims.back() != to / from) {
            ctx.invalid(fmt::format("{} elements of {} are one of {}", to / from, elementTypeName(tensor.type()),
                                    elementTypeName(type)),
                        "type");
        }
        dims.pop_back();
    }
    return dims;
}

OnnxValues bitcast(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const ElementType from = ctx.element(x);
    const ElementType to = Settings(ctx).elementType("type");
    if (!hasWholeBytes(from) || !hasWholeBytes(to)) {
        ctx.refuse(fmt::format("Bitcast from {} to {}", elementTypeName(from), elementTypeName(to)), "type");
    }
    if (from == to) {
        return {x};
    }
    if (const Tensor* stored = ctx.onnx.content(x)) {
        Budget::expectCopied(stored->bytes());
        return {ctx.onnx.constant(Tensor::owned(to, dimsAs(ctx, *stored, to), stored->toBytes()))};
    }
    if (byteSize(from) != byteSize(to)) {
        ctx.refuse(fmt::format("Bitcast from {} to {} changes the number of elements, which ONNX's BitCast does not",
                               elementTypeName(from), elementTypeName(to)),
                   "type");
    }
    constexpr int firstOpset = 26;
    if (ctx.onnx.opset() < firstOpset) {
        ctx.refuse(fmt::format("ONNX has BitCast from opset {} on", firstOpset), {},
                   fmt::format("take --opset {}", firstOpset));
    }
    return {ctx.emit("BitCast", {x}, {{"to", static_cast<std::int64_t>(to)}})};
}

} // namespace

std::span<const OpRow> bitcastOps()
{
    static constexpr OpRow rows[] = {
        {"Bitcast", bitcast, "BitCast", "computed values: types of equal size, opset 26"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
