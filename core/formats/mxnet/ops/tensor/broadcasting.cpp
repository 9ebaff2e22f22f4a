// A tensor repeated along its dimensions of size one.

#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"

#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

void expectOne(const NodeContext& ctx, OnnxValue x, std::int64_t axis, std::string_view attribute)
{
    const Dim& dim = ctx.shape(x)[static_cast<std::size_t>(axis)];
    if (dim.isFixed() && dim.size != 1) {
        ctx.invalid(fmt::format("dimension {} of {} cannot be broadcast", axis, toString(ctx.shape(x))),
                    std::string(attribute));
    }
}

OnnxValues broadcastAxis(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const OnnxValue x = ctx.input(0);
    const Ints axes = attributes.ints("axis");
    const Ints sizes = attributes.ints("size");
    if (axes.size() != sizes.size()) {
        ctx.invalid(fmt::format("{} axes, but {} sizes", axes.size(), sizes.size()), "size");
    }
    ShapeTerms terms = termsOf(ctx, x);
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const std::int64_t axis = ctx.axis(axes[i], terms.size());
        expectOne(ctx, x, axis, "axis");
        terms[static_cast<std::size_t>(axis)] = fixedTerm(sizes[i]);
    }
    return {expandTo(ctx, x, terms)};
}

/// 0 in the shape keeps the input's dimension.
OnnxValues broadcastTo(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const Ints shape = Attributes(ctx).ints("shape");
    ShapeTerms terms = termsOf(ctx, x);
    if (shape.size() != terms.size()) {
        ctx.invalid(fmt::format("a tensor of {} dimensions cannot be broadcast to {}", terms.size(), shape.size()),
                    "shape");
    }
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] != 0 && Dim(shape[i]) != terms[i].dim) {
            expectOne(ctx, x, static_cast<std::int64_t>(i), "shape");
            terms[i] = fixedTerm(shape[i]);
        }
    }
    return {expandTo(ctx, x, terms)};
}

OnnxValues broadcastLike(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const OnnxValue x = ctx.input(0);
    const OnnxValue other = ctx.input(1);
    if (!attributes.has("lhs_axes") || !attributes.has("rhs_axes")) {
        if (ctx.rank(x) != ctx.rank(other)) {
            ctx.invalid(
                fmt::format("a tensor of {} dimensions cannot be broadcast to {}", ctx.rank(x), ctx.rank(other)));
        }
        return {expandTo(ctx, x, termsOf(ctx, other))};
    }
    const Ints to = attributes.ints("lhs_axes");
    const Ints from = attributes.ints("rhs_axes");
    if (to.size() != from.size() || to.empty()) {
        ctx.invalid(fmt::format("{} axes and {} axes", to.size(), from.size()), "lhs_axes");
    }
    ShapeTerms terms = termsOf(ctx, x);
    for (std::size_t i = 0; i < to.size(); ++i) {
        const std::int64_t axis = ctx.axis(to[i], terms.size(), "lhs_axes");
        expectOne(ctx, x, axis, "lhs_axes");
        terms[static_cast<std::size_t>(axis)] = termOf(ctx, other, {ctx.axis(from[i], ctx.rank(other), "rhs_axes")});
    }
    return {expandTo(ctx, x, terms)};
}

} // namespace

std::span<const OpRow> broadcastingOps()
{
    static constexpr OpRow rows[] = {
        {"broadcast_axis", broadcastAxis, "Expand"},
        {"broadcast_like", broadcastLike, "Expand"},
        {"broadcast_to", broadcastTo, "Expand"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
