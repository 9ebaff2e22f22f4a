// Spectra of overlapping frames of a signal, and the signal of such spectra.

#include "core/convert/forms/tensor/computed_constant.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/sizes.h"
#include "core/formats/pytorch/ops/fourier_transform.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"

#include <algorithm>
#include <limits>
#include <string>

namespace crosswalk::pytorch {
namespace {

/// The common type of the signal and the window.
ElementType frameType(const NodeContext& ctx, const Arguments& arguments)
{
    const ElementType type = spectrumType(ctx, arguments);
    const OnnxValue window = arguments.optional("window");
    return window ? promoted(type, ctx.element(window)) : type;
}

/// The window of n_fft elements with a shorter one in its middle, in double precision.
OnnxValue analysisWindow(const NodeContext& ctx, const Arguments& arguments, std::int64_t size)
{
    const std::int64_t length = arguments.integer("win_length", size);
    OnnxValue window = arguments.optional("window");
    window =
        window ? emit::cast(ctx, window, ElementType::Float64) : forms::filled(ctx, ElementType::Float64, {length}, 1);
    if (length < 1 || length > size || ctx.fixedDim(window, 0) != length) {
        ctx.invalid("the length of the window does not fit n_fft", "win_length");
    }
    if (length == size) {
        return window;
    }
    const std::int64_t left = (size - length) / 2;
    return ctx.emit("Pad",
                    {window, ctx.onnx.ints({left, size - length - left}), ctx.onnx.scalar(ElementType::Float64, 0)});
}

/// The signal with further elements at its ends, by a mode of PyTorch.
OnnxValue extended(const NodeContext& ctx, OnnxValue x, std::int64_t before, std::int64_t after,
                   const std::string& mode)
{
    const std::size_t rank = ctx.rank(x);
    const auto last = static_cast<std::int64_t>(rank) - 1;
    if (mode == "circular") {
        constexpr std::int64_t end = std::numeric_limits<std::int64_t>::max();
        const OnnxValue first = emit::slice(ctx, x, Ints{-before}, Ints{end}, Ints{last});
        return emit::concat(ctx, {first, x, emit::slice(ctx, x, Ints{0}, Ints{after}, Ints{last})}, last);
    }
    Ints pads(2 * rank, 0);
    pads[rank - 1] = before;
    pads[2 * rank - 1] = after;
    return ctx.emit("Pad", {x, ctx.onnx.ints(pads)}, {{"mode", mode == "replicate" ? std::string("edge") : mode}});
}

/// Spectra of overlapping frames: (..., frequencies, frames).
OnnxValues frameSpectra(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    if (arguments.has("self.imag")) {
        ctx.refuse("frames of complex numbers are not supported", "self");
    }
    const OnnxValue given = arguments.tensor("self");
    const std::int64_t size = arguments.positive("n_fft", 1);
    limitTransform(ctx, size);
    const std::int64_t hop =
        arguments.has("hop_length") ? arguments.positive("hop_length", 1) : std::max<std::int64_t>(size / 4, 1);
    OnnxValue x = emit::cast(ctx, given, ElementType::Float64);
    const auto last = static_cast<std::int64_t>(ctx.rank(x)) - 1;
    const bool mayCentre = arguments.overload() == "center" || arguments.has("center");
    if (mayCentre && arguments.truth("center", true)) {
        x = extended(ctx, x, size / 2, size / 2, arguments.text("pad_mode", "reflect"));
    } else if (arguments.truth("align_to_window")) { // the first frame's window starts with the signal
        const std::int64_t others = size - arguments.integer("win_length", size);
        x = extended(ctx, x, others / 2, others - others / 2, "constant");
    }
    // Element k of frame i is at i hop + k.
    const OnnxValue room = forms::sizes::plus(ctx, emit::dimVector(ctx, x, last), ctx.onnx.ints({-size}));
    const OnnxValue count = forms::sizes::plus(ctx, forms::sizes::over(ctx, room, hop), ctx.onnx.ints({1}));
    const auto known = forms::sizes::known(ctx, count);
    const OnnxValue frames = known ? forms::countTo(ctx, *known) : forms::countTo(ctx, count);
    const OnnxValue starts = emit::unsqueeze(ctx, ctx.emit("Mul", {frames, ctx.onnx.ints({hop})}), {1});
    const OnnxValue places = ctx.emit("Add", {starts, forms::countTo(ctx, size)});
    const OnnxValue cut = ctx.emit("Mul", {emit::gather(ctx, x, places, last), analysisWindow(ctx, arguments, size)});
    const ComplexParts y =
        transformed(ctx, {cut, {}},
                    {.axis = last + 1,
                     .n = size,
                     .isOneSided = arguments.truth("onesided", true),
                     .scale = arguments.truth("normalized") ? FourierScale::Root : FourierScale::None});
    const auto turned = [&](OnnxValue part) {
        return emit::cast(ctx, emit::swapAxes(ctx, part, last, last + 1), frameType(ctx, arguments));
    };
    return {turned(y.real), turned(y.imaginary)};
}

/// The same in double precision, of which ONNX Runtime has no transposed convolution. A frame is cut into pieces of a
/// hop; row k of the pieces moves k places to the right, as rows that have become one element shorter do.
OnnxValue overlappedDoubles(const NodeContext& ctx, OnnxValue frames, std::int64_t size, std::int64_t hop)
{
    const std::int64_t count = ctx.fixedDim(frames, 2);
    const std::int64_t pieces = (size + hop - 1) / hop;
    const auto padded = [&](OnnxValue x, const Ints& pads) {
        return ctx.emit("Pad", {x, ctx.onnx.ints(pads), ctx.onnx.scalar(ElementType::Float64, 0)});
    };
    OnnxValue y = padded(frames, {0, 0, 0, 0, pieces * hop - size, 0});
    y = emit::transpose(ctx, emit::reshape(ctx, y, Ints{-1, pieces, hop, count}), {0, 2, 1, 3});
    y = emit::reshape(ctx, padded(y, {0, 0, 0, 0, 0, 0, 0, pieces}), Ints{-1, hop, pieces * (count + pieces)});
    const std::int64_t places = count + pieces - 1;
    y = emit::slice(ctx, y, Ints{0}, Ints{pieces * places}, Ints{2});
    y = emit::reduce(ctx, "ReduceSum", emit::reshape(ctx, y, Ints{-1, hop, pieces, places}), {2}, false);
    y = emit::reshape(ctx, emit::transpose(ctx, y, {0, 2, 1}), Ints{-1, places * hop});
    return emit::slice(ctx, y, Ints{0}, Ints{size + hop * (count - 1)}, Ints{1});
}

/// Frames (N, size, T) added where they overlap: (N, length), by a transposed convolution, in single precision unless
/// the result is of doubles.
OnnxValue overlapped(const NodeContext& ctx, OnnxValue frames, std::int64_t size, std::int64_t hop, ElementType result)
{
    if (result == ElementType::Float64) {
        return overlappedDoubles(ctx, frames, size, hop);
    }
    const OnnxValue identity =
        forms::computedConstant(ctx, ElementType::Float32, {size, 1, size}, [size](std::uint64_t i) {
            return static_cast<std::int64_t>(i) % (size + 1) == 0 ? 1.0 : 0.0;
        });
    const OnnxValue y = ctx.emit("ConvTranspose", {emit::cast(ctx, frames, ElementType::Float32), identity},
                                 {{"kernel_shape", Ints{size}}, {"strides", Ints{hop}}});
    return emit::squeeze(ctx, y, {1});
}

/// The signal of spectra (..., frequencies, frames): overlapping frames, divided by the sum of the squares of their
/// windows.
OnnxValues signalOfFrames(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    ComplexParts x = wideOperand(ctx, arguments);
    const std::int64_t size = arguments.positive("n_fft", 1);
    constexpr std::int64_t largest = 1 << 12;
    if (size > largest) {
        ctx.refuse("frames of more than 4096 elements are not supported", "n_fft");
    }
    if (arguments.truth("return_complex")) {
        ctx.refuse("a complex signal is not supported", "return_complex");
    }
    const std::int64_t hop =
        arguments.has("hop_length") ? arguments.positive("hop_length", 1) : std::max<std::int64_t>(size / 4, 1);
    const bool isSingle = ctx.rank(x.real) == 2;
    const auto batched = [&](OnnxValue part) { return isSingle && part ? emit::unsqueeze(ctx, part, {0}) : part; };
    x = {batched(x.real), batched(x.imaginary)};
    const FourierScale scale = arguments.truth("normalized") ? FourierScale::Root : FourierScale::Count;
    const OnnxValue window = analysisWindow(ctx, arguments, size);
    const bool isOneSided = arguments.truth("onesided", ctx.fixedDim(x.real, 1) != size);
    const OnnxValue raw = isOneSided
                              ? signalOf(ctx, x, 1, size, scale)
                              : transformed(ctx, x, {.axis = 1, .n = size, .isInverse = true, .scale = scale}).real;
    const OnnxValue column = emit::unsqueeze(ctx, window, {1});
    const OnnxValue frames = ctx.emit("Mul", {raw, column});
    const std::int64_t count = ctx.fixedDim(frames, 2);
    const OnnxValue squares = emit::unsqueeze(ctx, ctx.emit("Mul", {column, column}), {0});
    const ElementType type = frameType(ctx, arguments);
    const OnnxValue envelope =
        overlapped(ctx, emit::expand(ctx, squares, ctx.onnx.ints({1, size, count})), size, hop, type);
    const std::int64_t whole = size + hop * (count - 1);
    const bool isCentred = arguments.truth("center", true);
    const std::int64_t start = isCentred ? size / 2 : 0;
    const std::int64_t end = arguments.has("length") ? start + arguments.integer("length", 0) : whole - start;
    const auto cut = [&](OnnxValue y) { return emit::slice(ctx, y, Ints{start}, Ints{std::min(end, whole)}, Ints{1}); };
    OnnxValue y = ctx.emit("Div", {cut(overlapped(ctx, frames, size, hop, type)), cut(envelope)});
    if (end > whole) {
        y = ctx.emit("Pad", {y, ctx.onnx.ints({0, 0, 0, end - whole}), emit::scalarLike(ctx, y, 0)});
    }
    y = emit::cast(ctx, y, type);
    return {isSingle ? emit::squeeze(ctx, y, {0}) : y};
}

} // namespace

std::span<const OpRow> frameSpectrumOps()
{
    static constexpr OpRow rows[] = {
        complexRow("complex::stft", frameSpectra, "Gather, MatMul"),
        complexRow("complex::istft", signalOfFrames, "MatMul, ConvTranspose"),
    };
    return rows;
}

} // namespace crosswalk::pytorch
