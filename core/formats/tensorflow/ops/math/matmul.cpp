// Products of matrices, and Einsum.

#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/slice_end.h"
#include "core/formats/tensorflow/ops/nn/layers.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace crosswalk::tensorflow {
namespace {

OnnxValue operand(const NodeContext& ctx, OnnxValue x, bool transposed, ElementType type)
{
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
    return matrixProduct(ctx, ctx.input(0), ctx.input(1), transposeA, transposeB, result);
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

/// A product of matrices with many zeros, stored densely.
OnnxValues sparseMatMul(NodeContext& ctx)
{
    const Settings settings(ctx);
    return {product(ctx, settings.boolean("transpose_a"), settings.boolean("transpose_b"), ElementType::Float32)};
}

/// The product of a matrix of three diagonals, (..., 1, M) each, and a matrix (..., M, N). The last element of the
/// upper diagonal and the first one of the lower diagonal are outside of the matrix.
OnnxValues tridiagonalMatMul(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(3);
    const auto rank = static_cast<std::int64_t>(ctx.rank(x));
    if (rank < 2 || !isFloating(ctx.element(x))) {
        ctx.invalid("TridiagonalMatMul takes matrices of floating-point numbers");
    }
    const auto rows = [&](OnnxValue from, std::int64_t start, std::int64_t end) {
        return emit::slice(ctx, from, Ints{start}, Ints{end}, Ints{rank - 2});
    };
    const auto diagonal = [&](std::size_t i) { return emit::swapAxes(ctx, ctx.input(i), rank - 2, rank - 1); };
    const auto padded = [&](OnnxValue part, std::int64_t before, std::int64_t after) {
        Ints pads(static_cast<std::size_t>(2 * rank), 0);
        pads[static_cast<std::size_t>(rank - 2)] = before;
        pads[static_cast<std::size_t>(2 * rank - 2)] = after;
        return ctx.emit("Pad", {part, ctx.onnx.ints(pads)});
    };
    const OnnxValue above = ctx.emit("Mul", {rows(diagonal(0), 0, -1), rows(x, 1, emit::farEnd)});
    const OnnxValue below = ctx.emit("Mul", {rows(diagonal(2), 1, emit::farEnd), rows(x, 0, -1)});
    const OnnxValue main = ctx.emit("Mul", {diagonal(1), x});
    return {ctx.emit("Add", {ctx.emit("Add", {main, padded(above, 0, 1)}), padded(below, 1, 0)})};
}

/// The inputs with as many dimensions for the ellipsis as the first ones of it have, which ONNX requires: further ones
/// of size 1 in front.
OnnxValues broadcastTogether(const NodeContext& ctx, OnnxValues inputs, std::string_view equation)
{
    if (equation.find("...") == std::string_view::npos) {
        return inputs;
    }
    Ints dims; ///< of each input's ellipsis, -1 without one
    Ints places;
    std::string_view rest = equation.substr(0, equation.find("->"));
    for (const OnnxValue input : inputs) {
        const std::string_view term = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), term.size() + 1));
        const std::size_t place = term.find("...");
        const auto labels = static_cast<std::int64_t>(term.size()) - 3;
        places.push_back(place == std::string_view::npos ? -1 : static_cast<std::int64_t>(place));
        dims.push_back(places.back() < 0 ? -1 : static_cast<std::int64_t>(ctx.rank(input)) - labels);
    }
    const std::int64_t most = *std::ranges::max_element(dims);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (dims[i] >= 0 && dims[i] < most) {
            Ints axes(static_cast<std::size_t>(most - dims[i]));
            std::iota(axes.begin(), axes.end(), places[i]);
            inputs[i] = emit::unsqueeze(ctx, inputs[i], axes);
        }
    }
    return inputs;
}

OnnxValues einsum(NodeContext& ctx)
{
    std::string equation = Settings(ctx).text("equation");
    std::erase(equation, ' ');
    std::string result = equation.substr(std::min(equation.find("->"), equation.size()));
    std::erase(result, '.');
    std::ranges::sort(result);
    if (std::ranges::adjacent_find(result) != result.end()) {
        ctx.refuse(fmt::format("the result of {} repeats a label, which ONNX's Einsum does not accept", equation),
                   "equation");
    }
    const ElementType own = ctx.element(ctx.input(0));
    OnnxValues inputs = ctx.inputs();
    for (OnnxValue& input : inputs) {
        input = emit::cast(ctx, input, widened(own));
    }
    return {emit::cast(
        ctx, ctx.emit("Einsum", broadcastTogether(ctx, std::move(inputs), equation), {{"equation", equation}}), own)};
}

} // namespace

OnnxValue matrixProduct(const NodeContext& ctx, OnnxValue a, OnnxValue b, bool transposesA, bool transposesB,
                        ElementType result)
{
    const ElementType type = widened(result);
    return emit::cast(ctx, ctx.emit("MatMul", {operand(ctx, a, transposesA, type), operand(ctx, b, transposesB, type)}),
                      result);
}

std::span<const OpRow> matmulOps()
{
    static constexpr OpRow rows[] = {
        {"BatchMatMul", batchMatMul, "MatMul"},
        {"BatchMatMulV2", batchMatMul, "MatMul"},
        {"BatchMatMulV3", batchMatMulV3, "MatMul"},
        {"Einsum", einsum, "Einsum"},
        {"MatMul", matMul, "MatMul"},
        {"SparseMatMul", sparseMatMul, "MatMul"},
        {"TridiagonalMatMul", tridiagonalMatMul, "Mul, Pad, Add"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
