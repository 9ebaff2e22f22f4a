// Products of tensors by numpy's rules.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/ops/tensor/reduction.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace crosswalk::mxnet {
namespace {

OnnxValue product(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    if (!isFloating(ctx.element(a)) || ctx.element(a) != ctx.element(b)) {
        ctx.invalid(fmt::format("{} of {} and {}: MXNet requires one floating-point type", ctx.node.op,
                                elementTypeName(ctx.element(a)), elementTypeName(ctx.element(b))));
    }
    return computedAs(ctx, widened(ctx.element(a)), a, b, [&](OnnxValue x, OnnxValue y) {
        return ctx.emit("MatMul", {x, y});
    });
}

Ints otherAxes(std::size_t rank, const Ints& axes)
{
    Ints others;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(rank); ++i) {
        if (std::find(axes.begin(), axes.end(), i) == axes.end()) {
            others.push_back(i);
        }
    }
    return others;
}

ShapeTerm productTerm(const NodeContext& ctx, OnnxValue x, const Ints& axes)
{
    return axes.empty() ? fixedTerm(1) : termOf(ctx, x, axes);
}

/// The sum over pairs of axes of the products of all elements; the result has the remaining axes in order.
OnnxValue contracted(const NodeContext& ctx, OnnxValue a, OnnxValue b, const Ints& left, const Ints& right)
{
    for (std::size_t i = 0; i < left.size(); ++i) {
        const Dim& l = ctx.shape(a)[static_cast<std::size_t>(left[i])];
        const Dim& r = ctx.shape(b)[static_cast<std::size_t>(right[i])];
        if (l.isFixed() && r.isFixed() && l.size != r.size) {
            ctx.invalid(fmt::format("a dimension of {} is paired with one of {}", l.size, r.size));
        }
    }
    const Ints freeLeft = otherAxes(ctx.rank(a), left);
    const Ints freeRight = otherAxes(ctx.rank(b), right);
    ShapeTerms terms;
    for (const auto axis : freeLeft) {
        terms.push_back(termOf(ctx, a, {axis}));
    }
    for (const auto axis : freeRight) {
        terms.push_back(termOf(ctx, b, {axis}));
    }
    Ints order = freeLeft;
    order.insert(order.end(), left.begin(), left.end());
    const OnnxValue rows =
        reshapeTo(ctx, emit::transpose(ctx, a, order), {productTerm(ctx, a, freeLeft), productTerm(ctx, a, left)});
    order = right;
    order.insert(order.end(), freeRight.begin(), freeRight.end());
    const OnnxValue columns =
        reshapeTo(ctx, emit::transpose(ctx, b, order), {productTerm(ctx, b, right), productTerm(ctx, b, freeRight)});
    return reshapeTo(ctx, product(ctx, rows, columns), terms);
}

OnnxValues dot(NodeContext& ctx)
{
    const OnnxValue a = ctx.input(0);
    const OnnxValue b = ctx.input(1);
    if (ctx.rank(a) == 0 || ctx.rank(b) == 0) {
        return {arithmetic::multiply(ctx, a, b)};
    }
    if (ctx.rank(b) <= 2) {
        return {product(ctx, a, b)};
    }
    const auto last = static_cast<std::int64_t>(ctx.rank(a)) - 1;
    return {contracted(ctx, a, b, {last}, {static_cast<std::int64_t>(ctx.rank(b)) - 2})};
}

OnnxValues matmul(NodeContext& ctx)
{
    if (ctx.rank(ctx.input(0)) == 0 || ctx.rank(ctx.input(1)) == 0) {
        ctx.invalid("matmul does not accept scalars");
    }
    return {product(ctx, ctx.input(0), ctx.input(1))};
}

OnnxValues tensorDot(NodeContext& ctx)
{
    const auto axes = [&](std::string_view name, OnnxValue x) {
        Ints list = Attributes(ctx).ints(name);
        for (auto& axis : list) {
            axis = ctx.axis(axis, ctx.rank(x), name);
        }
        return list;
    };
    const Ints left = axes("a_axes_summed", ctx.input(0));
    const Ints right = axes("b_axes_summed", ctx.input(1));
    if (left.size() != right.size()) {
        ctx.invalid(fmt::format("{} axes are paired with {}", left.size(), right.size()), "b_axes_summed");
    }
    return {contracted(ctx, ctx.input(0), ctx.input(1), left, right)};
}

/// The last axes of one tensor against the first of the other.
OnnxValues tensorDotOfInner(NodeContext& ctx)
{
    const std::int64_t count = Attributes(ctx).integer("axes");
    const auto rank = static_cast<std::int64_t>(ctx.rank(ctx.input(0)));
    if (count < 0 || count > rank || count > static_cast<std::int64_t>(ctx.rank(ctx.input(1)))) {
        ctx.invalid(fmt::format("axes = {} exceeds the rank", count), "axes");
    }
    Ints left(static_cast<std::size_t>(count));
    Ints right = left;
    std::iota(left.begin(), left.end(), rank - count);
    std::iota(right.begin(), right.end(), 0);
    return {contracted(ctx, ctx.input(0), ctx.input(1), left, right)};
}

/// A polynomial given by its coefficients, highest power first.
OnnxValues polynomial(NodeContext& ctx)
{
    constexpr std::int64_t limit = 1024;
    const OnnxValue coefficients = ctx.input(0);
    const OnnxValue x = ctx.input(1);
    const std::int64_t count = ctx.rank(coefficients) == 1 ? ctx.fixedDim(coefficients, 0) : 0;
    if (count < 1 || count > limit) {
        ctx.refuse(fmt::format("a polynomial of {} coefficients", count));
    }
    const auto coefficient = [&](std::int64_t i) {
        return emit::gather(ctx, coefficients, ctx.onnx.scalar(ElementType::Int64, static_cast<double>(i)), 0);
    };
    OnnxValue y = arithmetic::add(ctx, arithmetic::multiply(ctx, x, emit::scalarLike(ctx, x, 0)), coefficient(0));
    for (std::int64_t i = 1; i < count; ++i) {
        y = arithmetic::add(ctx, arithmetic::multiply(ctx, y, x), coefficient(i));
    }
    return {y};
}

/// Each element of one tensor times all of the other.
OnnxValues kronecker(NodeContext& ctx)
{
    const std::size_t rank = std::max(ctx.rank(ctx.input(0)), ctx.rank(ctx.input(1)));
    const auto spread = [&](OnnxValue x, std::int64_t place) {
        Ints front(rank - ctx.rank(x));
        std::iota(front.begin(), front.end(), 0);
        Ints between;
        for (std::size_t i = 0; i < rank; ++i) {
            between.push_back(2 * static_cast<std::int64_t>(i) + place);
        }
        return emit::unsqueeze(ctx, emit::unsqueeze(ctx, x, front), between);
    };
    const OnnxValue product = arithmetic::multiply(ctx, spread(ctx.input(0), 1), spread(ctx.input(1), 0));
    ShapeTerms terms;
    for (std::size_t i = 0; i < rank; ++i) {
        const auto at = 2 * static_cast<std::int64_t>(i);
        terms.push_back(termOf(ctx, product, {at, at + 1}));
    }
    return {reshapeTo(ctx, product, terms)};
}

} // namespace

std::span<const OpRow> numpyProductOps()
{
    static constexpr OpRow rows[] = {
        {"_np_dot", dot, "MatMul"},
        {"_npi_kron", kronecker, "Unsqueeze, Mul, Reshape"},
        {"_npi_matmul", matmul, "MatMul"},
        {"_npi_polyval", polynomial, "Gather, Mul, Add"},
        {"_npi_tensordot", tensorDot, "Transpose, Reshape, MatMul"},
        {"_npi_tensordot_int_axes", tensorDotOfInner, "Reshape, MatMul"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
