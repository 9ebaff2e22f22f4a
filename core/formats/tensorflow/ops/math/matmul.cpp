// Products of matrices, and Einsum.

#include "core/convert/forms/elementwise/compute_type.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <algorithm>

namespace crosswalk::tensorflow {
namespace {

OnnxValue operand(const NodeContext& ctx, std::size_t i, bool transposed, ElementType type)
{
    OnnxValue x = ctx.input(i);
    if (transposed) {
        const auto rank = static_cast<std::int64_t>(ctx.rank(x));
        if (rank < 2) {
            ctx.invalid("a matrix must have at least two dimensions");
        }
        x = emit::swapAxes(ctx, x, rank - 2, rank - 1);
    }
    return emit::cast(ctx, x, type);
}

OnnxValue product(const NodeContext& ctx, bool transposeA, bool transposeB, ElementType result)
{
    const ElementType type = widened(result);
    return emit::cast(ctx, ctx.emit("MatMul", {operand(ctx, 0, transposeA, type), operand(ctx, 1, transposeB, type)}),
                      result);
}

OnnxValues matMul(NodeContext& ctx)
{
    const Settings settings(ctx);
    return {product(ctx, settings.boolean("transpose_a"), settings.boolean("transpose_b"), ctx.element(ctx.input(0)))};
}

OnnxValues batchMatMul(NodeContext& ctx)
{
    const Settings settings(ctx);
    return {product(ctx, settings.boolean("adj_x"), settings.boolean("adj_y"), ctx.element(ctx.input(0)))};
}

/// Both operands in the type of the result, which holds their values.
OnnxValues batchMatMulV3(NodeContext& ctx)
{
    const Settings settings(ctx);
    return {product(ctx, settings.boolean("adj_x"), settings.boolean("adj_y"), settings.elementType("Tout"))};
}

OnnxValues einsum(NodeContext& ctx)
{
    std::string equation = Settings(ctx).text("equation");
    std::erase(equation, ' ');
    return {ctx.emit("Einsum", ctx.inputs(), {{"equation", equation}})};
}

} // namespace

std::span<const OpRow> matmulOps()
{
    static constexpr OpRow rows[] = {
        {"BatchMatMul", batchMatMul, "MatMul"},
        {"BatchMatMulV2", batchMatMul, "MatMul"},
        {"BatchMatMulV3", batchMatMulV3, "MatMul"},
        {"Einsum", einsum, "Einsum"},
        {"MatMul", matMul, "MatMul"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
