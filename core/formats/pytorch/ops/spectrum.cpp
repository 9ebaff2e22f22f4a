// Fourier transforms of real and imaginary parts, as products with matrices of cosines and sines.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/tensor/computed_constant.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/sizes.h"
#include "core/convert/slice_end.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace crosswalk::pytorch {
namespace {

namespace arithmetic = forms::arithmetic;

constexpr std::int64_t longestTransform = 1 << 13;
struct Parts {
    OnnxValue real;
    OnnxValue imaginary; ///< absent: 0
};

enum class Scale { None, Root, Count };

double factorOf(Scale scale, std::int64_t n)
{
    return scale == Scale::None
               ? 1
               : 1 / (scale == Scale::Root ? std::sqrt(static_cast<double>(n)) : static_cast<double>(n));
}

/// The divisor of a transform by its argument norm: "backward" divides inverse ones, "forward" the others.
Scale transformScale(const NodeContext& ctx, const Arguments& arguments, bool isInverse)
{
    const std::string norm = arguments.text("norm", "backward");
    if (norm != "backward" && norm != "forward" && norm != "ortho") {
        ctx.invalid("the norm is not one of PyTorch's", "norm");
    }
    return norm == "ortho" ? Scale::Root : (norm == "backward") == isInverse ? Scale::Count : Scale::None;
}

/// The same by the number of an inner operator.
Scale scaleByNumber(const NodeContext& ctx, const Arguments& arguments)
{
    const std::int64_t number = arguments.integer("normalization", 0);
    if (number < 0 || number > 2) {
        ctx.invalid("the normalization is not one of PyTorch's", "normalization");
    }
    return static_cast<Scale>(number);
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

void limitLength(const NodeContext& ctx, std::int64_t n)
{
    if (n < 1) {
        ctx.invalid("a transform of no elements");
    }
    if (n > longestTransform) {
        ctx.refuse("transforms of more than 8192 elements are not supported", "n");
    }
}

OnnxValue toLast(const NodeContext& ctx, OnnxValue x, std::int64_t axis)
{
    const auto last = static_cast<std::int64_t>(ctx.rank(x)) - 1;
    return axis == last ? x : emit::swapAxes(ctx, x, axis, last);
}

/// One transform along an axis of doubles.
struct Transform {
    std::int64_t axis = 0;
    std::int64_t n = 0; ///< the input is cut or extended with zeros to it
    bool isInverse = false;
    bool isOneSided = false;
    Scale scale = Scale::None;
};

Parts transformed(const NodeContext& ctx, const Parts& x, const Transform& how)
{
    limitLength(ctx, how.n);
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
    const auto times = [&](OnnxValue part, OnnxValue with) {
        return toLast(ctx, ctx.emit("MatMul", {toLast(ctx, part, how.axis), with}), how.axis);
    };
    if (!x.imaginary) {
        return {times(x.real, cosines), times(x.real, sines)};
    }
    return {ctx.emit("Sub", {times(x.real, cosines), times(x.imaginary, sines)}),
            ctx.emit("Add", {times(x.real, sines), times(x.imaginary, cosines)})};
}

/// The real signal of n elements with a half spectrum along an axis.
OnnxValue signalOf(const NodeContext& ctx, const Parts& x, std::int64_t axis, std::int64_t n, Scale scale)
{
    limitLength(ctx, n);
    const std::int64_t rows = ctx.fixedDim(x.real, axis);
    const double factor = factorOf(scale, n);
    const auto weight = [n, factor](std::int64_t k) {
        return 2 * k > n ? 0 : k == 0 || 2 * k == n ? factor : 2 * factor; // the others stand for two
    };
    const auto times = [&](OnnxValue part, const Element& element) {
        return toLast(ctx, ctx.emit("MatMul", {toLast(ctx, part, axis), matrix(ctx, rows, n, element)}), axis);
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

/// The operand in double precision: ONNX Runtime's sums lose digits in single precision.
Parts wideOperand(const NodeContext& ctx, const Arguments& arguments)
{
    const auto wide = [&](OnnxValue x) { return x ? emit::cast(ctx, x, ElementType::Float64) : x; };
    return {wide(arguments.tensor("self")), wide(arguments.optional("self.imag"))};
}

ElementType typeOf(const NodeContext& ctx, const Arguments& arguments)
{
    return floatingType(ctx.element(arguments.tensor("self")));
}

OnnxValues results(const NodeContext& ctx, const Arguments& arguments, const Parts& y)
{
    const ElementType type = typeOf(ctx, arguments);
    const OnnxValue imaginary = y.imaginary ? y.imaginary : forms::filledLike(ctx, y.real, ElementType::Float64, 0);
    return {emit::cast(ctx, y.real, type), emit::cast(ctx, imaginary, type)};
}

/// The axes and lengths of a transform of several axes; by default all axes, or the last ones of the lengths.
struct Extent {
    Ints axes;
    Ints lengths; ///< -1: that of the axis
};

Extent extentOf(const NodeContext& ctx, const Arguments& arguments, std::size_t rank, bool isPlane)
{
    Extent extent;
    const Ints lengths = arguments.integers("s").value_or(Ints());
    if (arguments.has("dim") && !arguments.integers("dim").value_or(Ints()).empty()) {
        extent.axes = arguments.axes("dim", rank);
    } else {
        const std::size_t count = !lengths.empty() ? lengths.size() : isPlane ? 2 : rank;
        if (count > rank) {
            ctx.invalid("there are more lengths than axes", "s");
        }
        for (std::size_t i = rank - count; i < rank; ++i) {
            extent.axes.push_back(static_cast<std::int64_t>(i));
        }
    }
    extent.lengths = lengths.empty() ? Ints(extent.axes.size(), -1) : lengths;
    if (extent.lengths.size() != extent.axes.size() || extent.axes.empty()) {
        ctx.invalid("the numbers of lengths and axes differ", "s");
    }
    return extent;
}

template <bool isInverse, bool isReal>
OnnxValues transform(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const Parts x = wideOperand(ctx, arguments);
    const std::int64_t axis = arguments.axis("dim", -1, ctx.rank(x.real));
    const std::int64_t n = arguments.integer("n", ctx.fixedDim(x.real, axis));
    return results(ctx, arguments,
                   transformed(ctx, x,
                               {.axis = axis,
                                .n = n,
                                .isInverse = isInverse,
                                .isOneSided = isReal,
                                .scale = transformScale(ctx, arguments, isInverse)}));
}

/// Along several axes; a half spectrum is that of the last one.
template <bool isInverse, bool isReal, bool isPlane>
OnnxValues transformAll(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    Parts x = wideOperand(ctx, arguments);
    const Extent extent = extentOf(ctx, arguments, ctx.rank(x.real), isPlane);
    const Scale scale = transformScale(ctx, arguments, isInverse);
    for (std::size_t i = extent.axes.size(); i-- > 0;) {
        const std::int64_t axis = extent.axes[i];
        const std::int64_t n = extent.lengths[i] < 0 ? ctx.fixedDim(x.real, axis) : extent.lengths[i];
        x = transformed(ctx, x,
                        {.axis = axis,
                         .n = n,
                         .isInverse = isInverse,
                         .isOneSided = isReal && i + 1 == extent.axes.size(),
                         .scale = scale});
    }
    return results(ctx, arguments, x);
}

OnnxValues signal(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const Parts x = wideOperand(ctx, arguments);
    const std::int64_t axis = arguments.axis("dim", -1, ctx.rank(x.real));
    const std::int64_t n = arguments.integer("n", 2 * (ctx.fixedDim(x.real, axis) - 1));
    const OnnxValue y = signalOf(ctx, x, axis, n, transformScale(ctx, arguments, true));
    return {emit::cast(ctx, y, typeOf(ctx, arguments))};
}

template <bool isPlane>
OnnxValues signalOfAll(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    Parts x = wideOperand(ctx, arguments);
    const Extent extent = extentOf(ctx, arguments, ctx.rank(x.real), isPlane);
    const Scale scale = transformScale(ctx, arguments, true);
    for (std::size_t i = 0; i + 1 < extent.axes.size(); ++i) {
        const std::int64_t axis = extent.axes[i];
        const std::int64_t n = extent.lengths[i] < 0 ? ctx.fixedDim(x.real, axis) : extent.lengths[i];
        x = transformed(ctx, x, {.axis = axis, .n = n, .isInverse = true, .scale = scale});
    }
    const std::int64_t axis = extent.axes.back();
    const std::int64_t n = extent.lengths.back() < 0 ? 2 * (ctx.fixedDim(x.real, axis) - 1) : extent.lengths.back();
    return {emit::cast(ctx, signalOf(ctx, x, axis, n, scale), typeOf(ctx, arguments))};
}

/// _fft_c2c and _fft_r2c
template <bool isReal>
OnnxValues innerTransform(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    Parts x = wideOperand(ctx, arguments);
    const Ints axes = arguments.axes("dim", ctx.rank(x.real));
    for (std::size_t i = axes.size(); i-- > 0;) {
        x = transformed(ctx, x,
                        {.axis = axes[i],
                         .n = ctx.fixedDim(x.real, axes[i]),
                         .isInverse = !isReal && !arguments.truth("forward", true),
                         .isOneSided = isReal && i + 1 == axes.size() && arguments.truth("onesided", true),
                         .scale = scaleByNumber(ctx, arguments)});
    }
    return results(ctx, arguments, x);
}

OnnxValues innerSignal(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    Parts x = wideOperand(ctx, arguments);
    const Ints axes = arguments.axes("dim", ctx.rank(x.real));
    const Scale scale = scaleByNumber(ctx, arguments);
    for (std::size_t i = 0; i + 1 < axes.size(); ++i) {
        x = transformed(ctx, x,
                        {.axis = axes[i], .n = ctx.fixedDim(x.real, axes[i]), .isInverse = true, .scale = scale});
    }
    const OnnxValue y = signalOf(ctx, x, axes.back(), arguments.integer("last_dim_size", 1), scale);
    return {emit::cast(ctx, y, typeOf(ctx, arguments))};
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

/// Spectra of overlapping frames: (..., frequencies, frames).
OnnxValues frameSpectra(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    if (arguments.has("self.imag")) {
        ctx.refuse("frames of complex numbers are not supported", "self");
    }
    const OnnxValue given = arguments.tensor("self");
    const std::int64_t size = arguments.positive("n_fft", 1);
    limitLength(ctx, size);
    const std::int64_t hop =
        arguments.has("hop_length") ? arguments.positive("hop_length", 1) : std::max<std::int64_t>(size / 4, 1);
    OnnxValue x = emit::cast(ctx, given, ElementType::Float64);
    const auto last = static_cast<std::int64_t>(ctx.rank(x)) - 1;
    if (arguments.overload() == "center" || arguments.has("center")) {
        if (arguments.truth("center", true)) {
            Ints pads(2 * ctx.rank(x), 0);
            pads[static_cast<std::size_t>(last)] = size / 2;
            pads[2 * ctx.rank(x) - 1] = size / 2;
            const std::string mode = arguments.text("pad_mode", "reflect");
            const OnnxAttributes attributes{{"mode", mode == "replicate" ? std::string("edge") : mode}};
            x = ctx.emit("Pad", {x, ctx.onnx.ints(pads)}, attributes);
        }
    }
    // Element k of frame i is at i hop + k.
    const OnnxValue room = forms::sizes::plus(ctx, emit::dimVector(ctx, x, last), ctx.onnx.ints({-size}));
    const OnnxValue count = forms::sizes::plus(ctx, forms::sizes::over(ctx, room, hop), ctx.onnx.ints({1}));
    const auto known = forms::sizes::known(ctx, count);
    const OnnxValue frames = known ? forms::countTo(ctx, *known) : forms::countTo(ctx, count);
    const OnnxValue starts = emit::unsqueeze(ctx, ctx.emit("Mul", {frames, ctx.onnx.ints({hop})}), {1});
    const OnnxValue places = ctx.emit("Add", {starts, forms::countTo(ctx, size)});
    const OnnxValue cut = ctx.emit("Mul", {emit::gather(ctx, x, places, last), analysisWindow(ctx, arguments, size)});
    const Parts y = transformed(ctx, {cut, {}},
                                {.axis = last + 1,
                                 .n = size,
                                 .isOneSided = arguments.truth("onesided", true),
                                 .scale = arguments.truth("normalized") ? Scale::Root : Scale::None});
    return results(ctx, arguments,
                   {emit::swapAxes(ctx, y.real, last, last + 1), emit::swapAxes(ctx, y.imaginary, last, last + 1)});
}

/// Frames (N, size, T) added where they overlap: (N, length), by a transposed convolution.
OnnxValue overlapped(const NodeContext& ctx, OnnxValue frames, std::int64_t size, std::int64_t hop)
{
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
    Parts x = wideOperand(ctx, arguments);
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
    const Scale scale = arguments.truth("normalized") ? Scale::Root : Scale::Count;
    const OnnxValue window = analysisWindow(ctx, arguments, size);
    const bool isOneSided = arguments.truth("onesided", ctx.fixedDim(x.real, 1) != size);
    const OnnxValue raw = isOneSided
                              ? signalOf(ctx, x, 1, size, scale)
                              : transformed(ctx, x, {.axis = 1, .n = size, .isInverse = true, .scale = scale}).real;
    const OnnxValue column = emit::unsqueeze(ctx, window, {1});
    const OnnxValue frames = ctx.emit("Mul", {raw, column});
    const std::int64_t count = ctx.fixedDim(frames, 2);
    const OnnxValue squares = emit::unsqueeze(ctx, ctx.emit("Mul", {column, column}), {0});
    const OnnxValue envelope = overlapped(ctx, emit::expand(ctx, squares, ctx.onnx.ints({1, size, count})), size, hop);
    const std::int64_t whole = size + hop * (count - 1);
    const bool isCentred = arguments.truth("center", true);
    const std::int64_t start = isCentred ? size / 2 : 0;
    const std::int64_t end = arguments.has("length") ? start + arguments.integer("length", 0) : whole - start;
    const auto cut = [&](OnnxValue y) { return emit::slice(ctx, y, Ints{start}, Ints{std::min(end, whole)}, Ints{1}); };
    OnnxValue y = ctx.emit("Div", {cut(overlapped(ctx, frames, size, hop)), cut(envelope)});
    if (end > whole) {
        y = ctx.emit("Pad", {y, ctx.onnx.ints({0, 0, 0, end - whole}), ctx.onnx.scalar(ElementType::Float32, 0)});
    }
    y = emit::cast(ctx, y, typeOf(ctx, arguments));
    return {isSingle ? emit::squeeze(ctx, y, {0}) : y};
}

/// The first half of each axis moved behind the second, or back.
template <bool isInverse>
OnnxValues shiftFrequencies(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    OnnxValue x = arguments.tensor("self");
    for (const std::int64_t axis : arguments.axes("dim", ctx.rank(x))) {
        const std::int64_t size = ctx.fixedDim(x, axis);
        const std::int64_t cut = isInverse ? size / 2 : (size + 1) / 2;
        if (cut > 0 && cut < size) {
            x = emit::concat(ctx,
                             {emit::slice(ctx, x, Ints{cut}, Ints{emit::farEnd}, Ints{axis}),
                              emit::slice(ctx, x, Ints{0}, Ints{cut}, Ints{axis})},
                             axis);
        }
    }
    return {x};
}

constexpr OpRow row(std::string_view name, OnnxValues (*translate)(NodeContext&), std::string_view form)
{
    return {name, translate, form, Support::Exact,
            "complex numbers are two tensors, of which no output of the model may be one"};
}

} // namespace

std::span<const OpRow> spectrumOps()
{
    static constexpr OpRow rows[] = {
        {"aten::fft_fftshift", shiftFrequencies<false>, "Slice, Concat"},
        {"aten::fft_ifftshift", shiftFrequencies<true>, "Slice, Concat"},
        row("complex::fft_fft", transform<false, false>, "MatMul"),
        row("complex::fft_ifft", transform<true, false>, "MatMul"),
        row("complex::fft_rfft", transform<false, true>, "MatMul"),
        row("complex::fft_fft2", transformAll<false, false, true>, "MatMul"),
        row("complex::fft_ifft2", transformAll<true, false, true>, "MatMul"),
        row("complex::fft_rfft2", transformAll<false, true, true>, "MatMul"),
        row("complex::fft_fftn", transformAll<false, false, false>, "MatMul"),
        row("complex::fft_ifftn", transformAll<true, false, false>, "MatMul"),
        row("complex::fft_rfftn", transformAll<false, true, false>, "MatMul"),
        row("complex::fft_irfft", signal, "MatMul"),
        row("complex::fft_irfft2", signalOfAll<true>, "MatMul"),
        row("complex::fft_irfftn", signalOfAll<false>, "MatMul"),
        row("complex::_fft_c2c", innerTransform<false>, "MatMul"),
        row("complex::_fft_r2c", innerTransform<true>, "MatMul"),
        row("complex::_fft_c2r", innerSignal, "MatMul"),
        row("complex::stft", frameSpectra, "Gather, MatMul"),
        row("complex::istft", signalOfFrames, "MatMul, ConvTranspose"),
    };
    return rows;
}

} // namespace crosswalk::pytorch
