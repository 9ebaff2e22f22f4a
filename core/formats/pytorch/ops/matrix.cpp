// Products of matrices.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/linalg/matrix_product.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"

#include <algorithm>

namespace crosswalk::pytorch {
namespace {

namespace arithmetic = forms::arithmetic;

/// A product as NumPy's matmul; integers are exact in float64 up to 2^53.
OnnxValue product(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    const ElementType type = ctx.element(a);
    if (isFloating(type)) {
        return ctx.emit("MatMul", {a, b});
    }
    const auto wide = [&](OnnxValue x) { return emit::cast(ctx, x, ElementType::Float64); };
    return emit::cast(ctx, ctx.emit("MatMul", {wide(a), wide(b)}), type);
}

template <const char* second>
OnnxValues multiply(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    return {product(ctx, arguments.tensor("self"), arguments.tensor(second))};
}

OnnxValues linear(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("input");
    const OnnxValue weight = arguments.tensor("weight");
    const OnnxValue bias = arguments.optional("bias");
    if (ctx.rank(weight) == 1) {
        const OnnxValue y = product(ctx, x, weight);
        return {bias ? arithmetic::add(ctx, y, bias) : y};
    }
    if (ctx.rank(x) == 2 && bias && ctx.element(x) == ElementType::Float32) {
        return {ctx.emit("Gemm", {x, weight, bias}, {{"transB", 1}})};
    }
    const OnnxValue y = product(ctx, x, emit::transpose(ctx, weight, {1, 0}));
    return {bias ? arithmetic::add(ctx, y, bias) : y};
}

OnnxValue timesNumber(const NodeContext& ctx, OnnxValue x, double factor)
{
    return factor == 1 ? x : arithmetic::multiply(ctx, x, emit::scalarLike(ctx, x, factor));
}

/// beta self + alpha a b
template <const char* first, const char* second>
OnnxValues addProduct(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const double beta = arguments.number("beta", 1);
    const OnnxValue y =
        timesNumber(ctx, product(ctx, arguments.tensor(first), arguments.tensor(second)), arguments.number("alpha", 1));
    return {beta == 0 ? y : arithmetic::add(ctx, timesNumber(ctx, arguments.tensor("self"), beta), y)};
}

OnnxValues outer(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    return {arithmetic::multiply(ctx, emit::unsqueeze(ctx, arguments.tensor("self"), {1}),
                                 emit::unsqueeze(ctx, arguments.tensor("vec2"), {0}))};
}

OnnxValues einsum(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    std::string equation = arguments.text("equation");
    std::erase(equation, ' ');
    return {ctx.emit("Einsum", arguments.tensors("tensors"), {{"equation", equation}})};
}

constexpr char otherName[] = "other";
constexpr char mat2Name[] = "mat2";
constexpr char vecName[] = "vec";
constexpr char tensorName[] = "tensor";
constexpr char mat1Name[] = "mat1";
constexpr char batch1Name[] = "batch1";
constexpr char batch2Name[] = "batch2";
constexpr char matName[] = "mat";

constexpr OpRow rows[] = {
    {"aten::linear", linear, "Gemm; MatMul, Add"},
    {"aten::matmul", multiply<otherName>, "MatMul"},
    {"aten::mm", multiply<mat2Name>, "MatMul"},
    {"aten::bmm", multiply<mat2Name>, "MatMul"},
    {"aten::mv", multiply<vecName>, "MatMul"},
    {"aten::dot", multiply<tensorName>, "MatMul"},
    {"aten::addmm", addProduct<mat1Name, mat2Name>, "MatMul, Add"},
    {"aten::baddbmm", addProduct<batch1Name, batch2Name>, "MatMul, Add"},
    {"aten::addmv", addProduct<matName, vecName>, "MatMul, Add"},
    {"aten::outer", outer, "Mul"},
    {"aten::einsum", einsum, "Einsum"},
};

} // namespace

std::span<const OpRow> matrixOps()
{
    return rows;
}

} // namespace crosswalk::pytorch
