// Scaled dot-product attention.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/linalg/matrix_product.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"

#include <cmath>
#include <limits>

namespace crosswalk::pytorch {
namespace {

namespace arithmetic = forms::arithmetic;

/// Each head of keys or values serves several heads of queries, one after the other.
OnnxValue repeatedHeads(const NodeContext& ctx, OnnxValue x, OnnxValue query)
{
    const std::int64_t wanted = ctx.fixedDim(query, -3);
    const std::int64_t heads = ctx.fixedDim(x, -3);
    if (wanted == heads) {
        return x;
    }
    if (heads < 1 || wanted % heads != 0 || wanted > mostParts) {
        ctx.invalid("the number of query heads is not a multiple of the number of key heads", "enable_gqa");
    }
    Ints indices;
    for (std::int64_t i = 0; i < wanted; ++i) {
        indices.push_back(i / (wanted / heads));
    }
    return emit::gather(ctx, x, ctx.onnx.ints(indices), static_cast<std::int64_t>(ctx.rank(x)) - 3);
}

/// True where position j of the keys is not behind position i of the queries.
OnnxValue causalMask(const NodeContext& ctx, OnnxValue query, OnnxValue key)
{
    const auto rank = static_cast<std::int64_t>(ctx.rank(query));
    const OnnxValue rows = emit::unsqueeze(ctx, forms::countUp(ctx, query, rank - 2), {1});
    const OnnxValue columns = forms::countUp(ctx, key, static_cast<std::int64_t>(ctx.rank(key)) - 2);
    return arithmetic::lessOrEqual(ctx, columns, rows);
}

/// softmax(scale Q K^T + mask) V; a row that is masked throughout results in 0.
OnnxValues attention(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue query = arguments.tensor("query");
    OnnxValue key = arguments.tensor("key");
    OnnxValue value = arguments.tensor("value");
    if (arguments.truth("enable_gqa")) {
        key = repeatedHeads(ctx, key, query);
        value = repeatedHeads(ctx, value, query);
    }
    if (arguments.number("dropout_p", 0) != 0) {
        ctx.refuse("the model was saved in training mode, in which dropout is random", "dropout_p",
                   "call model.eval() before saving");
    }
    const double scale = arguments.has("scale") ? arguments.number("scale", 1)
                                                : 1 / std::sqrt(static_cast<double>(ctx.fixedDim(query, -1)));
    const OnnxValue scaled = arithmetic::multiply(ctx, query, emit::scalarLike(ctx, query, scale));
    OnnxValue scores = ctx.emit("MatMul", {scaled, forms::transposedMatrices(ctx, key)});
    OnnxValue mask = arguments.optional("attn_mask");
    if (arguments.truth("is_causal")) {
        const OnnxValue causal = causalMask(ctx, query, key);
        if (mask) {
            ctx.refuse("a causal mask beside another mask is not supported", "is_causal");
        }
        mask = causal;
    }
    if (!mask) {
        return {
            ctx.emit("MatMul", {emit::softmax(ctx, scores, static_cast<std::int64_t>(ctx.rank(scores)) - 1), value})};
    }
    const OnnxValue lowest = emit::scalarLike(ctx, scores, -std::numeric_limits<double>::infinity());
    scores = ctx.element(mask) == ElementType::Bool ? ctx.emit("Where", {mask, scores, lowest})
                                                    : arithmetic::add(ctx, scores, mask);
    const std::int64_t last = static_cast<std::int64_t>(ctx.rank(scores)) - 1;
    const OnnxValue weights = emit::softmax(ctx, scores, last);
    const OnnxValue highest = emit::reduce(ctx, "ReduceMax", scores, {last}, true);
    const OnnxValue isMasked = ctx.emit("Equal", {highest, lowest});
    const OnnxValue kept = ctx.emit("Where", {isMasked, emit::scalarLike(ctx, weights, 0), weights});
    return {ctx.emit("MatMul", {kept, value})};
}

constexpr OpRow rows[] = {
    {"aten::scaled_dot_product_attention", attention, "MatMul, Softmax"},
    {"aten::_scaled_dot_product_flash_attention_for_cpu", attention, "MatMul, Softmax"},
};

} // namespace

std::span<const OpRow> attentionOps()
{
    return rows;
}

} // namespace crosswalk::pytorch
