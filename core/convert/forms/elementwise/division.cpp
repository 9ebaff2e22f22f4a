#include "core/convert/forms/elementwise/division.h"

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"

#include <bit>
#include <cassert>
#include <cstdint>

namespace crosswalk::forms::arithmetic {
namespace {

OnnxValue isNegative(const NodeContext& ctx, OnnxValue x)
{
    return ctx.emit("Less", {x, emit::scalarLike(ctx, x, 0)});
}

/// Whether x is a known power of two: multiples of it are differences without overflow.
bool isPowerOfTwo(const NodeContext& ctx, OnnxValue x)
{
    const Tensor* known = ctx.onnx.content(x);
    return known != nullptr && known->elements() == 1 && known->toInts().front() > 0 &&
           std::has_single_bit(static_cast<std::uint64_t>(known->toInts().front()));
}

} // namespace

OnnxValue floorQuotient(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    const ElementType own = ctx.element(a);
    assert(!isFloating(own));
    if (isUnsigned(own)) {
        return divide(ctx, a, b);
    }
    if (own == ElementType::Int64 && !ctx.onnx.integers(a)) {
        // ONNX rounds towards zero: one too large where the signs differ and a remainder is left.
        const OnnxValue quotient = ctx.emit("Div", {a, b});
        const OnnxValue isWhole = ctx.emit("Equal", {ctx.emit("Mul", {quotient, b}), a});
        const OnnxValue signsDiffer = ctx.emit("Xor", {isNegative(ctx, a), isNegative(ctx, b)});
        const OnnxValue isAbove = ctx.emit("And", {signsDiffer, ctx.emit("Not", {isWhole})});
        return ctx.emit("Sub", {quotient, emit::cast(ctx, isAbove, own)});
    }
    // ONNX's Mod rounds down: the quotient without the remainder is exact, in a type where the difference fits.
    const bool fits = own != ElementType::Int32 || ctx.onnx.integers(a) || isPowerOfTwo(ctx, b);
    const ElementType type = fits ? widened(own) : ElementType::Int64;
    return computedAs(ctx, type, a, b, [&](OnnxValue x, OnnxValue y) {
        const OnnxValue rest = ctx.emit("Mod", {x, y});
        return ctx.emit("Div", {ctx.emit("Sub", {x, rest}), y});
    });
}

OnnxValue floorRemainder(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return computedAs(ctx, widened(ctx.element(a)), a, b, [&](OnnxValue x, OnnxValue y) {
        if (!isFloating(ctx.element(x))) {
            return ctx.emit("Mod", {x, y});
        }
        const OnnxValue rest = ctx.emit("Mod", {x, y}, {{"fmod", 1}});
        const OnnxValue isRest = ctx.emit("Not", {ctx.emit("Equal", {rest, emit::scalarLike(ctx, x, 0)})});
        const OnnxValue signsDiffer = ctx.emit("Xor", {isNegative(ctx, rest), isNegative(ctx, y)});
        return ctx.emit("Where", {ctx.emit("And", {isRest, signsDiffer}), ctx.emit("Add", {rest, y}), rest});
    });
}

OnnxValue truncatedRemainder(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    if (ctx.element(a) == ElementType::Int64) { // ONNX Runtime's fmod computes in doubles
        return ctx.emit("Sub", {a, ctx.emit("Mul", {ctx.emit("Div", {a, b}), b})});
    }
    return computedAs(ctx, widened(ctx.element(a)), a, b, [&](OnnxValue x, OnnxValue y) {
        return ctx.emit("Mod", {x, y}, {{"fmod", 1}});
    });
}

} // namespace crosswalk::forms::arithmetic
