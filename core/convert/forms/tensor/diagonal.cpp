#include "core/convert/forms/tensor/diagonal.h"

#include "core/base/saturating_product.h"
#include "core/convert/emit.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/tensor/shape_terms.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace crosswalk::forms {

Diagonal diagonalOf(std::int64_t rows, std::int64_t columns, std::int64_t offset)
{
    const std::int64_t shift = std::clamp(offset, -rows, columns); // a diagonal beyond the corners is empty
    Diagonal d{std::max<std::int64_t>(-shift, 0), std::max<std::int64_t>(shift, 0), 0};
    d.length = std::max<std::int64_t>(std::min(rows - d.row, columns - d.column), 0);
    return d;
}

OnnxValue gatheredFromLast(const NodeContext& ctx, OnnxValue x, const Ints& places, bool withZero)
{
    const auto last = static_cast<std::int64_t>(ctx.rank(x)) - 1;
    const ElementType own = ctx.element(x);
    if (withZero && (own == ElementType::Int16 || own == ElementType::UInt16)) { // which the runtime does not pad
        return computedAs(ctx, ElementType::Int32, x,
                          [&](OnnxValue wide) { return gatheredFromLast(ctx, wide, places, true); });
    }
    if (withZero) {
        Ints pads(2 * ctx.rank(x), 0);
        pads.back() = 1;
        x = ctx.emit("Pad", {x, ctx.onnx.ints(pads)});
    }
    return emit::gather(ctx, x, ctx.onnx.ints(places), last);
}

std::int64_t sizeAround(const NodeContext& ctx, std::int64_t length, std::int64_t offset)
{
    constexpr std::int64_t limit = Ints::mostElements;
    if (offset < -limit || offset > limit) {
        ctx.invalid(fmt::format("the diagonal {} is too far from the main one", offset));
    }
    return length + std::abs(offset);
}

OnnxValue matrixOfVector(const NodeContext& ctx, OnnxValue x, std::int64_t offset)
{
    const std::int64_t length = ctx.fixedDim(x, -1);
    const std::int64_t size = sizeAround(ctx, length, offset);
    ShapeTerms terms = termsOf(ctx, x);
    terms.back() = fixedTerm(size);
    terms.push_back(fixedTerm(size));
    Ints places(static_cast<std::size_t>(saturatingProduct(size, size)), length);
    const Diagonal d = diagonalOf(size, size, offset);
    for (std::int64_t i = 0; i < d.length; ++i) {
        places[static_cast<std::size_t>((d.row + i) * size + d.column + i)] = i;
    }
    return reshapeTo(ctx, gatheredFromLast(ctx, x, places, true), terms);
}

OnnxValue diagonalAlong(const NodeContext& ctx, OnnxValue x, std::int64_t first, std::int64_t second,
                        std::int64_t offset)
{
    const Diagonal d = diagonalOf(ctx.fixedDim(x, first), ctx.fixedDim(x, second), offset);
    Ints places;
    for (std::int64_t i = 0; i < d.length; ++i) {
        places.insert(places.end(), {d.row + i, d.column + i});
    }
    const std::size_t rank = ctx.rank(x);
    Ints front{first, second};
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(rank); ++i) {
        if (i != first && i != second) {
            front.push_back(i);
        }
    }
    const OnnxValue indices = ctx.onnx.constant(Tensor::ints(places).reshaped({d.length, 2}));
    const OnnxValue found = ctx.emit("GatherND", {emit::transpose(ctx, x, front), indices});
    Ints back(rank - 1);
    std::iota(back.begin(), back.end(), 1);
    back.back() = 0;
    return emit::transpose(ctx, found, back);
}

} // namespace crosswalk::forms
