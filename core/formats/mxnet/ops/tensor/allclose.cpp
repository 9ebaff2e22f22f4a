// _contrib_allclose: whether two tensors agree.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/precision.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"

namespace crosswalk::mxnet {
namespace {

OnnxValues allClose(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const ElementType own = ctx.element(ctx.input(0));
    const Precision precision(ctx, ctx.input(0), own == ElementType::Float64 ? own : ElementType::Float32);
    const OnnxValue a = precision.widen(ctx.input(0));
    const OnnxValue b = precision.widen(ctx.input(1));
    const auto tolerance = [&](std::string_view name, double fallback) {
        return ctx.onnx.scalar(precision.wide(),
                               static_cast<double>(static_cast<float>(attributes.number(name, fallback))));
    };
    const OnnxValue relative = ctx.emit("Mul", {tolerance("rtol", 1e-5), ctx.emit("Abs", {b})});
    const OnnxValue allowed = ctx.emit("Add", {tolerance("atol", 1e-8), relative});
    const OnnxValue distance = ctx.emit("Abs", {ctx.emit("Sub", {a, b})});
    OnnxValue close = ctx.emit("Or", {ctx.emit("Equal", {a, b}), arithmetic::lessOrEqual(ctx, distance, allowed)});
    const OnnxValue aIsNone = ctx.emit("IsNaN", {a});
    const OnnxValue bIsNone = ctx.emit("IsNaN", {b});
    close = ctx.emit("And", {close, ctx.emit("Not", {ctx.emit("Or", {aIsNone, bIsNone})})});
    if (attributes.boolean("equal_nan", true)) {
        close = ctx.emit("Or", {close, ctx.emit("And", {aIsNone, bIsNone})});
    }
    const OnnxValue all = emit::reduce(ctx, "ReduceMin", emit::cast(ctx, close, ElementType::Float32), {}, false);
    return {emit::cast(ctx, all, ElementType::UInt8)};
}

} // namespace

std::span<const OpRow> allcloseOps()
{
    static constexpr OpRow rows[] = {
        {"_contrib_allclose", allClose, "Sub, Abs, LessOrEqual, ReduceMin"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
