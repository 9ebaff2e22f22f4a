// Extracts diagonals and triangles of matrices, and builds matrices from them.

#include "core/convert/forms/tensor/diagonal.h"
#include "core/base/saturating_product.h"
#include "core/convert/emit.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace crosswalk::mxnet {
namespace {

/// The same; MXNet requires it to have elements.
Diagonal filledDiagonal(const NodeContext& ctx, std::int64_t rows, std::int64_t columns, std::int64_t offset,
                        std::string_view attribute)
{
    const Diagonal d = diagonalOf(rows, columns, offset);
    if (d.length == 0) {
        ctx.invalid(fmt::format("a matrix of {} rows and {} columns has no diagonal {}", rows, columns, offset),
                    std::string(attribute));
    }
    return d;
}

OnnxValues diag(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const OnnxValue x = ctx.input(0);
    const std::int64_t offset = attributes.integer("k", 0);
    const std::size_t rank = ctx.rank(x);
    if (rank == 1) {
        return {matrixOfVector(ctx, x, offset)};
    }
    const std::int64_t first = ctx.axis(attributes.integer("axis1", 0), rank, "axis1");
    const std::int64_t second = ctx.axis(attributes.integer("axis2", 1), rank, "axis2");
    if (first == second) {
        ctx.invalid("axis1 and axis2 are equal", "axis2");
    }
    filledDiagonal(ctx, ctx.fixedDim(x, first), ctx.fixedDim(x, second), offset, "k");
    return {diagonalAlong(ctx, x, first, second, offset)};
}

/// The matrices flattened: the last two axes merged.
OnnxValue flattened(const NodeContext& ctx, OnnxValue x)
{
    ShapeTerms terms = termsOf(ctx, x);
    terms.pop_back();
    terms.back() = restTerm();
    return reshapeTo(ctx, x, terms);
}

std::int64_t squareSize(const NodeContext& ctx, OnnxValue x)
{
    if (ctx.rank(x) < 2 || ctx.fixedDim(x, -1) != ctx.fixedDim(x, -2)) {
        ctx.invalid(fmt::format("{} requires square matrices, not {}", ctx.node.op, toString(ctx.shape(x))));
    }
    return ctx.fixedDim(x, -1);
}

OnnxValue extractedDiagonal(const NodeContext& ctx, std::int64_t offset)
{
    const OnnxValue x = ctx.input(0);
    const std::int64_t size = squareSize(ctx, x);
    const Diagonal d = filledDiagonal(ctx, size, size, offset, "offset");
    Ints places;
    for (std::int64_t i = 0; i < d.length; ++i) {
        places.push_back((d.row + i) * size + d.column + i);
    }
    return gatheredFromLast(ctx, flattened(ctx, x), places, false);
}

OnnxValues extractDiagonal(NodeContext& ctx)
{
    return {extractedDiagonal(ctx, Attributes(ctx).integer("offset", 0))};
}

OnnxValues makeDiagonal(NodeContext& ctx)
{
    return {matrixOfVector(ctx, ctx.input(0), Attributes(ctx).integer("offset", 0))};
}

/// The positions of the triangle's elements in a matrix, in packing order: from a diagonal above or below the main one
/// outwards, else on the side that attribute lower selects. A lower triangle is packed row by row, an upper one column
/// by column.
Ints trianglePlaces(const NodeContext& ctx, std::int64_t size)
{
    const Attributes attributes(ctx);
    const std::int64_t offset = attributes.integer("offset", 0);
    sizeAround(ctx, size, offset); // refuses one that is too large
    const bool isLower = offset < 0 || (offset == 0 && attributes.boolean("lower", true));
    Ints places;
    for (std::int64_t major = std::abs(offset); major < size; ++major) {
        for (std::int64_t minor = 0; minor <= major - std::abs(offset); ++minor) {
            places.push_back(isLower ? major * size + minor : minor * size + major);
        }
    }
    return places;
}

OnnxValues extractTriangle(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    return {gatheredFromLast(ctx, flattened(ctx, x), trianglePlaces(ctx, squareSize(ctx, x)), false)};
}

OnnxValues makeTriangle(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const std::int64_t length = ctx.fixedDim(x, -1);
    std::int64_t side = 0; // of the triangle, 1 + 2 + ... + side elements
    while (side < Ints::mostElements && side * (side + 1) / 2 < length) {
        ++side;
    }
    if (side * (side + 1) / 2 != length) {
        ctx.invalid(fmt::format("{} elements do not form a triangle", length));
    }
    const std::int64_t size = sizeAround(ctx, side, Attributes(ctx).integer("offset", 0));
    ShapeTerms terms = termsOf(ctx, x);
    terms.back() = fixedTerm(size);
    terms.push_back(fixedTerm(size));
    const Ints belonging = trianglePlaces(ctx, size);
    Ints places(static_cast<std::size_t>(saturatingProduct(size, size)), length);
    for (std::size_t i = 0; i < belonging.size(); ++i) {
        places[static_cast<std::size_t>(belonging[i])] = static_cast<std::int64_t>(i);
    }
    return {reshapeTo(ctx, gatheredFromLast(ctx, x, places, true), terms)};
}

OnnxValues sumLogDiagonal(NodeContext& ctx)
{
    const OnnxValue logarithm = ctx.emit("Log", {extractedDiagonal(ctx, 0)});
    const auto rank = static_cast<std::int64_t>(ctx.rank(logarithm));
    return {emit::reduce(ctx, "ReduceSum", logarithm, {rank - 1}, rank == 1)};
}

} // namespace

std::span<const OpRow> diagonalOps()
{
    static constexpr OpRow rows[] = {
        {"_linalg_extractdiag", extractDiagonal, "Reshape, Gather"},
        {"_linalg_extracttrian", extractTriangle, "Reshape, Gather"},
        {"_linalg_makediag", makeDiagonal, "Pad, Gather, Reshape"},
        {"_linalg_maketrian", makeTriangle, "Pad, Gather, Reshape"},
        {"_linalg_sumlogdiag", sumLogDiagonal, "Gather, Log, ReduceSum"},
        {"diag", diag, "GatherND, Transpose"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
