// Fourier transforms of Keras 3 and the layers of spectrograms. Complex numbers are pairs of tensors.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/elementwise/signs.h"
#include "core/convert/forms/linalg/matrix_product.h"
#include "core/convert/forms/tensor/computed_constant.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/keras/ops/call_arguments.h"
#include "core/formats/keras/ops/keras_families.h"
#include "core/formats/keras/ops/spatial.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numbers>

namespace crosswalk::keras {
namespace {

constexpr std::int64_t longestTransform = 1 << 13;

struct Complex {
    OnnxValue real;
    OnnxValue imaginary;
};

std::int64_t signalAxis(const NodeContext& ctx, OnnxValue x)
{
    return static_cast<std::int64_t>(ctx.rank(x)) - 1;
}

void checkLength(const Layer& layer, std::int64_t n)
{
    if (n < 1 || n > longestTransform) {
        layer.refuse(fmt::format("a transform of {} elements (1 to {} are supported)", n, longestTransform));
    }
}

using Element = std::function<double(std::int64_t row, std::int64_t column)>;

OnnxValue matrix(const NodeContext& ctx, ElementType type, std::int64_t rows, std::int64_t columns,
                 const Element& element)
{
    return computedConstant(ctx, type, {rows, columns}, [columns, element](std::uint64_t i) {
        const auto at = static_cast<std::int64_t>(i);
        return element(at / columns, at % columns);
    });
}

double angleOf(std::int64_t i, std::int64_t k, std::int64_t n)
{
    return 2 * std::numbers::pi * static_cast<double>(i * k % n) / static_cast<double>(n);
}

/// The product in double precision: sums of many terms of opposite signs.
OnnxValue timesMatrix(const NodeContext& ctx, OnnxValue x, OnnxValue matrix)
{
    return ctx.emit("MatMul", {emit::cast(ctx, x, ElementType::Float64), matrix});
}

/// The transform along the last axis: sum x exp(-2 pi i k n / N), with the other sign and divided by N if inverse.
Complex transformedLast(const Layer& layer, const Complex& x, bool isInverse)
{
    const NodeContext& ctx = layer.ctx;
    const std::int64_t n = ctx.fixedDim(x.real, -1);
    checkLength(layer, n);
    const double scale = isInverse ? 1 / static_cast<double>(n) : 1;
    const double sign = isInverse ? scale : -scale;
    const OnnxValue cosines = matrix(ctx, ElementType::Float64, n, n, [=](std::int64_t i, std::int64_t k) {
        return scale * std::cos(angleOf(i, k, n));
    });
    const OnnxValue sines = matrix(ctx, ElementType::Float64, n, n,
                                   [=](std::int64_t i, std::int64_t k) { return sign * std::sin(angleOf(i, k, n)); });
    const OnnxValue real = ctx.emit("Sub", {timesMatrix(ctx, x.real, cosines), timesMatrix(ctx, x.imaginary, sines)});
    const OnnxValue imaginary =
        ctx.emit("Add", {timesMatrix(ctx, x.real, sines), timesMatrix(ctx, x.imaginary, cosines)});
    return {real, imaginary};
}

Complex complexOperand(const Layer& layer)
{
    const OnnxValues parts = Arguments(layer).tensors({"0", "x"});
    if (parts.size() != 2 || !isFloating(layer.ctx.element(parts[0]))) {
        layer.ctx.invalid("its operand is not a pair of a real and an imaginary part");
    }
    return {parts[0], parts[1]};
}

OnnxValues restored(const NodeContext& ctx, const Complex& x, ElementType type)
{
    return {emit::cast(ctx, x.real, type), emit::cast(ctx, x.imaginary, type)};
}

OnnxValues transform(const Layer& layer)
{
    const Complex x = complexOperand(layer);
    const ElementType type = layer.ctx.element(x.real);
    return restored(layer.ctx, transformedLast(layer, x, false), type);
}

/// Along the last two axes.
OnnxValues transformOfImages(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Complex x = complexOperand(layer);
    const bool isInverse = layer.op() == "ops.IFFT2";
    const auto swapped = [&](const Complex& value) {
        return Complex{transposedMatrices(ctx, value.real), transposedMatrices(ctx, value.imaginary)};
    };
    const Complex rows = transformedLast(layer, x, isInverse);
    return restored(ctx, swapped(transformedLast(layer, swapped(rows), isInverse)), ctx.element(x.real));
}

/// x cut or filled up with zeros to a length along the last axis.
OnnxValue fitted(const NodeContext& ctx, OnnxValue x, std::int64_t length)
{
    const std::int64_t axis = signalAxis(ctx, x);
    const std::int64_t own = ctx.fixedDim(x, axis);
    if (own >= length) {
        return own == length ? x : emit::slice(ctx, x, Ints{0}, Ints{length}, Ints{axis});
    }
    Ints pads(2 * ctx.rank(x), 0);
    pads.back() = length - own;
    return ctx.emit("Pad", {x, ctx.onnx.ints(pads)});
}

/// The first half of the transform of real numbers.
OnnxValues transformOfReal(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue given = floatingOperand(layer);
    const std::int64_t n =
        Arguments(layer).has({"fft_length"}) ? Arguments(layer).integer({"fft_length"}) : ctx.fixedDim(given, -1);
    checkLength(layer, n);
    const OnnxValue x = fitted(ctx, given, n);
    const std::int64_t bins = n / 2 + 1;
    const OnnxValue cosines = matrix(ctx, ElementType::Float64, n, bins,
                                     [=](std::int64_t i, std::int64_t k) { return std::cos(angleOf(i, k, n)); });
    const OnnxValue sines = matrix(ctx, ElementType::Float64, n, bins,
                                   [=](std::int64_t i, std::int64_t k) { return -std::sin(angleOf(i, k, n)); });
    return restored(ctx, {timesMatrix(ctx, x, cosines), timesMatrix(ctx, x, sines)}, ctx.element(given));
}

/// The share of bin k of the first half in element i of n real numbers: all but the first and the middle one stand for
/// two.
double shareOfBin(std::int64_t k, std::int64_t n)
{
    return (k == 0 || 2 * k == n ? 1.0 : 2.0) / static_cast<double>(n);
}

OnnxValues realFromTransform(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Complex given = complexOperand(layer);
    const std::int64_t n = Arguments(layer).has({"fft_length"}) ? Arguments(layer).integer({"fft_length"})
                                                                : 2 * (ctx.fixedDim(given.real, -1) - 1);
    checkLength(layer, n);
    const std::int64_t bins = n / 2 + 1;
    const OnnxValue cosines = matrix(ctx, ElementType::Float64, bins, n, [=](std::int64_t k, std::int64_t i) {
        return shareOfBin(k, n) * std::cos(angleOf(i, k, n));
    });
    const OnnxValue sines = matrix(ctx, ElementType::Float64, bins, n, [=](std::int64_t k, std::int64_t i) {
        return shareOfBin(k, n) * std::sin(angleOf(i, k, n));
    });
    const OnnxValue real = timesMatrix(ctx, fitted(ctx, given.real, bins), cosines);
    const OnnxValue imaginary = timesMatrix(ctx, fitted(ctx, given.imaginary, bins), sines);
    return {emit::cast(ctx, ctx.emit("Sub", {real, imaginary}), ctx.element(given.real))};
}

// Short transforms of overlapping parts.

/// How a signal is cut into parts, each transformed.
struct Frames {
    std::int64_t length; ///< of the window
    std::int64_t step;
    std::int64_t transform; ///< length of the transform; the window is in its middle
    std::string window;     ///< "hann", "hamming" or empty
    bool isCentered;        ///< the signal is mirrored at its ends by half a transform

    std::int64_t bins() const { return transform / 2 + 1; }
    std::int64_t before() const { return (transform - length) / 2; }
    /// The window as SciPy has it for transforms: periodic.
    double weight(std::int64_t i) const
    {
        i -= before();
        if (window.empty()) {
            return 1;
        }
        if (i < 0 || i >= length) {
            return 0;
        }
        const double cosine = std::cos(2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(length));
        return window == "hann" ? 0.5 - 0.5 * cosine : 0.54 - 0.46 * cosine;
    }
};

void check(const Layer& layer, const Frames& frames)
{
    checkLength(layer, frames.transform);
    if (frames.length < 1 || frames.length > frames.transform || frames.step < 1) {
        layer.ctx.invalid(fmt::format("parts of {} in steps of {}", frames.length, frames.step), "sequence_length");
    }
    if (!frames.window.empty() && frames.window != "hann" && frames.window != "hamming") {
        layer.refuse(fmt::format("the window {}", frames.window), "window");
    }
}

Frames framesOf(const Layer& layer)
{
    const Arguments arguments(layer);
    std::string window;
    if (const std::string key = arguments.key({"window"}); !key.empty()) {
        if (!layer.settings.isText(key)) {
            layer.refuse("a window that is given by its numbers", "window");
        }
        window = layer.settings.text(key);
    }
    const Frames frames{.length = arguments.integer({"sequence_length"}),
                        .step = arguments.integer({"sequence_stride"}),
                        .transform = arguments.integer({"fft_length"}),
                        .window = window,
                        .isCentered = arguments.boolean({"center"}, true)};
    check(layer, frames);
    return frames;
}

/// The signals of the last axis, all others joined: (n, 1, time).
OnnxValue asSignals(const NodeContext& ctx, OnnxValue x)
{
    return reshapeTo(ctx, x, {restTerm(), fixedTerm(1), termOf(ctx, x, {signalAxis(ctx, x)})});
}

/// Signals (n, channels, time) with the leading axes of x again.
OnnxValue withAxesOf(const NodeContext& ctx, OnnxValue y, OnnxValue x, const Ints& rest)
{
    ShapeTerms terms;
    for (std::int64_t i = 0; i < signalAxis(ctx, x); ++i) {
        terms.push_back(termOf(ctx, x, {i}));
    }
    for (const std::int64_t axis : rest) {
        terms.push_back(termOf(ctx, y, {axis}));
    }
    return reshapeTo(ctx, y, terms);
}

/// The transforms of the parts as (n, 2 bins, parts): real parts, then imaginary ones, by one convolution.
OnnxValue shortTransforms(const Layer& layer, OnnxValue x, const Frames& frames)
{
    const NodeContext& ctx = layer.ctx;
    OnnxValue signals = asSignals(ctx, x);
    if (frames.isCentered) {
        const std::int64_t half = frames.transform / 2;
        signals = ctx.emit("Pad", {signals, ctx.onnx.ints({0, 0, half, 0, 0, half})}, {{"mode", "reflect"}});
    }
    const std::int64_t bins = frames.bins();
    const std::int64_t n = frames.transform;
    const OnnxValue kernel = matrix(ctx, ctx.element(x), 2 * bins, n, [=](std::int64_t row, std::int64_t i) {
        const double angle = angleOf(i, row % bins, n);
        return frames.weight(i) * (row < bins ? std::cos(angle) : -std::sin(angle));
    });
    if (ctx.element(x) == ElementType::Float64) {
        layer.refuse("short transforms of float64");
    }
    return ctx.emit("Conv", {signals, emit::unsqueeze(ctx, kernel, {1})},
                    {{"kernel_shape", Ints{n}}, {"strides", Ints{frames.step}}});
}

OnnxValues shortTransform(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = floatingOperand(layer);
    const Frames frames = framesOf(layer);
    const OnnxValue y = emit::transpose(ctx, shortTransforms(layer, x, frames), {0, 2, 1});
    OnnxValues parts = emit::split(ctx, y, 2, {frames.bins(), frames.bins()});
    for (OnnxValue& part : parts) {
        part = withAxesOf(ctx, part, x, {1, 2});
    }
    return parts;
}

/// The sum of the parts at their places, divided by that of the squares of the window.
OnnxValues signalFromTransforms(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Complex x = complexOperand(layer);
    const Frames frames = framesOf(layer);
    const std::int64_t bins = frames.bins();
    const std::int64_t n = frames.transform;
    const std::int64_t rank = signalAxis(ctx, x.real) + 1;
    if (rank < 2 || ctx.element(x.real) != ElementType::Float32) {
        layer.refuse("a signal from short transforms of this form");
    }
    const auto signals = [&](OnnxValue part) { // (n, bins, parts)
        const OnnxValue rows =
            reshapeTo(ctx, part, {restTerm(), termOf(ctx, part, {rank - 2}), termOf(ctx, part, {rank - 1})});
        return emit::transpose(ctx, fitted(ctx, rows, bins), {0, 2, 1});
    };
    const OnnxValue both = emit::concat(ctx, {signals(x.real), signals(x.imaginary)}, 1);
    const OnnxValue kernel = matrix(ctx, ElementType::Float32, 2 * bins, n, [=](std::int64_t row, std::int64_t i) {
        const double angle = angleOf(i, row % bins, n);
        return frames.weight(i) * shareOfBin(row % bins, n) * (row < bins ? std::cos(angle) : -std::sin(angle));
    });
    const OnnxAttributes attributes{{"kernel_shape", Ints{n}}, {"strides", Ints{frames.step}}};
    const OnnxValue sum = ctx.emit("ConvTranspose", {both, emit::unsqueeze(ctx, kernel, {1})}, attributes);
    const OnnxValue square = matrix(ctx, ElementType::Float32, 1, n,
                                    [=](std::int64_t, std::int64_t i) { return frames.weight(i) * frames.weight(i); });
    const OnnxValue ones =
        filledLike(ctx, emit::slice(ctx, both, Ints{0, 0}, Ints{1, 1}, Ints{0, 1}), ElementType::Float32, 1);
    OnnxValue norm = ctx.emit("ConvTranspose", {ones, emit::unsqueeze(ctx, square, {1})}, attributes);
    const OnnxValue isLarge = ctx.emit("Greater", {norm, emit::scalarLike(ctx, norm, 1e-10)});
    norm = ctx.emit("Where", {isLarge, norm, emit::scalarLike(ctx, norm, 1)});
    OnnxValue y = ctx.emit("Div", {sum, norm});
    const Arguments arguments(layer);
    const std::int64_t start = frames.isCentered ? n / 2 : 0;
    const std::int64_t end = arguments.has({"length"}) ? start + arguments.integer({"length"})
                             : frames.isCentered       ? -(n / 2)
                                                       : std::numeric_limits<std::int64_t>::max();
    y = emit::slice(ctx, y, Ints{start}, Ints{end}, Ints{2});
    ShapeTerms terms;
    for (std::int64_t i = 0; i < rank - 2; ++i) {
        terms.push_back(termOf(ctx, x.real, {i}));
    }
    terms.push_back(termOf(ctx, y, {2}));
    return {reshapeTo(ctx, y, terms)};
}

/// Overlapping parts of the last axis: (..., parts, length).
OnnxValues sequences(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    const OnnxValue x = operand(layer);
    const std::int64_t length = arguments.integer({"sequence_length"});
    const std::int64_t step = arguments.integer({"sequence_stride"});
    const std::int64_t size = ctx.fixedDim(x, -1);
    if (length < 1 || step < 1 || length > size) {
        ctx.invalid(fmt::format("parts of {} in steps of {} of {}", length, step, size), "sequence_length");
    }
    const std::int64_t count = (size - length) / step + 1;
    if (count > elementLimit / length) {
        ctx.invalid("too many parts", "sequence_stride");
    }
    Ints places;
    for (std::int64_t i = 0; i < count * length; ++i) {
        places.push_back(i / length * step + i % length);
    }
    const OnnxValue indices = emit::reshape(ctx, ctx.onnx.ints(places), Ints{count, length});
    return {emit::gather(ctx, x, indices, signalAxis(ctx, x))};
}

// Layers.

double melOf(double hertz)
{
    return 1127.0 * std::log(1.0 + hertz / 700.0);
}

/// The weights of the bins (rows) in the bands (columns): triangles on the scale of mel, without the first bin.
OnnxValue melMatrix(const Layer& layer, std::int64_t bins, std::int64_t bands)
{
    const double rate = layer.settings.number("sampling_rate", 16000);
    const double low = melOf(layer.settings.number("min_freq", 20));
    const double highest = layer.settings.number("max_freq", 0);
    const double high = melOf(highest != 0 ? highest : std::floor(rate / 2));
    return matrix(layer.ctx, ElementType::Float32, bins, bands, [=](std::int64_t bin, std::int64_t band) {
        if (bin == 0) {
            return 0.0;
        }
        const auto edge = [&](std::int64_t i) {
            return low + (high - low) * static_cast<double>(i) / static_cast<double>(bands + 1);
        };
        const double mel = melOf(rate / 2 * static_cast<double>(bin) / static_cast<double>(bins - 1));
        const double rising = (mel - edge(band)) / (edge(band + 1) - edge(band));
        const double falling = (edge(band + 2) - mel) / (edge(band + 2) - edge(band + 1));
        return std::max(0.0, std::min(rising, falling));
    });
}

OnnxValues melSpectrogram(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Settings& settings = layer.settings;
    const OnnxValue x = emit::cast(ctx, layer.input(0), ElementType::Float32);
    const std::int64_t transform = settings.integer("fft_length", 2048);
    const std::int64_t bands = settings.integer("num_mel_bins", 128);
    Frames frames{.length = settings.integer("sequence_length", transform),
                  .step = settings.integer("sequence_stride", 512),
                  .transform = transform,
                  .window = settings.text("window"),
                  .isCentered = true};
    check(layer, frames);
    if (bands < 1 || bands > longestTransform) {
        ctx.invalid(fmt::format("{} bands", bands), "num_mel_bins");
    }
    if (ctx.rank(x) != 2) { // the largest value below is that of the whole batch
        layer.refuse(fmt::format("signals of {} dimensions", ctx.rank(x)));
    }
    const OnnxValues parts = emit::split(ctx, shortTransforms(layer, x, frames), 1, {frames.bins(), frames.bins()});
    const auto number = [&](double value) { return ctx.onnx.scalar(ElementType::Float32, value); };
    const auto square = [&](OnnxValue value) { return ctx.emit("Mul", {value, value}); };
    OnnxValue y = ctx.emit("Sqrt", {ctx.emit("Add", {square(parts[0]), square(parts[1])})});
    if (const double exponent = settings.number("mag_exp", 2); exponent != 1) {
        y = exponent == 2 ? square(y) : ctx.emit("Pow", {y, number(exponent)});
    }
    y = matrixProduct(ctx, emit::transpose(ctx, y, {0, 2, 1}), melMatrix(layer, frames.bins(), bands), false, false);
    if (settings.boolean("power_to_db", true)) {
        const double least = settings.number("min_power", 1e-10);
        const double reference = std::max(std::abs(settings.number("ref_power", 1)), least);
        const OnnxValue log = elementary::log10(ctx, arithmetic::maximum(ctx, y, number(least)));
        y = ctx.emit("Sub", {ctx.emit("Mul", {log, number(10)}), number(10 * std::log10(reference))});
        const OnnxValue floor =
            ctx.emit("Sub", {emit::reduce(ctx, "ReduceMax", y, {}, false), number(settings.number("top_db", 80))});
        y = arithmetic::maximum(ctx, y, floor);
    }
    y = emit::transpose(ctx, y, {0, 2, 1});
    return {emit::cast(ctx, y, layer.computeType().value_or(ElementType::Float32))};
}

/// Convolutions with stored kernels of cosines and sines, each channel alone.
OnnxValues stftSpectrogram(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Settings& settings = layer.settings;
    const OnnxValue given = channelsFirst(layer, layer.input(0));
    if (ctx.rank(given) != 3) {
        ctx.invalid(fmt::format("data of {} dimensions, but it needs 3", ctx.rank(given)));
    }
    const std::string mode = settings.text("mode", "log");
    const std::int64_t length = settings.integer("frame_length", 256);
    const Window window{.kernel = {length},
                        .stride = {settings.integer("frame_step", std::max<std::int64_t>(length / 2, 1))},
                        .dilate = {1}};
    if (length < 1 || window.stride.front() < 1) {
        ctx.invalid(fmt::format("parts of {} in steps of {}", length, window.stride.front()), "frame_step");
    }
    const OnnxValue signals =
        reshapeTo(ctx, given, {termOf(ctx, given, {0, 1}), fixedTerm(1), termOf(ctx, given, {2})});
    const auto part = [&](const char* name) { // (batch, channels, bins, parts)
        const OnnxValue kernel = emit::transpose(ctx, layer.weight(name, {Dim(length), Dim(1), Dim()}), {2, 1, 0});
        const WindowPadding padding = paddingOf(layer, signals, window, 0);
        OnnxAttributes attributes{{"kernel_shape", window.kernel}, {"strides", window.stride}};
        padding.appendTo(attributes);
        const OnnxValue y = ctx.emit("Conv", {padding.x, kernel}, attributes);
        return reshapeTo(ctx, y,
                         {termOf(ctx, given, {0}), termOf(ctx, given, {1}), termOf(ctx, y, {1}), termOf(ctx, y, {2})});
    };
    const auto arranged = [&](OnnxValue y) {
        const bool isLast = hasChannelsLast(layer);
        if (settings.boolean("expand_dims", false)) {
            return emit::transpose(ctx, y, isLast ? Ints{0, 3, 2, 1} : Ints{0, 1, 3, 2});
        }
        const OnnxValue joined = reshapeTo(ctx, y, {termOf(ctx, y, {0}), termOf(ctx, y, {1, 2}), termOf(ctx, y, {3})});
        return isLast ? emit::transpose(ctx, joined, {0, 2, 1}) : joined;
    };
    if (mode == "real" || mode == "imag") {
        return {arranged(part(mode == "real" ? "real_kernel" : "imag_kernel"))};
    }
    const OnnxValue real = part("real_kernel");
    const OnnxValue imaginary = part("imag_kernel");
    if (mode == "stft") {
        return {arranged(emit::concat(ctx, {real, imaginary}, 2))};
    }
    if (mode == "angle") {
        return {arranged(arithmetic::angle(ctx, imaginary, real))};
    }
    const OnnxValue power = ctx.emit("Add", {ctx.emit("Mul", {real, real}), ctx.emit("Mul", {imaginary, imaginary})});
    if (mode == "psd") { // the bins between the first and the last stand for two
        const OnnxValue inner = emit::slice(ctx, power, Ints{1}, Ints{-1}, Ints{2});
        const OnnxValue padded = ctx.emit("Pad", {inner, ctx.onnx.ints({0, 0, 1, 0, 0, 0, 1, 0})});
        return {arranged(ctx.emit("Add", {power, padded}))};
    }
    if (mode != "magnitude" && mode != "log") {
        ctx.invalid(fmt::format("mode {} is not one of Keras", mode), "mode");
    }
    const auto bounded = [&](OnnxValue x) { return arithmetic::maximum(ctx, x, emit::scalarLike(ctx, x, 1e-7)); };
    const OnnxValue magnitude = arranged(elementary::sqrt(ctx, bounded(power)));
    return {mode == "magnitude" ? magnitude : elementary::log(ctx, bounded(magnitude))};
}
} // namespace

std::span<const OpRow> signalLayers()
{
    static constexpr OpRow rows[] = {
        {"MelSpectrogram", melSpectrogram, "Conv, MatMul, Log"},
        {"STFTSpectrogram", stftSpectrogram, "Conv"},
        {"ops.ExtractSequences", sequences, "Gather"},
        {"ops.FFT", transform, "MatMul"},
        {"ops.FFT2", transformOfImages, "MatMul"},
        {"ops.IFFT2", transformOfImages, "MatMul"},
        {"ops.IRFFT", realFromTransform, "MatMul"},
        {"ops.ISTFT", signalFromTransforms, "ConvTranspose, Div"},
        {"ops.RFFT", transformOfReal, "MatMul"},
        {"ops.STFT", shortTransform, "Conv"},
    };
    return rows;
}

} // namespace crosswalk::keras
