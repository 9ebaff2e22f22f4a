// Output layers with a training loss; at inference most return their data unchanged.

#include "core/convert/emit.h"
#include "core/convert/forms/elementwise/precision.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/ops/tensor/scalar_operand.h"

namespace crosswalk::mxnet {
namespace {

OnnxValues passThrough(NodeContext& ctx)
{
    return {ctx.input(0)};
}

OnnxValues logistic(NodeContext& ctx)
{
    return {ctx.emit("Sigmoid", {ctx.input(0)})};
}

/// Half the square near zero, the absolute value beyond 1 / scalar^2. For integers MXNet computes it in float32, with
/// the scalar cast to the integer type, and truncates the result.
OnnxValues smoothL1(NodeContext& ctx)
{
    const OnnxValue data = ctx.input(0);
    const ElementType own = ctx.element(data);
    const double scalar = castNumber(ctx, own, Attributes(ctx).number("scalar", 1), "scalar");
    const double square = scalar * scalar;
    const Precision precision = isFloating(own) ? Precision(ctx, data) : Precision(ctx, data, ElementType::Float32);
    const OnnxValue x = precision.widen(data);
    const auto number = [&](double value) { return emit::scalarLike(ctx, x, value); };
    const OnnxValue size = ctx.emit("Abs", {x});
    const OnnxValue far = ctx.emit("Sub", {size, number(0.5 / square)});
    const OnnxValue near = ctx.emit("Mul", {ctx.emit("Mul", {x, x}), number(0.5 * square)});
    const OnnxValue isFar = ctx.emit("Greater", {size, number(1 / square)});
    return {precision.restore(ctx.emit("Where", {isFar, far, near}))};
}

/// From a plugin of old versions: connectionist temporal classification. The data is rows of class scores, (time *
/// batch, classes); any leading axes count as rows.
OnnxValues warpCtc(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    if (ctx.element(x) != ElementType::Float32) {
        ctx.invalid("WarpCTC requires data in float32");
    }
    return {emit::softmax(ctx, x, -1)};
}

} // namespace

std::span<const OpRow> lossOps()
{
    static constexpr OpRow rows[] = {
        {"IdentityAttachKLSparseReg", passThrough, "-", Support::Exact, "identity at inference"},
        {"LinearRegressionOutput", passThrough, "-", Support::Exact, "the label is dropped"},
        {"LogisticRegressionOutput", logistic, "Sigmoid", Support::Exact, "the label is dropped"},
        {"MAERegressionOutput", passThrough, "-", Support::Exact, "the label is dropped"},
        {"SVMOutput", passThrough, "-", Support::Exact, "the label is dropped"},
        {"WarpCTC", warpCtc, "Softmax", Support::Exact, "the label is dropped"},
        {"smooth_l1", smoothL1, "Abs, Mul, Where"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
