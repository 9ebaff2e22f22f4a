#include "core/convert/forms/random/samplers.h"

#include "core/convert/emit.h"
#include "core/convert/forms/elementwise/special_functions.h"

#include <cmath>
#include <numbers>

namespace crosswalk::forms::random {
namespace {

constexpr int firstOpsetWithout = 22;

std::optional<Ints> fixedDims(const ShapeTerms& shape)
{
    Ints dims;
    for (const ShapeTerm& term : shape) {
        if (!term.dim.isFixed()) {
            return std::nullopt;
        }
        dims.push_back(term.dim.size);
    }
    return dims;
}

OnnxValue onesOf(const NodeContext& ctx, const ShapeTerms& shape)
{
    const Tensor one = Tensor::filled(ElementType::Float32, {1}, 1);
    const OnnxValue y = ctx.emit("ConstantOfShape", {shapeVector(ctx, shape)}, {{"value", one}});
    ctx.onnx.refine(y, knownShape(shape));
    return y;
}

/// Sum of fair coin tosses over 2, 4, 8... up to what a float32 holds.
OnnxValue tossed(const NodeContext& ctx, ShapeTerms shape)
{
    constexpr int bits = 24;
    shape.push_back(fixedTerm(bits));
    const OnnxValue half = ctx.onnx.scalar(ElementType::Float32, 0.5);
    const OnnxValue isTraining = ctx.onnx.scalar(ElementType::Bool, 1);
    const OnnxValue tosses = ctx.onnx.add("Dropout", {onesOf(ctx, shape), half, isTraining}, {}, 2)[1];
    std::vector<float> places(bits);
    for (std::size_t i = 0; i < places.size(); ++i) {
        places[i] = std::ldexp(1.0F, -static_cast<int>(i) - 1);
    }
    const Tensor weights = Tensor::of(ElementType::Float32, {bits}, std::span<const float>(places));
    return ctx.emit("MatMul", {emit::cast(ctx, tosses, ElementType::Float32), ctx.onnx.constant(weights)});
}

OnnxValue drawn(const NodeContext& ctx, std::string_view op, std::string_view opLike, const ShapeTerms& shape)
{
    if (const auto dims = fixedDims(shape)) {
        return ctx.emit(op, {}, {{"shape", *dims}});
    }
    return ctx.emit(opLike, {onesOf(ctx, shape)});
}

/// The arithmetic of the formulas below.
class Formula {
public:
    explicit Formula(const NodeContext& ctx)
        : m_ctx(ctx)
    {
    }
    OnnxValue number(double value) const { return m_ctx.onnx.scalar(ElementType::Float32, value); }
    OnnxValue of(std::string_view op, OnnxValue a) const { return m_ctx.emit(op, {a}); }
    OnnxValue of(std::string_view op, OnnxValue a, OnnxValue b) const { return m_ctx.emit(op, {a, b}); }
    OnnxValue of(std::string_view op, OnnxValue a, double b) const { return of(op, a, number(b)); }
    OnnxValue where(OnnxValue condition, OnnxValue a, OnnxValue b) const
    {
        return m_ctx.emit("Where", {condition, a, b});
    }

private:
    const NodeContext& m_ctx;
};

/// `tries` draws stacked on a new first axis.
ShapeTerms times(std::int64_t tries, ShapeTerms shape)
{
    shape.insert(shape.begin(), fixedTerm(tries));
    return shape;
}

/// The first accepted candidate on the first axis.
OnnxValue firstAccepted(const NodeContext& ctx, OnnxValue candidates, OnnxValue isAccepted)
{
    const OnnxValue flags = emit::cast(ctx, isAccepted, ElementType::Int32);
    const OnnxValue place = ctx.emit("ArgMax", {flags}, {{"axis", 0}, {"keepdims", 1}});
    return emit::squeeze(ctx, ctx.emit("GatherElements", {candidates, place}, {{"axis", 0}}), {0});
}

/// The number of attempts of rejection sampling. The probability that all fail is below 1e-14.
constexpr std::int64_t tries = 24;

/// Poisson of a small mean: how many exponential waits fit into it.
OnnxValue countedPoisson(const NodeContext& ctx, OnnxValue mean, const ShapeTerms& shape)
{
    constexpr std::int64_t most = 64; // of a mean below 10, passed with a chance of 1e-28
    const Formula f(ctx);
    const OnnxValue waits = exponential(ctx, times(most, shape));
    const OnnxValue times = ctx.emit("CumSum", {waits, ctx.onnx.scalar(ElementType::Int64, 0)});
    const OnnxValue fits = emit::cast(ctx, f.of("Less", times, mean), ElementType::Float32);
    return emit::reduce(ctx, "ReduceSum", fits, {0}, false);
}

/// Poisson of a mean from 10 on: Hörmann's transformed rejection (PTRS).
OnnxValue rejectedPoisson(const NodeContext& ctx, OnnxValue mean, const ShapeTerms& shape)
{
    const Formula f(ctx);
    const OnnxValue b = f.of("Add", f.of("Mul", f.of("Sqrt", mean), 2.53), 0.931);
    const OnnxValue a = f.of("Sub", f.of("Mul", b, 0.02483), 0.059);
    const OnnxValue inverseAlpha = f.of("Add", f.of("Div", f.number(1.1328), f.of("Sub", b, 3.4)), 1.1239);
    const OnnxValue u = f.of("Sub", uniform(ctx, times(tries, shape)), 0.5);
    const OnnxValue v = uniform(ctx, times(tries, shape));
    const OnnxValue edge = f.of("Sub", f.number(0.5), f.of("Abs", u));
    const OnnxValue slope = f.of("Add", f.of("Div", f.of("Mul", a, 2), edge), b);
    const OnnxValue k = f.of("Floor", f.of("Add", f.of("Mul", slope, u), f.of("Add", mean, 0.43)));
    const OnnxValue scale = f.of("Add", f.of("Div", a, f.of("Mul", edge, edge)), b);
    const OnnxValue left = f.of("Sub", f.of("Log", f.of("Mul", v, inverseAlpha)), f.of("Log", scale));
    const OnnxValue growth = f.of("Sub", f.of("Mul", k, f.of("Log", mean)), mean);
    const OnnxValue right = f.of("Sub", growth, special::logGamma(ctx, f.of("Add", k, 1)));
    const OnnxValue isCount = f.of("Greater", k, -0.5);
    const OnnxValue isAccepted = f.of("And", isCount, f.of("Not", f.of("Greater", left, right)));
    return firstAccepted(ctx, k, isAccepted);
}

} // namespace

OnnxValue uniform(const NodeContext& ctx, const ShapeTerms& shape)
{
    return ctx.onnx.opset() < firstOpsetWithout ? drawn(ctx, "RandomUniform", "RandomUniformLike", shape)
                                                : tossed(ctx, shape);
}

OnnxValue exponential(const NodeContext& ctx, const ShapeTerms& shape)
{
    const Formula f(ctx);
    return f.of("Neg", f.of("Log", f.of("Sub", f.number(1), uniform(ctx, shape))));
}

OnnxValue normal(const NodeContext& ctx, const ShapeTerms& shape)
{
    if (ctx.onnx.opset() < firstOpsetWithout) {
        return drawn(ctx, "RandomNormal", "RandomNormalLike", shape);
    }
    // Box and Muller's transform of two uniform numbers.
    const Formula f(ctx);
    const OnnxValue radius = f.of("Sqrt", f.of("Mul", exponential(ctx, shape), 2));
    return f.of("Mul", radius, f.of("Cos", f.of("Mul", uniform(ctx, shape), 2 * std::numbers::pi)));
}

OnnxValue gamma(const NodeContext& ctx, OnnxValue alpha, const ShapeTerms& shape)
{
    // Marsaglia and Tsang's rejection, for alpha + 1 where alpha is below 1: u^(1/alpha) brings that back.
    const Formula f(ctx);
    const OnnxValue isSmall = f.of("Less", alpha, 1);
    const OnnxValue shifted = f.where(isSmall, f.of("Add", alpha, 1), alpha);
    const OnnxValue d = f.of("Sub", shifted, 1.0 / 3);
    const OnnxValue c = f.of("Reciprocal", f.of("Sqrt", f.of("Mul", d, 9)));
    const OnnxValue z = normal(ctx, times(tries, shape));
    const OnnxValue root = f.of("Add", f.of("Mul", z, c), 1);
    const OnnxValue v = f.of("Mul", f.of("Mul", root, root), root);
    const OnnxValue isPositive = f.of("Greater", root, 0);
    const OnnxValue logV = f.of("Log", f.where(isPositive, v, f.number(1)));
    const OnnxValue bound =
        f.of("Add", f.of("Mul", f.of("Mul", z, z), 0.5), f.of("Mul", d, f.of("Add", f.of("Sub", logV, v), 1)));
    const OnnxValue isBelow = f.of("Greater", exponential(ctx, times(tries, shape)), f.of("Neg", bound));
    const OnnxValue value = f.of("Mul", d, firstAccepted(ctx, v, f.of("And", isPositive, isBelow)));
    const OnnxValue shrunk = f.of("Exp", f.of("Neg", f.of("Div", exponential(ctx, shape), alpha)));
    return f.where(isSmall, f.of("Mul", value, shrunk), value);
}

OnnxValue poisson(const NodeContext& ctx, OnnxValue mean, const ShapeTerms& shape)
{
    const Tensor* stored = ctx.onnx.content(mean);
    constexpr double border = 10;
    if (stored != nullptr && stored->elements() == 1) {
        return stored->toDoubles().front() < border ? countedPoisson(ctx, mean, shape)
                                                    : rejectedPoisson(ctx, mean, shape);
    }
    const Formula f(ctx);
    const OnnxValue isSmall = f.of("Less", mean, border);
    return f.where(isSmall, countedPoisson(ctx, mean, shape),
                   rejectedPoisson(ctx, f.where(isSmall, f.number(border), mean), shape));
}

} // namespace crosswalk::forms::random
