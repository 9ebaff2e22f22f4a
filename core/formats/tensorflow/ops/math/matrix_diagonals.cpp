// Matrices from diagonals, diagonals of matrices, and bands.

#include "core/convert/forms/tensor/band_diagonals.h"
#include "core/convert/forms/uniform_value.h"
#include "core/formats/tensorflow/lowering/stored_weights.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace crosswalk::tensorflow {
namespace {

/// Input `input` of the node, k. `isOne`: whether the node has one diagonal, if the ranks of its operands determine it;
/// else a computed k of two numbers is assumed to have different ones.
Band bandOf(const NodeContext& ctx, std::size_t input, std::optional<bool> isOne = {})
{
    const OnnxValue k = intVector(ctx, ctx.input(input));
    const std::int64_t count = ctx.fixedDim(k, 0);
    const auto at = [&](std::int64_t i) {
        return emit::squeeze(ctx, emit::slice(ctx, k, Ints{i}, Ints{i + 1}, Ints{0}), {0});
    };
    if (count != 1 && count != 2) {
        ctx.invalid(fmt::format("k has {} numbers", count));
    }
    const auto known = knownInts(ctx, k);
    Band band{.low = at(0), .high = at(count - 1)};
    if (count == 1 || known) {
        band.isOne = count == 1 || known->front() == known->back();
    } else {
        band.isOne = isOne.value_or(false);
        if (!isOne) {
            ctx.note("assumed-shape", "k is computed and has two numbers: the exported model fails if they are equal, "
                                      "because the rank of the result then differs");
        }
    }
    // The align attribute of version 3: "RIGHT_LEFT" is the side of the diagonals above the main one, then of those
    // below.
    if (ctx.node.op.ends_with("V3")) {
        const std::string align = Settings(ctx).text("align");
        band.upperAtStart = align.starts_with("LEFT");
        band.lowerAtStart = align.ends_with("LEFT");
    }
    return band;
}

/// The result of a node with input `input` as k, in the rank of several diagonals where `band` is not one.
OnnxValue checked(const NodeContext& ctx, std::size_t input, const Band& band, OnnxValue y)
{
    return band.isOne || knownInts(ctx, ctx.input(input)) ? y : onlyOfSeveral(ctx, band, y);
}

/// The number that all elements of input `input` have, by the way in which it is made.
std::optional<double> uniformNumber(const NodeContext& ctx, std::size_t input)
{
    const Tensor* own = ctx.onnx.content(ctx.input(input));
    if (own != nullptr && isNumeric(own->type())) {
        return forms::uniformValue(*own);
    }
    const NodeId producer = ctx.graph.value(ctx.node.inputs[input]).producer;
    if (!producer) {
        return std::nullopt;
    }
    const Node& node = ctx.graph.node(producer);
    if (node.op == "Fill" && node.inputs.size() == 2) {
        const StoredWeights weights(ctx.graph);
        const Tensor* stored = weights.of(node.inputs[1]);
        return stored != nullptr && isNumeric(stored->type()) ? forms::uniformValue(*stored) : std::nullopt;
    }
    return node.op == "OnesLike" ? std::optional(1.0) : node.op == "ZerosLike" ? std::optional(0.0) : std::nullopt;
}

bool isMainDiagonal(const NodeContext& ctx, std::size_t k)
{
    const auto known = knownInts(ctx, ctx.input(k));
    return known && std::ranges::all_of(*known, [](std::int64_t number) { return number == 0; });
}

/// Matrices of zeros and a number, such as the identity; nothing if the diagonal has other elements.
std::optional<OnnxValue> uniformMatrix(const NodeContext& ctx)
{
    const auto value = uniformNumber(ctx, 0);
    return value ? std::optional(matrixOfUniformDiagonal(ctx, ctx.input(0), *value)) : std::nullopt;
}

std::optional<OnnxValue> uniformlySet(const NodeContext& ctx)
{
    const auto value = uniformNumber(ctx, 1);
    if (!value || !isNumeric(ctx.element(ctx.input(0)))) {
        return std::nullopt;
    }
    return uniformNumber(ctx, 0) == 0.0 ? uniformDiagonalLike(ctx, ctx.input(0), *value)
                                        : withUniformDiagonal(ctx, ctx.input(0), *value);
}

OnnxValue numberAt(const NodeContext& ctx, std::size_t input)
{
    return scalarOf(ctx, intVector(ctx, ctx.input(input)));
}

OnnxValues diagonal(NodeContext& ctx)
{
    const auto uniform = uniformMatrix(ctx);
    return {uniform ? *uniform : matrixOfDiagonal(ctx, ctx.input(0))};
}

/// A tensor of any rank on the diagonal of one with all its axes twice.
OnnxValues diagonalOfTensor(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const OnnxValue shape = emit::shapeVector(ctx, x);
    const OnnxValue matrix = matrixOfDiagonal(ctx, emit::reshape(ctx, x, Ints{-1}));
    return {emit::reshape(ctx, matrix, emit::concat(ctx, {shape, shape}, 0))};
}

OnnxValues partOfTensor(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    if (ctx.rank(x) == 0 || ctx.rank(x) % 2 != 0) {
        ctx.invalid(fmt::format("a diagonal of {} dimensions", ctx.rank(x)));
    }
    const auto half = static_cast<std::int64_t>(ctx.rank(x) / 2);
    Ints axes(static_cast<std::size_t>(half));
    std::iota(axes.begin(), axes.end(), 0);
    const OnnxValue size = emit::dimProduct(ctx, x, axes);
    const OnnxValue matrix = emit::reshape(ctx, x, emit::concat(ctx, {size, size}, 0));
    const OnnxValue diagonal = diagonalsOf(ctx, matrix, mainDiagonal(ctx), emit::scalarLike(ctx, x, 0));
    const OnnxValue shape = emit::slice(ctx, emit::shapeVector(ctx, x), Ints{0}, Ints{half}, Ints{0});
    return {emit::reshape(ctx, diagonal, shape)};
}

OnnxValues diagonalsByNumber(NodeContext& ctx)
{
    const auto isOpen = [&](std::size_t input) { return knownInts(ctx, ctx.input(input)) == Ints{-1}; };
    const Tensor* filler = ctx.onnx.content(ctx.input(4));
    if (knownInts(ctx, ctx.input(1)) == Ints{0} && isOpen(2) && isOpen(3) && filler != nullptr &&
        forms::uniformValue(*filler) == 0.0) {
        if (const auto uniform = uniformMatrix(ctx)) {
            return {*uniform};
        }
    }
    // A vector has no axis of diagonals.
    const Band band = bandOf(ctx, 1, ctx.rank(ctx.input(0)) == 1 ? std::optional(true) : std::nullopt);
    const OnnxValue rows = numberAt(ctx, 2);
    return {checked(ctx, 1, band, matrixOfDiagonals(ctx, band, ctx.input(0), rows, numberAt(ctx, 3), ctx.input(4)))};
}

OnnxValues diagonalOfMatrix(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    return {diagonalsOf(ctx, x, mainDiagonal(ctx), emit::scalarLike(ctx, x, 0))};
}

OnnxValues diagonalsOfMatrix(NodeContext& ctx)
{
    const Band band = bandOf(ctx, 1);
    return {checked(ctx, 1, band, diagonalsOf(ctx, ctx.input(0), band, ctx.input(2)))};
}

OnnxValues setDiagonal(NodeContext& ctx)
{
    const auto uniform = uniformlySet(ctx);
    return {uniform ? *uniform : withDiagonals(ctx, ctx.input(0), mainDiagonal(ctx), ctx.input(1))};
}

OnnxValues setDiagonals(NodeContext& ctx)
{
    if (isMainDiagonal(ctx, 2)) {
        if (const auto uniform = uniformlySet(ctx)) {
            return {*uniform};
        }
    }
    const Band band = bandOf(ctx, 2, ctx.rank(ctx.input(1)) + 1 == ctx.rank(ctx.input(0)));
    return {withDiagonals(ctx, ctx.input(0), band, ctx.input(1))};
}

OnnxValues matrixBandPart(NodeContext& ctx)
{
    const OnnxValue below = numberAt(ctx, 1);
    return {bandPart(ctx, ctx.input(0), below, numberAt(ctx, 2))};
}

} // namespace

std::span<const OpRow> matrixDiagonalOps()
{
    static constexpr OpRow rows[] = {
        {"BatchMatrixBandPart", matrixBandPart, "Range, Less, Where"},
        {"BatchMatrixDiag", diagonal, "Gather, Where"},
        {"BatchMatrixDiagPart", diagonalOfMatrix, "Gather, Where"},
        {"BatchMatrixSetDiag", setDiagonal, "Gather, Where"},
        {"Diag", diagonalOfTensor, "Gather, Where"},
        {"DiagPart", partOfTensor, "Gather, Where"},
        {"MatrixBandPart", matrixBandPart, "Range, Less, Where"},
        {"MatrixDiag", diagonal, "Gather, Where"},
        {"MatrixDiagPart", diagonalOfMatrix, "Gather, Where"},
        {"MatrixDiagPartV2", diagonalsOfMatrix, "Gather, Where"},
        {"MatrixDiagPartV3", diagonalsOfMatrix, "Gather, Where"},
        {"MatrixDiagV2", diagonalsByNumber, "Gather, Where"},
        {"MatrixDiagV3", diagonalsByNumber, "Gather, Where"},
        {"MatrixSetDiag", setDiagonal, "Gather, Where"},
        {"MatrixSetDiagV2", setDiagonals, "Gather, Where"},
        {"MatrixSetDiagV3", setDiagonals, "Gather, Where"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
