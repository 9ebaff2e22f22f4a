#include "core/formats/tensorflow/ops/operands.h"

#include <fmt/format.h>

namespace crosswalk::tensorflow {

Ints constantInts(const NodeContext& ctx, std::size_t i, std::string_view what)
{
    const auto values = knownInts(ctx, ctx.input(i));
    if (!values) {
        ctx.refuse(fmt::format("{} is computed at run time, but ONNX requires a constant", what), {},
                   "make it a constant");
    }
    return *values;
}

std::int64_t constantInt(const NodeContext& ctx, std::size_t i, std::string_view what)
{
    const Ints values = constantInts(ctx, i, what);
    if (values.size() != 1) {
        ctx.invalid(fmt::format("{} has {} elements instead of 1", what, values.size()));
    }
    return values.front();
}

std::vector<double> constantNumbers(const NodeContext& ctx, std::size_t i, std::string_view what)
{
    const Tensor* stored = ctx.onnx.content(ctx.input(i));
    if (stored == nullptr) {
        ctx.refuse(fmt::format("{} is computed at run time", what), {}, "make it a constant");
    }
    return stored->toDoubles();
}

std::string constantString(const NodeContext& ctx, std::size_t i, std::string_view what)
{
    const Tensor* stored = ctx.onnx.content(ctx.input(i));
    if (stored == nullptr) {
        ctx.refuse(fmt::format("the {} is computed at run time, but ONNX requires a constant", what), {},
                   "make it a constant");
    }
    if (stored->type() != ElementType::String || stored->elements() != 1) {
        ctx.invalid(fmt::format("the {} must be one string", what));
    }
    return stored->toStrings().front();
}

void expectOpset(const NodeContext& ctx, int first, std::string_view op)
{
    if (ctx.onnx.opset() < first) {
        ctx.refuse(fmt::format("{} requires ONNX's {}, available from opset {}", ctx.node.op, op, first), {},
                   fmt::format("take --opset {}", first));
    }
}

OnnxValue sizeOf(const NodeContext& ctx, OnnxValue x)
{
    // ONNX Runtime's Size takes no bfloat16.
    return ctx.emit("Size", {ctx.element(x) == ElementType::BFloat16 ? emit::cast(ctx, x, ElementType::Float32) : x});
}

} // namespace crosswalk::tensorflow
