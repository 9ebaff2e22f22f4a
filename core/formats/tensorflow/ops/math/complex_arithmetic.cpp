// Operators that also take real numbers, on complex ones: pairs (real, imaginary) on a last axis of two.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/formats/tensorflow/ops/complex_operators.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_op_table.h"

#include <algorithm>
#include <unordered_map>

namespace crosswalk::tensorflow {
namespace {

struct Parts {
    OnnxValue real;
    OnnxValue imaginary;
};

std::int64_t pairAxis(const NodeContext& ctx, OnnxValue pairs)
{
    return static_cast<std::int64_t>(ctx.rank(pairs)) - 1;
}

/// Both parts, each with a last axis of one.
Parts partsOf(const NodeContext& ctx, OnnxValue pairs)
{
    const OnnxValues parts = emit::split(ctx, pairs, pairAxis(ctx, pairs), {1, 1});
    return {parts[0], parts[1]};
}

OnnxValue pairsOf(const NodeContext& ctx, const Parts& parts)
{
    return emit::concat(ctx, {parts.real, parts.imaginary}, pairAxis(ctx, parts.real));
}

OnnxValue product(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    const Parts x = partsOf(ctx, a);
    const Parts y = partsOf(ctx, b);
    const auto times = [&](OnnxValue left, OnnxValue right) { return ctx.emit("Mul", {left, right}); };
    return pairsOf(ctx, {ctx.emit("Sub", {times(x.real, y.real), times(x.imaginary, y.imaginary)}),
                         ctx.emit("Add", {times(x.real, y.imaginary), times(x.imaginary, y.real)})});
}

OnnxValues complexSum(NodeContext& ctx)
{
    return {arithmetic::add(ctx, ctx.input(0), ctx.input(1))};
}

OnnxValues difference(NodeContext& ctx)
{
    return {arithmetic::subtract(ctx, ctx.input(0), ctx.input(1))};
}

OnnxValues multiplied(NodeContext& ctx)
{
    return {product(ctx, ctx.input(0), ctx.input(1))};
}

OnnxValues squared(NodeContext& ctx)
{
    return {product(ctx, ctx.input(0), ctx.input(0))};
}

/// The product with the conjugate of the divisor, over the square of its magnitude.
OnnxValues divided(NodeContext& ctx)
{
    const OnnxValue divisor = ctx.input(1);
    const std::int64_t axis = pairAxis(ctx, divisor);
    const Parts parts = partsOf(ctx, divisor);
    const OnnxValue conjugate = pairsOf(ctx, {parts.real, ctx.emit("Neg", {parts.imaginary})});
    const OnnxValue square = emit::reduce(ctx, "ReduceSumSquare", divisor, {axis}, true);
    return {ctx.emit("Div", {product(ctx, ctx.input(0), conjugate), square})};
}

OnnxValues negative(NodeContext& ctx)
{
    return {ctx.emit("Neg", {ctx.input(0)})};
}

OnnxValues exponential(NodeContext& ctx)
{
    const Parts x = partsOf(ctx, ctx.input(0));
    const OnnxValue length = ctx.emit("Exp", {x.real});
    return {pairsOf(ctx, {ctx.emit("Mul", {length, ctx.emit("Cos", {x.imaginary})}),
                          ctx.emit("Mul", {length, ctx.emit("Sin", {x.imaginary})})})};
}

/// A real number has no imaginary part, and a complex one loses it.
OnnxValues cast(NodeContext& ctx)
{
    const Settings settings(ctx);
    const ElementType to = settings.elementType("DstT");
    const ElementType part = to == ElementType::Complex64    ? ElementType::Float32
                             : to == ElementType::Complex128 ? ElementType::Float64
                                                             : to;
    const OnnxValue x = ctx.input(0);
    if (!isComplex(settings.elementType("SrcT"))) {
        const auto last = static_cast<std::int64_t>(ctx.rank(x));
        const OnnxValue real = emit::unsqueeze(ctx, emit::cast(ctx, x, part), {last});
        Ints pads(2 * static_cast<std::size_t>(last + 1), 0);
        pads.back() = 1;
        return {ctx.emit("Pad", {real, ctx.onnx.ints(pads)})};
    }
    if (isComplex(to)) {
        return {emit::cast(ctx, x, part)};
    }
    const OnnxValue real = emit::gather(ctx, x, ctx.onnx.scalar(ElementType::Int64, 0), pairAxis(ctx, x));
    return {emit::cast(ctx, real, part)};
}

OnnxValues transposed(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    Ints order = constantInts(ctx, 1, "the order of the axes");
    for (auto& axis : order) {
        axis = ctx.axis(axis, ctx.rank(x) - 1);
    }
    order.push_back(pairAxis(ctx, x));
    return {emit::transpose(ctx, x, order)};
}

OnnxValues reshaped(NodeContext& ctx)
{
    const OnnxValue dims = intVector(ctx, ctx.input(1));
    return {emit::reshape(ctx, ctx.input(0), emit::concat(ctx, {dims, ctx.onnx.ints({2})}, 0))};
}

OnnxValues expanded(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    return {emit::unsqueeze(ctx, x, {ctx.axis(constantInt(ctx, 1, "the axis"), ctx.rank(x))})};
}

OnnxValues squeezed(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const std::size_t rank = ctx.rank(x) - 1;
    Ints axes = Settings(ctx).ints("squeeze_dims");
    for (auto& axis : axes) {
        axis = ctx.axis(axis, rank);
    }
    if (axes.empty()) {
        for (std::size_t i = 0; i < rank; ++i) {
            if (ctx.fixedDim(x, static_cast<std::int64_t>(i)) == 1) {
                axes.push_back(static_cast<std::int64_t>(i));
            }
        }
    }
    std::ranges::sort(axes);
    return {axes.empty() ? x : emit::squeeze(ctx, x, axes)};
}

OnnxValues joined(NodeContext& ctx)
{
    OnnxValues parts = ctx.inputs();
    parts.pop_back();
    const std::size_t rank = ctx.rank(parts[0]) - 1;
    return {emit::concat(ctx, parts, ctx.axis(constantInt(ctx, parts.size(), "the axis"), rank))};
}

OnnxValues packed(NodeContext& ctx)
{
    OnnxValues parts = ctx.inputs();
    const std::int64_t axis = ctx.axis(Settings(ctx).integer("axis"), ctx.rank(parts[0]));
    for (OnnxValue& part : parts) {
        part = emit::unsqueeze(ctx, part, {axis});
    }
    return {emit::concat(ctx, parts, axis)};
}

OnnxValues reduced(const NodeContext& ctx, std::string_view op)
{
    const OnnxValue x = ctx.input(0);
    Ints axes = constantInts(ctx, 1, "the axes");
    for (auto& axis : axes) {
        axis = ctx.axis(axis, ctx.rank(x) - 1);
    }
    return {axes.empty() ? x : emit::reduce(ctx, op, x, axes, Settings(ctx).boolean("keep_dims"))};
}

/// Slices of leading axes are those of the pairs; only an ellipsis would reach theirs.
OnnxValues sliced(NodeContext& ctx)
{
    if (Settings(ctx).integer("ellipsis_mask") != 0) {
        ctx.refuse("an ellipsis of complex numbers", "ellipsis_mask", "slice the real and the imaginary part");
    }
    return findOperator(ctx.node.op)->translate(ctx);
}

OnnxValues gathered(NodeContext& ctx)
{
    if (constantInt(ctx, 2, "the axis") < 0) {
        ctx.refuse("a negative axis of complex numbers", "axis", "gather the real and the imaginary part");
    }
    return findOperator(ctx.node.op)->translate(ctx);
}

OnnxValues same(NodeContext& ctx)
{
    return {ctx.input(0)};
}

OnnxValues total(NodeContext& ctx)
{
    return reduced(ctx, "ReduceSum");
}

OnnxValues complexMean(NodeContext& ctx)
{
    return reduced(ctx, "ReduceMean");
}

using Translate = OnnxValues (*)(NodeContext& ctx);

const std::unordered_map<std::string_view, Translate>& table()
{
    static const std::unordered_map<std::string_view, Translate> rows{
        {"Add", complexSum},    {"AddV2", complexSum},     {"Cast", cast},           {"ConcatV2", joined},
        {"Div", divided},       {"Exp", exponential},      {"ExpandDims", expanded}, {"Mean", complexMean},
        {"Mul", multiplied},    {"Neg", negative},         {"Pack", packed},         {"RealDiv", divided},
        {"Reshape", reshaped},  {"Square", squared},       {"Squeeze", squeezed},    {"Sub", difference},
        {"Sum", total},         {"StridedSlice", sliced},  {"GatherV2", gathered},   {"Identity", same},
        {"StopGradient", same}, {"Transpose", transposed},
    };
    return rows;
}

} // namespace

void expectInner(const NodeContext& ctx)
{
    for (const ValueId output : ctx.node.outputs) {
        if (std::ranges::find(ctx.graph.outputs, output) != ctx.graph.outputs.end()) {
            ctx.refuse("the output is complex, but no ONNX operator returns complex numbers", {},
                       "make its real and imaginary parts the outputs");
        }
    }
}

std::optional<OnnxValues> translateComplex(NodeContext& ctx)
{
    const auto found = table().find(ctx.node.op);
    if (found == table().end()) {
        return std::nullopt;
    }
    if (ctx.node.op != "Cast" || isComplex(Settings(ctx).elementType("DstT"))) {
        expectInner(ctx);
    }
    return found->second(ctx);
}

} // namespace crosswalk::tensorflow
