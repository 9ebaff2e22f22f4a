// The same elements in another shape, and axes in another order.

#include "core/convert/emit.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/ops/tensor/reshape_codes.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace crosswalk::mxnet {
namespace {

/// The form before 0.9: 0 is inferred, and keep_highest keeps the first dimension whatever target_shape is.
ShapeTerms targetTerms(const NodeContext& ctx, OnnxValue x, const Ints& target, bool keepHighest)
{
    ShapeTerms terms;
    for (std::size_t i = 0; i < target.size(); ++i) {
        if (i == 0 && keepHighest) {
            terms.push_back(termOf(ctx, x, {0}));
        } else {
            terms.push_back(target[i] == 0 ? restTerm() : fixedTerm(target[i]));
        }
    }
    const auto rests = std::count_if(terms.begin(), terms.end(), [](const ShapeTerm& term) { return term.isRest; });
    if (rests > 1) {
        ctx.invalid("target_shape leaves more than one dimension open", "target_shape");
    }
    return terms;
}

/// MXNet does not compare the numbers of elements: if there are more than the shape has, it takes the first ones, and
/// an open dimension gets as many as fit.
OnnxValue reshapeToFirst(const NodeContext& ctx, OnnxValue x, ShapeTerms terms)
{
    if (!isFixed(ctx.shape(x))) {
        return reshapeTo(ctx, x, std::move(terms));
    }
    const std::int64_t count = elementCount(ctx.shape(x)).value_or(0);
    std::int64_t others = 1;
    for (const ShapeTerm& term : terms) {
        if (!term.isRest && (!term.dim.isFixed() || term.dim.size < 1 || others > elementLimit)) {
            return reshapeTo(ctx, x, std::move(terms));
        }
        others *= term.isRest ? 1 : term.dim.size;
    }
    const auto rest = std::find_if(terms.begin(), terms.end(), [](const ShapeTerm& term) { return term.isRest; });
    if (count < others || (rest == terms.end() ? count == others : count % others == 0)) {
        return reshapeTo(ctx, x, std::move(terms));
    }
    std::int64_t kept = others;
    if (rest != terms.end()) {
        *rest = fixedTerm(count / others);
        kept *= rest->dim.size;
    }
    ctx.note("dropped-elements",
             fmt::format("of {} elements MXNet keeps the first {}, the size of the shape", count, kept), "shape");
    const OnnxValue flat = emit::reshape(ctx, x, Ints{-1});
    return reshapeTo(ctx, emit::slice(ctx, flat, Ints{0}, Ints{kept}, Ints{0}), std::move(terms));
}

OnnxValues reshape(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const OnnxValue x = ctx.input(0);
    if (const Ints codes = attributes.ints("shape"); !codes.empty()) {
        return {reshapeToFirst(ctx, x, reshapeTerms(ctx, x, codes, attributes.boolean("reverse", false)))};
    }
    const Ints target = attributes.ints("target_shape");
    if (target.empty()) {
        ctx.invalid("Reshape requires attribute shape", "shape");
    }
    const bool keepHighest = attributes.boolean("keep_highest", false);
    return {reshapeTo(ctx, x, targetTerms(ctx, x, target, keepHighest), "target_shape")};
}

/// One end of a range of dimensions: counted from the back where negative.
std::size_t bound(const NodeContext& ctx, std::string_view name, std::size_t rank, std::size_t fallback)
{
    const auto given = Attributes(ctx).optionalInteger(name);
    if (!given) {
        return fallback;
    }
    const auto count = static_cast<std::int64_t>(rank);
    const std::int64_t place = *given < 0 ? *given + count : *given;
    if (place < 0 || place > count) {
        ctx.invalid(fmt::format("{} = {} is outside the {} dimensions", name, *given, rank), std::string(name));
    }
    return static_cast<std::size_t>(place);
}

OnnxValues reshapeLike(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const ShapeTerms left = termsOf(ctx, x);
    const ShapeTerms right = termsOf(ctx, ctx.input(1));
    const std::size_t leftBegin = bound(ctx, "lhs_begin", left.size(), 0);
    const std::size_t leftEnd = bound(ctx, "lhs_end", left.size(), left.size());
    const std::size_t rightBegin = bound(ctx, "rhs_begin", right.size(), 0);
    const std::size_t rightEnd = bound(ctx, "rhs_end", right.size(), right.size());
    if (leftBegin >= leftEnd || rightBegin >= rightEnd) {
        ctx.invalid("the range of dimensions is empty", leftBegin >= leftEnd ? "lhs_begin" : "rhs_begin");
    }
    const auto place = [](auto& terms, std::size_t i) { return terms.iteratorAt(i); };
    ShapeTerms terms(left.begin(), place(left, leftBegin));
    terms.insert(terms.end(), place(right, rightBegin), place(right, rightEnd));
    terms.insert(terms.end(), place(left, leftEnd), left.end());
    return {reshapeTo(ctx, x, terms, "rhs_begin")};
}

OnnxValues transpose(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    Ints axes = Attributes(ctx).ints("axes");
    if (axes.empty()) {
        axes.resize(ctx.rank(x));
        std::iota(axes.rbegin(), axes.rend(), 0);
    }
    for (auto& axis : axes) {
        axis = ctx.axis(axis, ctx.rank(x), "axes");
    }
    Ints sorted = axes;
    std::sort(sorted.begin(), sorted.end());
    const bool isTwice = std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
    if (isTwice || axes.size() != ctx.rank(x)) {
        ctx.invalid(fmt::format("axes must list each of the {} dimensions once", ctx.rank(x)), "axes");
    }
    return {emit::transpose(ctx, x, axes)};
}

OnnxValues swapAxis(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const OnnxValue x = ctx.input(0);
    const std::int64_t a = ctx.axis(attributes.integer("dim1", 0), ctx.rank(x), "dim1");
    const std::int64_t b = ctx.axis(attributes.integer("dim2", 0), ctx.rank(x), "dim2");
    return {emit::swapAxes(ctx, x, a, b)};
}

OnnxValues expandDims(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    return {emit::unsqueeze(ctx, x, {ctx.axis(Attributes(ctx).integer("axis"), ctx.rank(x) + 1)})};
}

OnnxValues squeeze(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const Shape& shape = ctx.shape(x);
    Ints axes = Attributes(ctx).ints("axis");
    for (auto& axis : axes) {
        axis = ctx.axis(axis, shape.size());
        if (const Dim& dim = shape[static_cast<std::size_t>(axis)]; dim.isFixed() && dim.size != 1) {
            ctx.invalid(fmt::format("dimension {} of {} cannot be squeezed", axis, toString(shape)), "axis");
        }
    }
    std::ranges::sort(axes);
    if (std::ranges::adjacent_find(axes) != axes.end()) {
        ctx.invalid("an axis occurs twice", "axis");
    }
    if (axes.empty()) {
        for (std::size_t i = 0; i < shape.size(); ++i) {
            if (shape[i].isFixed() && shape[i].size == 1) {
                axes.push_back(static_cast<std::int64_t>(i));
            } else if (!shape[i].isFixed()) {
                ctx.note("open-dimension",
                         fmt::format("dimension {} of {} is kept: MXNet drops it if its size is 1", i, toString(shape)),
                         "axis");
            }
        }
    }
    // It does not make scalars, even where numpy's rules have them: a result without dimensions keeps one.
    if (axes.size() == shape.size() && !axes.empty()) {
        axes.pop_back();
    }
    return {emit::squeeze(ctx, x, axes)};
}

} // namespace

std::span<const OpRow> reshapeOps()
{
    static constexpr OpRow rows[] = {
        {"Reshape", reshape, "Reshape"},           {"SwapAxis", swapAxis, "Transpose"},
        {"_np_transpose", transpose, "Transpose"}, {"expand_dims", expandDims, "Unsqueeze"},
        {"reshape_like", reshapeLike, "Reshape"},  {"squeeze", squeeze, "Squeeze"},
        {"transpose", transpose, "Transpose"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
