// Bessel functions, and the derivatives of the gamma function's logarithm.

#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/elementwise/doubles.h"
#include "core/convert/forms/elementwise/special_functions.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace crosswalk::tensorflow {
namespace {

template <int order, bool isScaled>
OnnxValues bessel(NodeContext& ctx)
{
    return {special::bessel(ctx, ctx.input(0), order, isScaled)};
}

OnnxValue nanAt(const NodeContext& ctx, OnnxValue isPole, OnnxValue value)
{
    const Doubles d(ctx);
    return d.where(isPole, d.number(std::numeric_limits<double>::quiet_NaN()), value);
}

/// At 0 NaN too, as at the other poles.
OnnxValue digammaOfDouble(const NodeContext& ctx, OnnxValue x)
{
    const Doubles d(ctx);
    return nanAt(ctx, d.equal(x, d.number(0)), special::digamma(ctx, x));
}

/// Even orders have no value at the poles, 0 and below at the integers, odd ones are infinite at the negative infinity.
OnnxValue polygammaOfDouble(const NodeContext& ctx, OnnxValue x, int order)
{
    const Doubles d(ctx);
    const OnnxValue value = special::polygamma(ctx, x, order);
    if (order % 2 != 0) {
        const OnnxValue infinity = d.number(std::numeric_limits<double>::infinity());
        return d.where(d.equal(x, d.apply("Neg", infinity)), infinity, value);
    }
    const OnnxValue isInteger = d.equal(x, d.apply("Floor", x));
    const OnnxValue isPositive = ctx.emit("Greater", {x, d.number(0)});
    return nanAt(ctx, ctx.emit("And", {isInteger, ctx.emit("Not", {isPositive})}), value);
}

OnnxValues digamma(NodeContext& ctx)
{
    return {computedAs(ctx, ElementType::Float64, ctx.input(0), [&](OnnxValue x) { return digammaOfDouble(ctx, x); })};
}

OnnxValues polygamma(NodeContext& ctx)
{
    constexpr int highest = 30; // of the factorials that single precision holds
    const std::vector<double> orders = constantNumbers(ctx, 0, "order");
    const bool isUniform = !orders.empty() && std::ranges::all_of(orders, [&](double n) { return n == orders[0]; });
    if (!isUniform || orders[0] < 0 || orders[0] > highest || orders[0] != std::floor(orders[0])) {
        ctx.refuse(fmt::format("Polygamma is supported for one order, an integer from 0 to {}", highest), "a");
    }
    const auto order = static_cast<int>(orders[0]);
    const OnnxValue value = computedAs(ctx, ElementType::Float64, ctx.input(1), [&](OnnxValue x) {
        return order == 0 ? digammaOfDouble(ctx, x) : polygammaOfDouble(ctx, x, order);
    });
    const bool isScalar = ctx.rank(ctx.input(0)) == 0;
    return {isScalar ? value : emit::expand(ctx, value, emit::shapeVector(ctx, ctx.input(0)))};
}

} // namespace

std::span<const OpRow> specialOps()
{
    static constexpr OpRow rows[] = {
        {"BesselI0", bessel<0, false>, "Pow, MatMul, Exp"},
        {"BesselI0e", bessel<0, true>, "Pow, MatMul, Exp"},
        {"BesselI1", bessel<1, false>, "Pow, MatMul, Exp"},
        {"BesselI1e", bessel<1, true>, "Pow, MatMul, Exp"},
        {"Digamma", digamma, "Log, Reciprocal, Tan"},
        {"Polygamma", polygamma, "Pow, ReduceSum", "constant orders up to 30"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
