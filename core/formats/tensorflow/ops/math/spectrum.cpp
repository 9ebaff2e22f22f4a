// Fourier transforms and complex numbers, which are pairs (real, imaginary) on a last axis of two.

#include "core/convert/forms/elementwise/signs.h"
#include "core/formats/tensorflow/ops/complex_operators.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace crosswalk::tensorflow {
namespace {

/// Discrete Fourier transform of pairs along an axis, counted without the pairs' own. In double precision: ONNX
/// Runtime's sums lose digits in single precision.
OnnxValue transformed(const NodeContext& ctx, OnnxValue pairs, std::int64_t axis, OnnxValue length, bool inverse,
                      bool oneSided)
{
    if (ctx.onnx.opset() < 17) {
        ctx.refuse("ONNX supports DFT from opset 17", {}, "take --opset 17");
    }
    OnnxAttributes attributes{{"inverse", inverse}, {"onesided", oneSided}};
    OnnxValues inputs{pairs, length};
    if (ctx.onnx.opset() >= 20) {
        inputs.push_back(ctx.onnx.scalar(ElementType::Int64, static_cast<double>(axis)));
    } else {
        attributes.emplace_back("axis", axis);
    }
    return ctx.emit("DFT", inputs, attributes);
}

OnnxValue realPairs(const NodeContext& ctx, OnnxValue x)
{
    return emit::unsqueeze(ctx, x, {static_cast<std::int64_t>(ctx.rank(x))});
}

/// Throws unless there is one positive length for each of the transformed axes.
void requireLengths(const NodeContext& ctx, const Ints& lengths, std::int64_t axes)
{
    const bool isPositive = std::ranges::all_of(lengths, [](std::int64_t length) { return length > 0; });
    if (static_cast<std::int64_t>(lengths.size()) != axes || !isPositive) {
        ctx.invalid(fmt::format("fft_length is [{}], but {} needs {} positive {}", fmt::join(lengths, ", "),
                                ctx.node.op, axes, axes == 1 ? "length" : "lengths"));
    }
}

/// fft_length has the length of each of the last axes; the input is truncated or padded with zeros.
OnnxValues realTransform(NodeContext& ctx, std::int64_t axes)
{
    expectInner(ctx);
    const OnnxValue x = ctx.input(0);
    const auto rank = static_cast<std::int64_t>(ctx.rank(x));
    if (rank < axes) {
        ctx.invalid(fmt::format("{} of {} dimensions", ctx.node.op, rank));
    }
    const OnnxValue lengths = intVector(ctx, ctx.input(1));
    if (const auto known = knownInts(ctx, lengths)) {
        requireLengths(ctx, *known, axes);
    }
    const ElementType type = ctx.element(x);
    OnnxValue pairs = emit::cast(ctx, realPairs(ctx, x), ElementType::Float64);
    for (std::int64_t i = axes; i-- > 0;) {
        const OnnxValue length = emit::squeeze(ctx, emit::slice(ctx, lengths, Ints{i}, Ints{i + 1}, Ints{0}), {0});
        pairs = transformed(ctx, pairs, rank - axes + i, length, false, i == axes - 1);
    }
    return {emit::cast(ctx, pairs, type)};
}

OnnxValues realTransform1(NodeContext& ctx)
{
    return realTransform(ctx, 1);
}

OnnxValues realTransform2(NodeContext& ctx)
{
    return realTransform(ctx, 2);
}

OnnxValues realTransform3(NodeContext& ctx)
{
    return realTransform(ctx, 3);
}

OnnxValues complexTransform(NodeContext& ctx, std::int64_t axes, bool inverse)
{
    expectInner(ctx);
    const ElementType type = ctx.element(ctx.input(0));
    OnnxValue pairs = emit::cast(ctx, ctx.input(0), ElementType::Float64);
    const auto rank = static_cast<std::int64_t>(ctx.rank(pairs)) - 1;
    if (rank < axes) {
        ctx.invalid(fmt::format("{} of {} dimensions", ctx.node.op, rank));
    }
    for (std::int64_t i = 1; i <= axes; ++i) {
        pairs = transformed(ctx, pairs, rank - i, {}, inverse, false);
    }
    return {emit::cast(ctx, pairs, type)};
}

template <std::int64_t axes, bool inverse>
OnnxValues transform(NodeContext& ctx)
{
    return complexTransform(ctx, axes, inverse);
}

OnnxValue complexPart(const NodeContext& ctx, OnnxValue pairs, std::int64_t i);

/// Pairs of another sign of the imaginary part.
OnnxValue conjugated(const NodeContext& ctx, OnnxValue pairs)
{
    const std::vector<float> signs{1, -1};
    const OnnxValue factors =
        ctx.onnx.constant(Tensor::of<float>(ElementType::Float32, {2}, signs).converted(ctx.element(pairs)));
    return ctx.emit("Mul", {pairs, factors});
}

/// The spectrum of `length` numbers from its first half: the second half is its mirror image, conjugated. Missing
/// numbers are zero.
OnnxValue wholeSpectrum(const NodeContext& ctx, OnnxValue half, std::int64_t axis, std::int64_t length)
{
    const std::int64_t count = length / 2 + 1;
    const Dim given = ctx.shape(half)[static_cast<std::size_t>(axis)];
    const std::int64_t missing = given.isFixed() ? count - given.size : count;
    OnnxValue first = half;
    if (missing > 0) {
        Ints pads(2 * ctx.rank(half), 0);
        pads[ctx.rank(half) + static_cast<std::size_t>(axis)] = missing;
        first = ctx.emit("Pad", {first, ctx.onnx.ints(pads)});
    }
    if (!given.isFixed() || missing < 0) {
        first = emit::slice(ctx, first, Ints{0}, Ints{count}, Ints{axis});
    }
    const std::int64_t mirrored = length - count;
    if (mirrored == 0) {
        return first;
    }
    const OnnxValue second = emit::slice(ctx, first, Ints{mirrored}, Ints{0}, Ints{axis}, Ints{-1});
    return emit::concat(ctx, {first, conjugated(ctx, second)}, axis);
}

/// Real numbers of a spectrum's first half; fft_length has the length of each of the last axes.
OnnxValues inverseRealTransform(NodeContext& ctx, std::int64_t axes)
{
    const auto lengths = knownInts(ctx, ctx.input(1));
    const auto rank = static_cast<std::int64_t>(ctx.rank(ctx.input(0))) - 1;
    if (!lengths) {
        ctx.refuse(fmt::format("{} with computed lengths", ctx.node.op), {}, "fix the shapes of the inputs");
    }
    if (rank < axes) {
        ctx.invalid(fmt::format("{} of {} dimensions", ctx.node.op, rank));
    }
    requireLengths(ctx, *lengths, axes);
    const ElementType type = ctx.element(ctx.input(0));
    OnnxValue pairs = emit::cast(ctx, ctx.input(0), ElementType::Float64);
    for (std::int64_t i = 0; i + 1 < axes; ++i) {
        const OnnxValue length =
            ctx.onnx.scalar(ElementType::Int64, static_cast<double>((*lengths)[static_cast<std::size_t>(i)]));
        pairs = transformed(ctx, pairs, rank - axes + i, length, true, false);
    }
    pairs = wholeSpectrum(ctx, pairs, rank - 1, lengths->back());
    return {emit::cast(ctx, complexPart(ctx, transformed(ctx, pairs, rank - 1, {}, true, false), 0), type)};
}

template <std::int64_t axes>
OnnxValues inverseRealTransformOf(NodeContext& ctx)
{
    return inverseRealTransform(ctx, axes);
}

OnnxValue complexPart(const NodeContext& ctx, OnnxValue pairs, std::int64_t i)
{
    const OnnxValue index = ctx.onnx.scalar(ElementType::Int64, static_cast<double>(i));
    return emit::gather(ctx, pairs, index, static_cast<std::int64_t>(ctx.rank(pairs)) - 1);
}

OnnxValues magnitude(NodeContext& ctx)
{
    const OnnxValue pairs = ctx.input(0);
    return {emit::reduce(ctx, "ReduceL2", pairs, {static_cast<std::int64_t>(ctx.rank(pairs)) - 1}, false)};
}

OnnxValues complexAngle(NodeContext& ctx)
{
    return {arithmetic::angle(ctx, complexPart(ctx, ctx.input(0), 1), complexPart(ctx, ctx.input(0), 0))};
}

OnnxValues realPart(NodeContext& ctx)
{
    return {complexPart(ctx, ctx.input(0), 0)};
}

OnnxValues imaginaryPart(NodeContext& ctx)
{
    return {complexPart(ctx, ctx.input(0), 1)};
}

OnnxValues complex(NodeContext& ctx)
{
    expectInner(ctx);
    const OnnxValue both = ctx.emit("Add", {ctx.input(0), ctx.input(1)});
    const OnnxValue shape = emit::shapeVector(ctx, both);
    const auto last = static_cast<std::int64_t>(ctx.rank(both));
    OnnxValues parts;
    for (std::size_t i = 0; i < 2; ++i) {
        parts.push_back(emit::unsqueeze(ctx, emit::expand(ctx, ctx.input(i), shape), {last}));
    }
    return {emit::concat(ctx, parts, last)};
}

OnnxValues conjugate(NodeContext& ctx)
{
    expectInner(ctx);
    return {conjugated(ctx, ctx.input(0))};
}

constexpr OpRow complexRow(std::string_view name, OnnxValues (*translate)(NodeContext&), std::string_view form)
{
    return {name, translate, form, "complex numbers are represented by pairs", Support::Exact, true};
}

} // namespace

std::span<const OpRow> spectrumOps()
{
    static constexpr OpRow rows[] = {
        complexRow("Angle", complexAngle, "Gather, Atan"),
        complexRow("Complex", complex, "Concat"),
        complexRow("ComplexAbs", magnitude, "ReduceL2"),
        complexRow("Conj", conjugate, "Mul"),
        complexRow("FFT", transform<1, false>, "DFT"),
        complexRow("FFT2D", transform<2, false>, "DFT"),
        complexRow("FFT3D", transform<3, false>, "DFT"),
        complexRow("IFFT", transform<1, true>, "DFT"),
        complexRow("IFFT2D", transform<2, true>, "DFT"),
        complexRow("IFFT3D", transform<3, true>, "DFT"),
        complexRow("IRFFT", inverseRealTransformOf<1>, "DFT"),
        complexRow("IRFFT2D", inverseRealTransformOf<2>, "DFT"),
        complexRow("IRFFT3D", inverseRealTransformOf<3>, "DFT"),
        complexRow("Imag", imaginaryPart, "Gather"),
        complexRow("RFFT", realTransform1, "DFT"),
        complexRow("RFFT2D", realTransform2, "DFT"),
        complexRow("RFFT3D", realTransform3, "DFT"),
        complexRow("Real", realPart, "Gather"),
    };
    return rows;
}

} // namespace crosswalk::tensorflow
