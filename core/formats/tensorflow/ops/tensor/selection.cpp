// Elements chosen by a condition, and types changed.

#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <fmt/format.h>
#include <numeric>

namespace crosswalk::tensorflow {
namespace {

/// A condition of one dimension selects rows of tensors with more.
OnnxValues select(NodeContext& ctx)
{
    OnnxValue condition = ctx.input(0);
    const std::size_t rank = ctx.rank(ctx.input(1));
    if (ctx.rank(condition) == 1 && rank > 1) {
        Ints behind(rank - 1);
        std::iota(behind.begin(), behind.end(), 1);
        condition = emit::unsqueeze(ctx, condition, behind);
    }
    return {choose(ctx, condition, ctx.input(1), ctx.input(2))};
}

OnnxValues selectV2(NodeContext& ctx)
{
    return {choose(ctx, ctx.input(0), ctx.input(1), ctx.input(2))};
}

/// The indices of nonzero elements, one row each.
OnnxValues where(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    if (ctx.onnx.shape(x) && ctx.rank(x) == 0) {
        ctx.refuse("Where does not accept a scalar");
    }
    return {emit::transpose(ctx, ctx.emit("NonZero", {emit::cast(ctx, x, ElementType::Bool)}), {1, 0})};
}

OnnxValues cast(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const ElementType to = Settings(ctx).elementType("DstT");
    if (ctx.element(x) == ElementType::String || to == ElementType::String) {
        ctx.invalid("TensorFlow does not cast strings", "DstT");
    }
    return {emit::cast(ctx, x, to)};
}

/// The decimal digits of an integer are unambiguous; those of a floating-point number are not.
OnnxValues asString(NodeContext& ctx)
{
    const Settings settings(ctx);
    const OnnxValue x = ctx.input(0);
    const ElementType type = ctx.element(x);
    if (!isInteger(type) || settings.integer("width") != -1 || !settings.text("fill").empty()) {
        ctx.refuse(fmt::format("AsString of {} formats like printf, which ONNX's Cast cannot", elementTypeName(type)),
                   "T", "format the strings outside the model");
    }
    return {emit::cast(ctx, x, ElementType::String)};
}

OnnxValues stringToNumber(NodeContext& ctx)
{
    return {
        ctx.emit("Cast", {ctx.input(0)}, {{"to", static_cast<std::int64_t>(Settings(ctx).elementType("out_type"))}})};
}

constexpr OpRow rows[] = {
    {"AsString", asString, "Cast", Support::Exact, "integers"},
    {"Cast", cast, "Cast"},
    {"Select", select, "Where"},
    {"SelectV2", selectV2, "Where"},
    {"StringToNumber", stringToNumber, "Cast"},
    {"Where", where, "NonZero, Transpose"},
};

} // namespace

std::span<const OpRow> selectionOps()
{
    return rows;
}

} // namespace crosswalk::tensorflow
