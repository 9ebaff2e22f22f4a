#include "core/formats/pytorch/ops/fourier_transform.h"

#include "core/convert/forms/tensor/computed_constant.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/formats/pytorch/ops/promotion.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace crosswalk::pytorch {
namespace {

constexpr std::int64_t longestTransform = 1 << 13;

double factorOf(FourierScale scale, std::int64_t n)
{
    return scale == FourierScale::None
               ? 1
               : 1 / (scale == FourierScale::Root ? std::sqrt(static_cast<double>(n)) : static_cast<double>(n));
}

using Element = std::function<double(std::int64_t row, std::int64_t column)>;

/// A matrix in double precision.
OnnxValue matrix(const NodeContext& ctx, std::int64_t rows, std::int64_t columns, const Element& element)
{
    return forms::computedConstant(ctx, ElementType::Float64, {rows, columns}, [columns, element](std::uint64_t i) {
        const auto at = static_cast<std::int64_t>(i);
        return element(at / columns, at % columns);
    });
}

double angleOf(std::int64_t i, std::int64_t k, std::int64_t n)
{
    return 2 * std::numbers::pi * static_cast<double>(i * k % n) / static_cast<double>(n);
}

OnnxValue toLast(const NodeContext& ctx, OnnxValue x, std::int64_t axis)
{
    const auto last = static_cast<std::int64_t>(ctx.rank(x)) - 1;
    return axis == last ? x : emit::swapAxes(ctx, x, axis, last);
}

/// x times a matrix along an axis. ONNX Runtime multiplies no transposed tensors without elements.
OnnxValue alongAxis(const NodeContext& ctx, OnnxValue x, std::int64_t axis, OnnxValue matrix)
{
    const Shape& shape = ctx.shape(x);
    if (isFixed(shape) && std::ranges::find(shape, Dim(0)) != shape.end()) {
        Ints dims;
        for (const Dim& dim : shape) {
            dims.push_back(dim.size);
        }
        dims[static_cast<std::size_t>(axis)] = ctx.fixedDim(matrix, 1);
        return forms::filled(ctx, ElementType::Float64, dims, 0);
    }
    return toLast(ctx, ctx.emit("MatMul", {toLast(ctx, x, axis), matrix}), axis);
}

} // namespace

void limitTransform(const NodeContext& ctx, std::int64_t n)
{
    if (n < 1) {
        ctx.invalid("a transform of no elements");
    }
    if (n > longestTransform) {
        ctx.refuse("transforms of more than 8192 elements are not supported", "n");
    }
}

ComplexParts transformed(const NodeContext& ctx, const ComplexParts& x, const FourierTransform& how)
{
    limitTransform(ctx, how.n);
    const std::int64_t rows = ctx.fixedDim(x.real, how.axis);
    const std::int64_t columns = how.isOneSided ? how.n / 2 + 1 : how.n;
    const double factor = factorOf(how.scale, how.n);
    const std::int64_t n = how.n;
    const double sign = how.isInverse ? 1 : -1;
    const OnnxValue cosines = matrix(ctx, rows, columns, [n, factor](std::int64_t i, std::int64_t k) {
        return i < n ? factor * std::cos(angleOf(i, k, n)) : 0;
    });
    const OnnxValue sines = matrix(ctx, rows, columns, [n, factor, sign](std::int64_t i, std::int64_t k) {
        return i < n ? sign * factor * std::sin(angleOf(i, k, n)) : 0;
    });
    const auto times = [&](OnnxValue part, OnnxValue with) { return alongAxis(ctx, part, how.axis, with); };
    if (!x.imaginary) {
        return {times(x.real, cosines), times(x.real, sines)};
    }
    return {ctx.emit("Sub", {times(x.real, cosines), times(x.imaginary, sines)}),
            ctx.emit("Add", {times(x.real, sines), times(x.imaginary, cosines)})};
}

OnnxValue signalOf(const NodeContext& ctx, const ComplexParts& x, std::int64_t axis, std::int64_t n, FourierScale scale)
{
    limitTransform(ctx, n);
    const std::int64_t rows = ctx.fixedDim(x.real, axis);
    const double factor = factorOf(scale, n);
    const auto weight = [n, factor](std::int64_t k) {
        return 2 * k > n ? 0 : k == 0 || 2 * k == n ? factor : 2 * factor; // the others stand for two
    };
    const auto times = [&](OnnxValue part, const Element& element) {
        return alongAxis(ctx, part, axis, matrix(ctx, rows, n, element));
    };
    const OnnxValue real =
        times(x.real, [n, weight](std::int64_t k, std::int64_t t) { return weight(k) * std::cos(angleOf(k, t, n)); });
    if (!x.imaginary) {
        return real;
    }
    const OnnxValue imaginary = times(
        x.imaginary, [n, weight](std::int64_t k, std::int64_t t) { return weight(k) * std::sin(angleOf(k, t, n)); });
    return ctx.emit("Sub", {real, imaginary});
}

ComplexParts conjugate(const NodeContext& ctx, const ComplexParts& x)
{
    return {x.real, x.imaginary ? ctx.emit("Neg", {x.imaginary}) : x.imaginary};
}

ComplexParts wideOperand(const NodeContext& ctx, const Arguments& arguments)
{
    const auto wide = [&](OnnxValue x) { return x ? emit::cast(ctx, x, ElementType::Float64) : x; };
    return {wide(arguments.tensor("self")), wide(arguments.optional("self.imag"))};
}

ElementType spectrumType(const NodeContext& ctx, const Arguments& arguments)
{
    return floatingType(ctx.element(arguments.tensor("self")));
}

OnnxValues spectrumResults(const NodeContext& ctx, const Arguments& arguments, const ComplexParts& y)
{
    const ElementType type = spectrumType(ctx, arguments);
    const OnnxValue imaginary = y.imaginary ? y.imaginary : forms::filledLike(ctx, y.real, ElementType::Float64, 0);
    return {emit::cast(ctx, y.real, type), emit::cast(ctx, imaginary, type)};
}

} // namespace crosswalk::pytorch
