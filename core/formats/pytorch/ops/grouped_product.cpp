// Products of groups of matrices, in which mixtures of experts compute.

#include "core/convert/forms/tensor/concat_split.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/sizes.h"
#include "core/formats/pytorch/ops/matrix.h"
#include "core/formats/pytorch/ops/operator_arguments.h"
#include "core/formats/pytorch/ops/parts.h"
#include "core/formats/pytorch/ops/pytorch_families.h"

#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <span>

namespace crosswalk::pytorch {
namespace {

/// Zeros for the rows or columns after the last group.
OnnxValue restOf(const NodeContext& ctx, OnnxValue a, OnnxValue b, OnnxValue last, std::int64_t axis)
{
    OnnxValues dims{emit::dimVector(ctx, a, -2), emit::dimVector(ctx, b, -1)};
    OnnxValue& divided = dims[static_cast<std::size_t>(axis)];
    divided = forms::sizes::minus(ctx, divided, last);
    return forms::filledTo(ctx, ctx.element(a), 0, emit::concat(ctx, dims, 0));
}

/// The product of each group of a with that of b. Each matrix of a tensor of rank 3 is a group. The groups of a matrix
/// end at the elements of `offsets`: they are rows of a or columns of b, or, of two matrices, of the summed axis.
OnnxValue productOfGroups(const NodeContext& ctx, OnnxValue a, OnnxValue b, OnnxValue offsets)
{
    constexpr std::size_t matrix = 2;
    const bool dividesA = ctx.rank(a) == matrix;
    const bool dividesB = ctx.rank(b) == matrix;
    if (ctx.rank(offsets) != 1 || ctx.fixedDim(offsets, 0) == 0) {
        ctx.invalid("the ends of the groups are not a vector of at least one element", "offs");
    }
    const OnnxValues ends = elementVectors(ctx, offsets);
    for (const OnnxValue x : {a, b}) {
        if (ctx.rank(x) != matrix && ctx.fixedDim(x, 0) != static_cast<std::int64_t>(ends.size())) {
            ctx.invalid(fmt::format("{} matrices for {} groups", ctx.fixedDim(x, 0), ends.size()), "offs");
        }
    }
    const OnnxValues left = dividesA ? partsUntil(ctx, a, dividesB ? 1 : 0, ends) : slicesAlong(ctx, a, 0);
    const OnnxValues right = dividesB ? partsUntil(ctx, b, dividesA ? 0 : 1, ends) : slicesAlong(ctx, b, 0);
    OnnxValues products;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        products.push_back(matrixProduct(ctx, left[i], right[i]));
    }
    if (dividesA && dividesB) {
        return forms::stacked(ctx, products, 0);
    }
    const std::int64_t axis = dividesA ? 0 : 1;
    products.push_back(restOf(ctx, a, b, ends.back(), axis));
    return emit::concat(ctx, products, axis);
}

/// Without offsets, both tensors have rank 3.
OnnxValues groupedProduct(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const bool isFallback = arguments.has("weight"); // of the transformers library
    const OnnxValue self = arguments.tensor(isFallback ? "input" : "self");
    const ElementType type = arguments.type("out_dtype", ctx.element(self)); // also of the sums
    const OnnxValue a = emit::cast(ctx, self, type);
    const OnnxValue b = emit::cast(ctx, arguments.tensor(isFallback ? "weight" : "mat2"), type);
    for (const OnnxValue x : {a, b}) {
        if (ctx.rank(x) != 2 && ctx.rank(x) != 3) {
            ctx.invalid(fmt::format("an operand has rank {}, but it must be 2 or 3", ctx.rank(x)));
        }
    }
    if (arguments.has("bias")) {
        ctx.refuse("a bias is not supported", "bias");
    }
    const bool isBatch = ctx.rank(a) == 3 && ctx.rank(b) == 3;
    if (isBatch == arguments.has("offs")) {
        ctx.invalid(isBatch ? "groups of two tensors of rank 3 have no offsets" : "needs the ends of the groups",
                    "offs");
    }
    return {isBatch ? matrixProduct(ctx, a, b) : productOfGroups(ctx, a, b, arguments.tensor("offs"))};
}

} // namespace

std::span<const OpRow> groupedProductOps()
{
    static constexpr OpRow rows[] = {
        {"aten::_grouped_mm", groupedProduct, "Slice, MatMul, Concat"},
        {"transformers::grouped_mm_fallback", groupedProduct, "Slice, MatMul, Concat"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
