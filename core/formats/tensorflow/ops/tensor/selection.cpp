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
    const Tensor* stored = ctx.onnx.content(ctx.input(0));
    const auto shape = ctx.onnx.shape(ctx.input(1));
    if (stored != nullptr && stored->rank() == 0 && shape && shape->empty() && ctx.onnx.shape(ctx.input(2)) == shape) {
        return {ctx.input(stored->toInts().front() != 0 ? 1 : 2)}; // an axis, which has to be known
    }
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
    const Settings settings(ctx);
    const ElementType to = settings.elementType("DstT");
    if (ctx.element(x) == ElementType::String || to == ElementType::String) {
        ctx.invalid("TensorFlow does not cast strings", "DstT");
    }
    const ElementType from = ctx.element(x);
    if (settings.boolean("Truncate") && isFloating(from) && isFloating(to) && byteSize(to) < byteSize(from)) {
        ctx.refuse(fmt::format("truncation of {} to {}, which ONNX rounds", elementTypeName(from), elementTypeName(to)),
                   "Truncate");
    }
    // ONNX Runtime's optimizer drops the rounding before a cast of bfloat16 to integers of 8 bits.
    const bool isByte = to == ElementType::Int8 || to == ElementType::UInt8;
    const OnnxValue rounded = from == ElementType::BFloat16 && isByte ? emit::cast(ctx, x, ElementType::Float32) : x;
    return {emit::cast(ctx, rounded, to)};
}

/// A scalar by its value, another tensor by whether it has elements.
OnnxValues toBool(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    if (ctx.rank(x) != 0) {
        return {emit::cast(ctx, sizeOf(ctx, x), ElementType::Bool)};
    }
    if (ctx.element(x) == ElementType::String) {
        ctx.refuse("a string as a condition", "T");
    }
    return {emit::cast(ctx, x, ElementType::Bool)};
}

} // namespace

std::span<const OpRow> selectionOps()
{
    static constexpr OpRow rows[] = {
        {"Cast", cast, "Cast"},
        {"Select", select, "Where"},
        {"SelectV2", selectV2, "Where"},
        {"ToBool", toBool, "Cast, or Size"},
        {"Where", where, "NonZero, Transpose"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
