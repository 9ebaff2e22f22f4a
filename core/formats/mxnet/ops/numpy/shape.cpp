// The same elements in another shape, by numpy's rules.

#include "core/convert/emit.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/ops/tensor/reshape_codes.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

/// Attribute newshape, read in C order.
Ints newShape(const NodeContext& ctx)
{
    const Attributes attributes(ctx);
    if (!attributes.has("newshape")) {
        ctx.invalid(fmt::format("{} requires attribute newshape", ctx.node.op), "newshape");
    }
    attributes.choice("order", {"C"}, "C");
    return attributes.ints("newshape");
}

OnnxValue shaped(const NodeContext& ctx, OnnxValue x, const ShapeTerms& terms)
{
    const auto rests = std::count_if(terms.begin(), terms.end(), [](const ShapeTerm& term) { return term.isRest; });
    if (rests > 1) {
        ctx.invalid("more than one dimension is left open", "newshape");
    }
    const Shape shape = knownShape(terms);
    if (std::any_of(shape.begin(), shape.end(), [](const Dim& dim) { return dim == Dim(0); })) {
        if (!isFixed(shape)) { // to ONNX's Reshape a 0 is a copied dimension
            ctx.refuse("an empty tensor with an open dimension", "newshape");
        }
        Ints dims;
        std::transform(shape.begin(), shape.end(), std::back_inserter(dims), [](const Dim& dim) { return dim.size; });
        return filled(ctx, ctx.element(x), dims, 0);
    }
    return reshapeTo(ctx, x, terms, "newshape");
}

OnnxValues reshape(NodeContext& ctx)
{
    ShapeTerms terms;
    for (const auto dim : newShape(ctx)) {
        if (dim < -1) {
            ctx.invalid(fmt::format("{} in newshape has no meaning", dim), "newshape");
        }
        terms.push_back(dim == -1 ? restTerm() : fixedTerm(dim));
    }
    return {shaped(ctx, ctx.input(0), terms)};
}

/// The codes of npx.reshape: -1 infers a dimension, -2 copies one, -3 skips one of size 1, -4 copies all the remaining
/// ones, -5 merges two, -6 splits one into the two numbers that follow.
ShapeTerms codedTerms(const NodeContext& ctx, OnnxValue x, const Ints& codes, bool isReverse)
{
    ShapeTerms terms;
    const std::size_t rank = ctx.rank(x);
    std::size_t used = 0;
    const auto next = [&] {
        if (used >= rank) {
            ctx.invalid(fmt::format("newshape requires more dimensions than the input's {}", rank), "newshape");
        }
        const std::size_t place = isReverse ? rank - 1 - used : used;
        ++used;
        return static_cast<std::int64_t>(place);
    };
    for (std::size_t i = 0; i < codes.size(); ++i) {
        switch (codes[i]) {
        case -1:
            terms.push_back(restTerm());
            ++used;
            break;
        case -2:
            terms.push_back(termOf(ctx, x, {next()}));
            break;
        case -3:
            if (const Dim& dim = ctx.shape(x)[static_cast<std::size_t>(next())]; dim.isFixed() && dim.size != 1) {
                ctx.invalid(fmt::format("-3 skips a dimension of {}", dim.size), "newshape");
            }
            break;
        case -4:
            while (used < rank) {
                terms.push_back(termOf(ctx, x, {next()}));
            }
            break;
        case -5: {
            const std::int64_t a = next();
            const std::int64_t b = next();
            terms.push_back(termOf(ctx, x, {std::min(a, b), std::max(a, b)}));
            break;
        }
        case -6:
            if (i + 2 >= codes.size()) {
                ctx.invalid("-6 requires two numbers after it", "newshape");
            }
            for (const ShapeTerm& half : splitTerm(ctx, termOf(ctx, x, {next()}), codes[i + 1], codes[i + 2])) {
                terms.push_back(half);
            }
            i += 2;
            break;
        default:
            if (codes[i] < 0) {
                ctx.invalid(fmt::format("{} in newshape has no meaning", codes[i]), "newshape");
            }
            terms.push_back(fixedTerm(codes[i]));
            ++used;
        }
    }
    return terms;
}

OnnxValues codedReshape(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    Ints codes = newShape(ctx);
    if (!Attributes(ctx).boolean("reverse", false)) {
        return {shaped(ctx, x, codedTerms(ctx, x, codes, false))};
    }
    std::reverse(codes.begin(), codes.end());
    ShapeTerms terms = codedTerms(ctx, x, codes, true);
    std::reverse(terms.begin(), terms.end());
    return {shaped(ctx, x, terms)};
}

OnnxValues squeeze(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const Shape& shape = ctx.shape(x);
    Ints axes = Attributes(ctx).ints("axis");
    const bool isAll = !Attributes(ctx).has("axis");
    for (auto& axis : axes) {
        axis = ctx.axis(axis, shape.size());
    }
    for (std::size_t i = 0; isAll && i < shape.size(); ++i) {
        if (!shape[i].isFixed()) {
            ctx.note("open-dimension",
                     fmt::format("dimension {} of {} is kept: MXNet drops it if its size is 1", i, toString(shape)),
                     "axis");
        } else if (shape[i].size == 1) {
            axes.push_back(static_cast<std::int64_t>(i));
        }
    }
    for (const auto axis : axes) {
        if (const Dim& dim = shape[static_cast<std::size_t>(axis)]; dim.isFixed() && dim.size != 1) {
            ctx.invalid(fmt::format("dimension {} of {} cannot be squeezed", axis, toString(shape)), "axis");
        }
    }
    return {emit::squeeze(ctx, x, axes)};
}

/// -2 in the shape keeps the input's dimension.
OnnxValues broadcastTo(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const Ints shape = Attributes(ctx).ints("shape");
    const ShapeTerms own = termsOf(ctx, x);
    if (own.size() > shape.size()) {
        ctx.invalid(fmt::format("a tensor of {} dimensions cannot be broadcast to {}", own.size(), shape.size()),
                    "shape");
    }
    ShapeTerms terms;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const bool isOwn = i + own.size() >= shape.size();
        const ShapeTerm* from = isOwn ? &own[i + own.size() - shape.size()] : nullptr;
        if (shape[i] < 0 && (shape[i] != -2 || from == nullptr)) {
            ctx.invalid(fmt::format("{} in shape has no meaning", shape[i]), "shape");
        }
        if (shape[i] >= 0 && from != nullptr && from->dim.isFixed() && from->dim.size != 1 &&
            from->dim.size != shape[i]) {
            ctx.invalid(fmt::format("a dimension of {} cannot be broadcast to {}", from->dim.size, shape[i]), "shape");
        }
        terms.push_back(shape[i] == -2 && from != nullptr ? *from : fixedTerm(shape[i]));
    }
    return {expandTo(ctx, x, terms)};
}

} // namespace

std::span<const OpRow> numpyShapeOps()
{
    static constexpr OpRow rows[] = {
        {"_np_reshape", reshape, "Reshape"},
        {"_np_squeeze", squeeze, "Squeeze"},
        {"_npi_broadcast_to", broadcastTo, "Expand"},
        {"_npx_reshape", codedReshape, "Reshape"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
