#include "core/convert/forms/elementwise/special_functions.h"

#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/elementwise/doubles.h"
#include "core/convert/forms/elementwise/elementary.h"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>

namespace crosswalk::forms::special {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// ln gamma for x >= 0.5: Lanczos' series with g = 7.
OnnxValue logGammaAbove(const NodeContext& ctx, OnnxValue x)
{
    static constexpr double first = 0.99999999999980993;
    static constexpr std::array weights = {676.5203681218851,     -1259.1392167224028,  771.32342877765313,
                                           -176.61502916214059,   12.507343278686905,   -0.13857109526572012,
                                           9.9843695780195716e-6, 1.5056327351493116e-7};
    static constexpr std::array<double, 8> places = {0, 1, 2, 3, 4, 5, 6, 7};
    const Doubles d(ctx);
    const OnnxValue terms = d.div(d.vector(weights), d.add(d.spread(x), d.vector(places)));
    const OnnxValue sum = emit::reduce(ctx, "ReduceSum", terms, {static_cast<std::int64_t>(ctx.rank(x))}, false);
    // (x - 1/2) (ln t - 1) - 7 with t = x + 13/2: no difference of two infinities for a large x.
    const OnnxValue growth = d.mul(d.add(x, -0.5), d.add(d.apply("Log", d.add(x, 6.5)), -1));
    const double halfLogTwoPi = 0.5 * std::log(2 * std::numbers::pi);
    return d.add(d.add(growth, d.apply("Log", d.add(sum, first))), halfLogTwoPi - 7);
}

/// x for which the series holds: 1 - x below one half.
OnnxValue reflected(const NodeContext& ctx, OnnxValue isBelow, OnnxValue x)
{
    const Doubles d(ctx);
    return d.where(isBelow, d.sub(d.number(1), x), x);
}

/// sin(pi x), exactly zero at the integers, without its sign: the distance to the nearest one decides.
OnnxValue sineMagnitude(const NodeContext& ctx, OnnxValue x)
{
    const Doubles d(ctx);
    return d.apply("Sin", d.mul(d.apply("Abs", d.sub(x, d.apply("Round", x))), std::numbers::pi));
}

OnnxValue logGammaOfDouble(const NodeContext& ctx, OnnxValue x)
{
    const Doubles d(ctx);
    const OnnxValue isBelow = d.less(x, 0.5);
    const OnnxValue above = logGammaAbove(ctx, reflected(ctx, isBelow, x));
    const OnnxValue below = d.sub(d.apply("Log", d.div(d.number(std::numbers::pi), sineMagnitude(ctx, x))), above);
    const OnnxValue isEnd = d.equal(x, d.number(-infinity)); // where the sine has no value
    return d.where(isEnd, d.number(infinity), d.where(isBelow, below, above));
}

/// The sign below zero changes at every integer; there gamma is NaN, and at zero infinite.
OnnxValue gammaOfDouble(const NodeContext& ctx, OnnxValue x)
{
    const Doubles d(ctx);
    const OnnxValue magnitude = d.apply("Exp", logGammaOfDouble(ctx, x));
    const OnnxValue floor = d.apply("Floor", x);
    const OnnxValue isEven = d.equal(d.mul(d.apply("Floor", d.mul(floor, 0.5)), 2), floor);
    const OnnxValue isNegative = d.less(x, 0);
    const OnnxValue isPole = ctx.emit("And", {isNegative, d.equal(floor, x)});
    const OnnxValue isTurned = ctx.emit("And", {isNegative, ctx.emit("Not", {isEven})});
    const OnnxValue isZero = d.equal(x, d.number(0));
    const OnnxValue signedValue = d.where(isTurned, d.apply("Neg", magnitude), magnitude);
    const OnnxValue withPoles = d.where(isPole, d.number(std::numeric_limits<double>::quiet_NaN()), signedValue);
    return d.where(isZero, d.apply("Reciprocal", x), withPoles);
}

// erfinv(x) / x as polynomials fitted for this program, accurate to 4e-14: of u = w / 3.125 - 1 up to w = 6.25, and of
// t = (sqrt(w) - 4.375) / 1.875 beyond, with w = -ln(1 - x^2).
constexpr std::array centralErfinv = {1.6536545626831038,      0.75049432008005235,    -0.058922567103778717,
                                      -0.022604447459973628,   0.017808361818824486,   -0.0041373142354380298,
                                      -0.0012716922794830689,  0.0012324841453751642,  -0.00026439356736441297,
                                      -0.00011688095987097138, 9.3366866454364515e-05, -1.5054093878832808e-05,
                                      -1.1255590052309931e-05, 7.1859158557386565e-06, -6.8752566587447884e-07,
                                      -1.135082678512564e-06,  5.451644294409623e-07,  5.4516681015135035e-08,
                                      -1.045439406422568e-07,  6.3528965504457974e-09, 8.7092511180714672e-09};
constexpr std::array outerErfinv = {
    4.2184807076528754,     1.8939929107307993,      0.0017701087905574687,   -0.0033690071768656613,
    0.002180939155828677,   -0.0011757110286040487,  0.00065789163817656137,  -0.00047969066451988428,
    0.00047170533850383911, -0.00050002679079838705, 0.0004762663218147826,   -0.00036708649379504351,
    0.00019229889561746936, -2.1262536909117227e-05, -6.7903713639159977e-05, 7.6962947355154636e-05,
    -6.57826736347892e-05,  3.858471747071631e-05,   1.1366856870873825e-05,  -3.1548175576775717e-05,
    9.9276572395156951e-06, 5.3328604984186645e-06,  -2.7037203319738539e-06};

// erf(x) / x up to 1, a polynomial of x^2, and e^(x^2) erfc(x) from there to 6, one of t = (x - 3) / (x + 3): both
// fitted for this program, accurate to 4e-15.
constexpr std::array innerErf = {1.1283791670955166,     -0.37612638903254997,    0.11283791673610727,
                                 -0.02686617108340776,   0.005223981626102508,    -0.000854855193476199,
                                 0.0001206360707841319,  -1.5131782921530754e-05, 1.99942756548158e-06,
                                 -5.794671389074731e-07, 3.443232604435512e-07,   -1.6861096290605404e-07,
                                 4.909400429044449e-08,  -6.253165858132499e-09};
constexpr std::array outerErfc = {
    0.17900115118139012,     -0.3262335600430337,    0.24560380171223503,     -0.1501159365013264,
    0.07166583721209493,     -0.02439249928290265,   0.0042691354971591735,   0.0007077449611195124,
    -0.0005970361816746339,  4.5300018901082864e-05, 6.361110021620947e-05,   -1.3756545353929958e-05,
    -3.7559360606602824e-06, 1.265345714100673e-05,  -1.7437496644989527e-05, -6.496000927169699e-05,
    1.0602362069962178e-05,  0.00015938342980446361, 0.00012026836973891399};

OnnxValue errorOfDouble(const NodeContext& ctx, OnnxValue x)
{
    const Doubles d(ctx);
    const OnnxValue magnitude = d.apply("Abs", x);
    const OnnxValue inner = d.mul(x, d.polynomial(d.mul(x, x), innerErf));
    const OnnxValue end = d.number(6); // from here on it is 1
    const OnnxValue limited = d.where(ctx.emit("Greater", {magnitude, end}), end, magnitude);
    const OnnxValue place = d.div(d.add(limited, -3), d.add(limited, 3));
    const OnnxValue decay = d.apply("Exp", d.apply("Neg", d.mul(limited, limited)));
    const OnnxValue outer = d.sub(d.number(1), d.mul(decay, d.polynomial(place, outerErfc)));
    const OnnxValue turned = d.where(d.less(x, 0), d.apply("Neg", outer), outer);
    return d.where(d.less(magnitude, 1), inner, turned);
}

/// The coefficients of the asymptotic series in 1 / x^2 of x sqrt(pi) e^(x^2) erfc(x).
std::vector<double> complementTail()
{
    constexpr int count = 18;
    std::vector<double> terms{1};
    for (int k = 1; k < count; ++k) {
        terms.push_back(-terms.back() * (2.0 * k - 1) / 2);
    }
    return terms;
}

OnnxValue scaledComplementOfDouble(const NodeContext& ctx, OnnxValue x)
{
    const Doubles d(ctx);
    const OnnxValue magnitude = d.apply("Abs", x);
    const OnnxValue square = d.mul(x, x);
    const OnnxValue growth = d.apply("Exp", square);
    const OnnxValue small = d.where(d.less(magnitude, 1), magnitude, d.number(1));
    const OnnxValue inner =
        d.mul(growth, d.sub(d.number(1), d.mul(small, d.polynomial(d.mul(small, small), innerErf))));
    const OnnxValue isFar = ctx.emit("Not", {d.less(magnitude, 6)});
    const OnnxValue middle = d.where(isFar, d.number(6), magnitude);
    const OnnxValue outer = d.polynomial(d.div(d.add(middle, -3), d.add(middle, 3)), outerErfc);
    const OnnxValue large = d.where(isFar, magnitude, d.number(6));
    const OnnxValue tail = d.div(d.polynomial(d.apply("Reciprocal", d.mul(large, large)), complementTail()),
                                 d.mul(large, std::sqrt(std::numbers::pi)));
    const OnnxValue positive = d.where(d.less(magnitude, 1), inner, d.where(isFar, tail, outer));
    return d.where(d.less(x, 0), d.sub(d.mul(growth, 2), positive), positive);
}

/// By the recurrence, then the asymptotic series; below 1/2 reflected.
OnnxValue digammaOfDouble(const NodeContext& ctx, OnnxValue x)
{
    constexpr int steps = 8;
    // Bernoulli numbers over their index, from the last one on.
    constexpr std::array overIndex = {1.0 / 12, -691.0 / 32760, 1.0 / 132, -1.0 / 240, 1.0 / 252, -1.0 / 120, 1.0 / 12};
    const Doubles d(ctx);
    const OnnxValue isBelow = d.less(x, 0.5);
    OnnxValue y = reflected(ctx, isBelow, x);
    OnnxValue sum = d.number(0);
    for (int i = 0; i < steps; ++i) {
        sum = d.add(sum, d.apply("Reciprocal", y));
        y = d.add(y, 1);
    }
    const OnnxValue square = d.apply("Reciprocal", d.mul(y, y));
    OnnxValue series = d.number(overIndex.front());
    for (const double term : std::span(overIndex).subspan(1)) {
        series = d.add(d.mul(series, square), term);
    }
    const OnnxValue logarithm = d.sub(d.apply("Log", y), d.mul(d.apply("Reciprocal", y), 0.5));
    const OnnxValue above = d.sub(d.sub(logarithm, d.mul(series, square)), sum);
    // pi / tan(pi x), by the distance to the nearest integer, where there is a pole.
    const OnnxValue rest = d.sub(x, d.apply("Round", x));
    const OnnxValue cotangent = d.div(d.number(std::numbers::pi), elementary::tan(ctx, d.mul(rest, std::numbers::pi)));
    const OnnxValue isPole = ctx.emit("And", {d.equal(rest, d.number(0)), d.less(x, 0)});
    const OnnxValue below =
        d.where(isPole, d.number(std::numeric_limits<double>::quiet_NaN()), d.sub(above, cotangent));
    return d.where(isBelow, below, above);
}

/// The polynomials P with d^n/dx^n cot(x) = P(cot(x)).
std::vector<double> cotangentDerivative(int order)
{
    std::vector<double> terms{0, 1};
    for (int n = 0; n < order; ++n) { // by the derivative -(1 + c^2) of c
        std::vector<double> next(terms.size() + 1, 0);
        for (std::size_t k = 1; k < terms.size(); ++k) {
            const double factor = static_cast<double>(k) * terms[k];
            next[k - 1] -= factor;
            next[k + 1] -= factor;
        }
        terms = std::move(next);
    }
    return terms;
}

/// The sum of (y + k)^-s over k from 0 on, for y from 1/2 on: the first terms, then Euler and Maclaurin's formula.
OnnxValue zetaAbove(const NodeContext& ctx, OnnxValue y, double s)
{
    const Doubles d(ctx);
    constexpr int count = 20;
    std::vector<double> shifts(count);
    for (int k = 0; k < count; ++k) {
        shifts[static_cast<std::size_t>(k)] = k;
    }
    const auto power = [&](OnnxValue base, double exponent) { return ctx.emit("Pow", {base, d.number(exponent)}); };
    const OnnxValue terms = power(d.add(d.spread(y), d.vector(shifts)), -s);
    OnnxValue sum = emit::reduce(ctx, "ReduceSum", terms, {static_cast<std::int64_t>(ctx.rank(y))}, false);
    const OnnxValue w = d.add(y, count);
    sum = d.add(sum, d.mul(power(w, 1 - s), 1 / (s - 1)));
    sum = d.add(sum, d.mul(power(w, -s), 0.5));
    // Bernoulli numbers B(2j) over (2j)!, times s (s + 1) ... (s + 2j - 2).
    constexpr std::array overFactorials = {1.0 / 12,           -1.0 / 720,     1.0 / 30240,
                                           -1.0 / 1209600,     1.0 / 47900160, -691.0 / 1307674368000.0,
                                           1.0 / 74724249600.0};
    double rising = s;
    for (std::size_t j = 0; j < overFactorials.size(); ++j) {
        const double index = 2 * static_cast<double>(j);
        sum = d.add(sum, d.mul(power(w, -s - index - 1), overFactorials[j] * rising));
        rising *= (s + index + 1) * (s + index + 2);
    }
    return sum;
}

OnnxValue polygammaOfDouble(const NodeContext& ctx, OnnxValue x, int order)
{
    const Doubles d(ctx);
    const OnnxValue isBelow = d.less(x, 0.5);
    const double sign = order % 2 == 0 ? -1 : 1;
    const OnnxValue zeta = zetaAbove(ctx, reflected(ctx, isBelow, x), order + 1.0);
    const OnnxValue above = d.mul(zeta, sign * std::tgamma(order + 1.0));
    // psi(1 - x) + (-1)^(n+1) psi(x) = (-1)^n pi d^n/dx^n cot(pi x)
    const OnnxValue rest = d.sub(x, d.apply("Round", x));
    const OnnxValue angle = d.mul(rest, std::numbers::pi);
    const OnnxValue cotangent = d.div(d.apply("Cos", angle), d.apply("Sin", angle));
    // The factor is part of the polynomial: ONNX Runtime would round one behind it to single precision.
    std::vector<double> terms = cotangentDerivative(order);
    for (double& term : terms) {
        term *= -std::pow(std::numbers::pi, order + 1);
    }
    const OnnxValue turned = d.polynomial(cotangent, terms);
    const OnnxValue below = d.add(turned, d.mul(above, -sign));
    const OnnxValue isPole = d.equal(rest, d.number(0));
    return d.where(isBelow, d.where(isPole, d.number(sign * infinity), below), above);
}

/// The terms of the power series in x^2 / 4, from which the Bessel function of order 1 has x / 2 split off.
std::vector<double> besselSeries(int order)
{
    constexpr int count = 56; // enough up to the border
    std::vector<double> terms{1};
    for (int k = 1; k < count; ++k) {
        terms.push_back(terms.back() / (static_cast<double>(k) * (k + order)));
    }
    return terms;
}

/// The terms of the asymptotic series in 1 / x.
std::vector<double> besselTail(int order)
{
    constexpr int count = 26; // the smallest term from the border on is later
    std::vector<double> terms{1};
    for (int k = 1; k < count; ++k) {
        const double odd = 2.0 * k - 1;
        terms.push_back(terms.back() * (odd * odd - 4.0 * order * order) / (8.0 * k));
    }
    return terms;
}

/// By the power series, whose terms have one sign, up to a border; from there on by the asymptotic series.
OnnxValue besselOfDouble(const NodeContext& ctx, OnnxValue x, int order, bool isScaled)
{
    constexpr double border = 24;
    const Doubles d(ctx);
    const OnnxValue magnitude = d.apply("Abs", x);
    const OnnxValue isNear = ctx.emit("Less", {magnitude, d.number(border)});
    const OnnxValue inner = d.where(isNear, magnitude, d.number(border));
    OnnxValue near = d.polynomial(d.mul(d.mul(inner, inner), 0.25), besselSeries(order));
    near = order == 1 ? d.mul(near, d.mul(inner, 0.5)) : near;
    near = isScaled ? d.mul(near, d.apply("Exp", d.apply("Neg", inner))) : near;
    const OnnxValue outer = d.where(isNear, d.number(border), magnitude);
    const OnnxValue tail = d.polynomial(d.apply("Reciprocal", outer), besselTail(order));
    OnnxValue far = d.div(tail, d.apply("Sqrt", d.mul(outer, 2 * std::numbers::pi)));
    if (!isScaled) { // in two halves: exp alone overflows earlier
        const OnnxValue half = d.apply("Exp", d.mul(outer, 0.5));
        far = d.mul(d.mul(far, half), half);
    }
    const OnnxValue y = d.where(isNear, near, far);
    return order == 1 ? d.where(d.less(x, 0), d.apply("Neg", y), y) : y;
}

OnnxValue inverseErrorOfDouble(const NodeContext& ctx, OnnxValue x)
{
    const Doubles d(ctx);
    const OnnxValue product = d.mul(d.sub(d.number(1), x), d.add(x, 1));
    const OnnxValue w = d.apply("Neg", d.apply("Log", product));
    const OnnxValue central = d.polynomial(d.add(d.mul(w, 1 / 3.125), -1), centralErfinv);
    const OnnxValue outer =
        d.polynomial(d.mul(d.add(d.apply("Sqrt", d.apply("Abs", w)), -4.375), 1 / 1.875), outerErfinv);
    const OnnxValue value = d.mul(x, d.where(d.less(w, 6.25), central, outer));
    const OnnxValue isEnd = d.equal(d.apply("Abs", x), d.number(1));
    return d.where(isEnd, d.mul(x, infinity), value);
}

} // namespace

OnnxValue gamma(const NodeContext& ctx, OnnxValue x)
{
    return computedAs(ctx, ElementType::Float64, x, [&](OnnxValue v) { return gammaOfDouble(ctx, v); });
}

OnnxValue logGamma(const NodeContext& ctx, OnnxValue x)
{
    return computedAs(ctx, ElementType::Float64, x, [&](OnnxValue v) { return logGammaOfDouble(ctx, v); });
}

OnnxValue error(const NodeContext& ctx, OnnxValue x)
{
    return computedAs(ctx, ElementType::Float64, x, [&](OnnxValue v) { return errorOfDouble(ctx, v); });
}

OnnxValue scaledComplement(const NodeContext& ctx, OnnxValue x)
{
    return computedAs(ctx, ElementType::Float64, x, [&](OnnxValue v) { return scaledComplementOfDouble(ctx, v); });
}

OnnxValue digamma(const NodeContext& ctx, OnnxValue x)
{
    return computedAs(ctx, ElementType::Float64, x, [&](OnnxValue v) { return digammaOfDouble(ctx, v); });
}

OnnxValue polygamma(const NodeContext& ctx, OnnxValue x, int order)
{
    return computedAs(ctx, ElementType::Float64, x, [&](OnnxValue v) { return polygammaOfDouble(ctx, v, order); });
}

OnnxValue inverseError(const NodeContext& ctx, OnnxValue x)
{
    return computedAs(ctx, ElementType::Float64, x, [&](OnnxValue v) { return inverseErrorOfDouble(ctx, v); });
}

OnnxValue bessel(const NodeContext& ctx, OnnxValue x, int order, bool isScaled)
{
    return computedAs(ctx, ElementType::Float64, x,
                      [&](OnnxValue v) { return besselOfDouble(ctx, v, order, isScaled); });
}

} // namespace crosswalk::forms::special
