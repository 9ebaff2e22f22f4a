#include "core/convert/forms/elementwise/integer_arithmetic.h"

#include "core/convert/forms/control/loops.h"
#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/tensor/fill.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace crosswalk::forms::arithmetic {
namespace {

/// From here on ONNX has operators for bits.
constexpr int bitwiseOpset = 18;

void expectIntegers(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    if (ctx.element(a) != ctx.element(b) || isFloating(ctx.element(a))) {
        ctx.invalid(fmt::format("{} of {} and {}: the operands are not integers of one type", ctx.node.op,
                                elementTypeName(ctx.element(a)), elementTypeName(ctx.element(b))));
    }
}

/// The bits of two's complement on a new last axis, the sign's left off: the whole quotients by the powers of two that
/// are odd. x is int64.
OnnxValue bits(const NodeContext& ctx, OnnxValue x, OnnxValue powers)
{
    const auto last = static_cast<std::int64_t>(ctx.rank(x));
    const OnnxValue apart = emit::unsqueeze(ctx, x, {last});
    const OnnxValue whole = ctx.emit("Sub", {apart, ctx.emit("Mod", {apart, powers})});
    const OnnxValue quotient = ctx.emit("Div", {whole, powers});
    const OnnxValue rest = ctx.emit("Mod", {quotient, emit::scalarLike(ctx, quotient, 2)});
    return emit::cast(ctx, rest, ElementType::Bool);
}

/// a and b of int64 values that `width` bits hold.
OnnxValue composedAnd(const NodeContext& ctx, OnnxValue a, OnnxValue b, int width)
{
    if (width == 64) { // in halves: ONNX Runtime adds up int64 in doubles, which hold 53 bits
        const OnnxValue half = emit::scalarLike(ctx, a, static_cast<double>(std::int64_t{1} << 32));
        const auto low = [&](OnnxValue x) { return ctx.emit("Mod", {x, half}); };
        const auto high = [&](OnnxValue x) { return ctx.emit("Div", {ctx.emit("Sub", {x, low(x)}), half}); };
        const OnnxValue upper = ctx.emit("Mul", {composedAnd(ctx, high(a), high(b), 32), half});
        return ctx.emit("Add", {upper, composedAnd(ctx, low(a), low(b), 33)});
    }
    Ints weights;
    for (int i = 0; i + 1 < width; ++i) {
        weights.push_back(std::int64_t{1} << i);
    }
    const OnnxValue powers = ctx.onnx.ints(weights);
    const OnnxValue common = ctx.emit("And", {bits(ctx, a, powers), bits(ctx, b, powers)});
    const OnnxValue parts = ctx.emit("Mul", {emit::cast(ctx, common, ElementType::Int64), powers});
    const auto last = static_cast<std::int64_t>(ctx.rank(parts)) - 1;
    const OnnxValue sum = emit::reduce(ctx, "ReduceSum", parts, {last}, false);
    const OnnxValue zero = emit::scalarLike(ctx, a, 0);
    const OnnxValue isNegative = ctx.emit("And", {less(ctx, a, zero), less(ctx, b, zero)});
    const OnnxValue sign = emit::scalarLike(ctx, a, -static_cast<double>(std::int64_t{1} << (width - 1)));
    return ctx.emit("Add", {sum, ctx.emit("Where", {isNegative, sign, zero})});
}

/// ONNX's `op` if available, else composed of a, b and their common bits.
template <typename Compose>
OnnxValue bitwise(const NodeContext& ctx, std::string_view op, OnnxValue a, OnnxValue b, Compose compose)
{
    expectIntegers(ctx, a, b);
    if (ctx.onnx.opset() >= bitwiseOpset) {
        return ctx.emit(op, {a, b});
    }
    const ElementType own = ctx.element(a);
    const bool isUnsigned = own == ElementType::UInt8 || own == ElementType::UInt16 || own == ElementType::UInt32;
    const int width = static_cast<int>(byteSize(own)) * 8 + (isUnsigned ? 1 : 0);
    return computedAs(ctx, ElementType::Int64, a, b,
                      [&](OnnxValue x, OnnxValue y) { return compose(x, y, composedAnd(ctx, x, y, width)); });
}

bool isBool(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return ctx.element(a) == ElementType::Bool && ctx.element(b) == ElementType::Bool;
}

} // namespace

OnnxValue bitwiseAnd(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    if (isBool(ctx, a, b)) {
        return logicalAnd(ctx, a, b);
    }
    return bitwise(ctx, "BitwiseAnd", a, b, [](OnnxValue, OnnxValue, OnnxValue common) { return common; });
}

OnnxValue bitwiseOr(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    if (isBool(ctx, a, b)) {
        return logicalOr(ctx, a, b);
    }
    return bitwise(ctx, "BitwiseOr", a, b, [&](OnnxValue x, OnnxValue y, OnnxValue common) {
        return ctx.emit("Add", {ctx.emit("Sub", {x, common}), y});
    });
}

OnnxValue bitwiseXor(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    if (isBool(ctx, a, b)) {
        return logicalXor(ctx, a, b);
    }
    return bitwise(ctx, "BitwiseXor", a, b, [&](OnnxValue x, OnnxValue y, OnnxValue common) {
        return ctx.emit("Add", {ctx.emit("Sub", {x, common}), ctx.emit("Sub", {y, common})});
    });
}

OnnxValue bitwiseNot(const NodeContext& ctx, OnnxValue x)
{
    const ElementType own = ctx.element(x);
    if (own == ElementType::Bool) {
        return ctx.emit("Not", {x});
    }
    if (isFloating(own)) {
        ctx.invalid(fmt::format("{} of {}", ctx.node.op, elementTypeName(own)));
    }
    // 2^bits - 1 for unsigned integers; for 64 bits 2^64, which is the nearest double, becomes the largest number.
    const double ones = isUnsigned(own) ? std::ldexp(1.0, static_cast<int>(byteSize(own)) * 8) - 1 : -1;
    return subtract(ctx, emit::scalarLike(ctx, x, ones), x);
}

OnnxValue shifted(const NodeContext& ctx, OnnxValue a, OnnxValue b, bool isLeft)
{
    const ElementType type = ctx.element(a);
    const auto bits = static_cast<double>(packedSize(type, 1).value_or(0) * 8);
    const OnnxValue x = emit::cast(ctx, a, ElementType::Int64);
    const OnnxValue count = emit::cast(ctx, b, ElementType::Int64);
    const OnnxValue zero = ctx.onnx.scalar(ElementType::Int64, 0);
    const OnnxValue most = ctx.onnx.scalar(ElementType::Int64, bits - 1);
    const OnnxValue isOut = ctx.emit("Or", {ctx.emit("Less", {count, zero}), ctx.emit("Greater", {count, most})});
    const OnnxValue within = ctx.emit("Where", {isOut, most, count});
    const auto moved = [&](OnnxValue value, const char* direction) { // ONNX shifts unsigned numbers only
        const auto asUnsigned = [&](OnnxValue number) { return emit::cast(ctx, number, ElementType::UInt64); };
        return emit::cast(ctx,
                          ctx.emit("BitShift", {asUnsigned(value), asUnsigned(within)}, {{"direction", direction}}),
                          ElementType::Int64);
    };
    if (isLeft || isUnsigned(type)) {
        return emit::cast(ctx, ctx.emit("Where", {isOut, zero, moved(x, isLeft ? "LEFT" : "RIGHT")}), type);
    }
    // The complement of a negative number has zeros where the sign is.
    const OnnxValue isNegative = ctx.emit("Less", {x, zero});
    const auto complement = [&](OnnxValue value) {
        return ctx.emit("Where",
                        {isNegative, ctx.emit("Sub", {ctx.onnx.scalar(ElementType::Int64, -1), value}), value});
    };
    return emit::cast(ctx, complement(moved(complement(x), "RIGHT")), type);
}

OnnxValue greatestCommonDivisor(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    expectIntegers(ctx, a, b);
    return computedAs(ctx, ElementType::Int64, a, b, [&](OnnxValue x, OnnxValue y) {
        // Both in the shape of the result. Euclid's steps on Fibonacci numbers are the most that a width can need.
        const OnnxValue none = ctx.emit("Mul", {ctx.emit("Mul", {x, y}), emit::scalarLike(ctx, x, 0)});
        const OnnxValue left = ctx.emit("Add", {ctx.emit("Abs", {x}), none});
        const OnnxValue right = ctx.emit("Add", {ctx.emit("Abs", {y}), none});
        const double steps = byteSize(ctx.element(a)) == 1 ? 13 : byteSize(ctx.element(a)) == 4 ? 47 : 93;
        const OnnxValue turns = ctx.onnx.scalar(ElementType::Int64, steps);
        return loop(ctx, turns, {left, right}, [&](OnnxValue, const OnnxValues& pair) {
            return OnnxValues{
                ctx.emit("Where", {ctx.emit("Equal", {pair[1], emit::scalarLike(ctx, pair[1], 0)}), pair[0], pair[1]}),
                modulo(ctx, pair[0], pair[1])};
        })[0];
    });
}

namespace {

/// x, but with the highest bit changed, as the same bits of another 64-bit type: the order stays.
OnnxValue turned(const NodeContext& ctx, OnnxValue x)
{
    const std::array<std::int64_t, 1> highest{std::numeric_limits<std::int64_t>::min()};
    return ctx.emit("Add", {x, ctx.onnx.constant(Tensor::ints(highest).reshaped({}))});
}

} // namespace

OnnxValue orderedInt64(const NodeContext& ctx, OnnxValue x)
{
    const OnnxValue wide = emit::cast(ctx, x, ElementType::Int64);
    return ctx.element(x) == ElementType::UInt64 ? turned(ctx, wide) : wide;
}

OnnxValue fromOrderedInt64(const NodeContext& ctx, OnnxValue x, ElementType type)
{
    return emit::cast(ctx, type == ElementType::UInt64 ? turned(ctx, x) : x, type);
}

OnnxValue sortable(const NodeContext& ctx, OnnxValue x)
{
    const ElementType type = ctx.element(x);
    return type == ElementType::UInt64 ? orderedInt64(ctx, x) : emit::cast(ctx, x, widened(type));
}

namespace {

OnnxValue constantPower(const NodeContext& ctx, OnnxValue base, std::int64_t exponent)
{
    if (exponent == 0) {
        return filledLike(ctx, base, ctx.element(base), 1);
    }
    OnnxValue power;
    OnnxValue square = base;
    for (std::int64_t rest = exponent; rest > 0; rest /= 2) {
        if (rest % 2 == 1) {
            power = power ? ctx.emit("Mul", {power, square}) : square;
        }
        square = rest > 1 ? ctx.emit("Mul", {square, square}) : square;
    }
    return power;
}

} // namespace

OnnxValue integerPower(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    expectIntegers(ctx, a, b);
    constexpr std::int64_t mostExponent = 64;
    const ElementType own = ctx.element(a);
    const ElementType type = widened(own);
    const OnnxValue base = emit::cast(ctx, a, type);
    const Tensor* stored = ctx.onnx.content(b);
    if (stored != nullptr && stored->rank() == 0 && stored->toInts().front() >= 0 &&
        stored->toInts().front() <= mostExponent) {
        return emit::cast(ctx, constantPower(ctx, base, stored->toInts().front()), own);
    }
    // Squares of the base for the bits of the exponent, the lowest one first. All in the shape of the result.
    const OnnxValue exponent = emit::cast(ctx, b, type);
    const OnnxValue zero = emit::scalarLike(ctx, base, 0);
    const OnnxValue two = emit::scalarLike(ctx, base, 2);
    const OnnxValue none = ctx.emit("Mul", {ctx.emit("Mul", {base, zero}), exponent});
    const OnnxValue one = ctx.emit("Add", {none, emit::scalarLike(ctx, base, 1)});
    const OnnxValue bitCount =
        ctx.onnx.scalar(ElementType::Int64, static_cast<double>(byteSize(own) * 8 - (isUnsigned(own) ? 0 : 1)));
    const OnnxValues last =
        loop(ctx, bitCount, {one, ctx.emit("Add", {none, base}), ctx.emit("Add", {none, exponent})},
             [&](OnnxValue, const OnnxValues& states) -> OnnxValues {
                 const OnnxValue isEven = ctx.emit("Equal", {ctx.emit("Mod", {states[2], two}), zero});
                 return {ctx.emit("Where", {isEven, states[0], ctx.emit("Mul", {states[0], states[1]})}),
                         ctx.emit("Mul", {states[1], states[1]}), ctx.emit("Div", {states[2], two})};
             });
    return emit::cast(ctx, last.front(), own);
}

OnnxValue leastCommonMultiple(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    const OnnxValue divisor = greatestCommonDivisor(ctx, a, b);
    return computedAs(ctx, ElementType::Int64, a, b, [&](OnnxValue x, OnnxValue y) {
        const OnnxValue d = maximum(ctx, emit::cast(ctx, divisor, ElementType::Int64), emit::scalarLike(ctx, x, 1));
        return ctx.emit("Abs", {ctx.emit("Mul", {ctx.emit("Div", {x, d}), y})});
    });
}

} // namespace crosswalk::forms::arithmetic
