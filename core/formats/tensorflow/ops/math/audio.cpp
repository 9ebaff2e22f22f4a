// Spectrograms of sound, and their cepstral coefficients on the mel scale.

#include "core/convert/forms/elementwise/doubles.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/tensor/computed_constant.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <numbers>

namespace crosswalk::tensorflow {
namespace {

constexpr ElementType audioType = ElementType::Float64; // as TensorFlow computes both

/// The most elements of a matrix of factors.
constexpr std::int64_t mostFactors = std::int64_t{1} << 24;

/// The real and the imaginary parts of a discrete Fourier transform of rows of `window` numbers, followed by zeros up
/// to `length`: as products with cosines and sines, before ONNX has an operator.
struct SpectrumParts {
    OnnxValue real;
    OnnxValue imaginary;
};

SpectrumParts spectrumPartsByProducts(const NodeContext& ctx, OnnxValue rows, std::int64_t window, std::int64_t length)
{
    const std::int64_t bins = length / 2 + 1;
    if (window * bins > mostFactors) {
        ctx.refuse(fmt::format("a transform of {} numbers requires DFT, available from opset 17", length),
                   "window_size", "take --opset 17");
    }
    const auto factors = [&](double (*wave)(double)) {
        return computedConstant(ctx, audioType, {window, bins}, [=](std::uint64_t index) {
            const auto place = static_cast<std::int64_t>(index);
            const std::int64_t turn = place / bins * (place % bins) % length; // of a whole circle
            return wave(2 * std::numbers::pi * static_cast<double>(turn) / static_cast<double>(length));
        });
    };
    return {ctx.emit("MatMul", {rows, factors([](double x) { return std::cos(x); })}),
            ctx.emit("MatMul", {rows, factors([](double x) { return std::sin(x); })})};
}

SpectrumParts spectrumParts(const NodeContext& ctx, OnnxValue rows, std::int64_t length)
{
    OnnxAttributes attributes{{"onesided", 1}};
    OnnxValues inputs{emit::unsqueeze(ctx, rows, {3}),
                      ctx.onnx.scalar(ElementType::Int64, static_cast<double>(length))};
    if (ctx.onnx.opset() >= 20) {
        inputs.push_back(ctx.onnx.scalar(ElementType::Int64, 2));
    } else {
        attributes.emplace_back("axis", 2);
    }
    const OnnxValues parts = emit::split(ctx, ctx.emit("DFT", inputs, attributes), 3, {1, 1});
    return {emit::squeeze(ctx, parts[0], {3}), emit::squeeze(ctx, parts[1], {3})};
}

/// The numbers of the samples in each window, (windows, samples). A series that is shorter than a window has none.
OnnxValue windowPlaces(const NodeContext& ctx, OnnxValue samples, std::int64_t window, std::int64_t stride)
{
    OnnxValue starts;
    if (const Dim length = ctx.shape(samples)[0]; length.isFixed()) {
        const std::int64_t count = length.size < window ? 0 : (length.size - window) / stride + 1;
        starts = computedConstant(ctx, ElementType::Int64, {count}, [=](std::uint64_t i) {
            return static_cast<double>(i) * static_cast<double>(stride);
        });
    } else {
        const OnnxValue reach = ctx.emit("Add", {emit::dimVector(ctx, samples, 0), ctx.onnx.ints({stride - window})});
        const OnnxValue nothing = ctx.onnx.ints({0});
        // The quotient is rounded towards zero, so that it is not of a negative number.
        const OnnxValue count =
            ctx.emit("Div", {ctx.emit("Where", {ctx.emit("Greater", {reach, nothing}), reach, nothing}),
                             ctx.onnx.ints({stride})});
        starts = ctx.emit("Mul", {countTo(ctx, count), ctx.onnx.ints({stride})});
    }
    return ctx.emit("Add", {emit::unsqueeze(ctx, starts, {1}), emit::unsqueeze(ctx, countTo(ctx, window), {0})});
}

/// Samples (time, channels) become (channels, windows, bins): the magnitudes of the windows' transforms, each of the
/// next power of two in length.
OnnxValues spectrogram(NodeContext& ctx)
{
    const Settings settings(ctx);
    const OnnxValue samples = ctx.input(0);
    const std::int64_t window = settings.integer("window_size");
    const std::int64_t stride = settings.integer("stride");
    constexpr std::int64_t longest = std::int64_t{1} << 22;
    if (window < 2 || stride < 1 || window > longest || stride > longest) {
        ctx.invalid(fmt::format("window_size = {}, stride = {}", window, stride), "window_size");
    }
    if (ctx.rank(samples) != 2 || ctx.element(samples) != ElementType::Float32) {
        ctx.invalid(fmt::format("samples must be float32 (time, channels), not {} of rank {}",
                                elementTypeName(ctx.element(samples)), ctx.rank(samples)));
    }
    const auto length = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(window)));
    const OnnxValue places = windowPlaces(ctx, samples, window, stride);
    const OnnxValue channels = emit::cast(ctx, emit::transpose(ctx, samples, {1, 0}), audioType);
    const OnnxValue weights = computedConstant(ctx, audioType, {window}, [=](std::uint64_t i) {
        return 0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(window));
    });
    const OnnxValue rows = ctx.emit("Mul", {emit::gather(ctx, channels, places, 1), weights});
    const SpectrumParts parts =
        ctx.onnx.opset() >= 17 ? spectrumParts(ctx, rows, length) : spectrumPartsByProducts(ctx, rows, window, length);
    const auto square = [&](OnnxValue x) { return ctx.emit("Mul", {x, x}); };
    const OnnxValue power =
        emit::cast(ctx, ctx.emit("Add", {square(parts.real), square(parts.imaginary)}), ElementType::Float32);
    return {settings.boolean("magnitude_squared") ? power : ctx.emit("Sqrt", {power})};
}

double melOf(double frequency)
{
    return 1127.0 * std::log1p(frequency / 700.0);
}

/// Triangles over the bins of a spectrum, evenly spaced on the mel scale.
struct MelBands {
    std::int64_t first = 0; ///< the bins that count, up to the last one
    std::int64_t last = 0;
    std::vector<std::int64_t> channels; ///< by bin: the band on whose right side it is; -1 before the first one
    std::vector<double> weights;        ///< by bin: its part in that band, the rest is in the next one

    double factor(std::int64_t bin, std::int64_t channel) const
    {
        if (bin < first || bin > last) {
            return 0;
        }
        const auto i = static_cast<std::size_t>(bin);
        return channel == channels[i] ? weights[i] : channel == channels[i] + 1 ? 1 - weights[i] : 0;
    }
};

MelBands melBands(const NodeContext& ctx, std::int64_t bins, double rate, std::int64_t channels)
{
    const Settings settings(ctx);
    const double low = settings.number("lower_frequency_limit");
    const double high = settings.number("upper_frequency_limit");
    if (!(low >= 0) || !(high > low) || !std::isfinite(high)) {
        ctx.invalid(fmt::format("lower_frequency_limit = {}, upper_frequency_limit = {}", low, high),
                    "upper_frequency_limit");
    }
    const double hertz = 0.5 * rate / static_cast<double>(bins - 1);
    if (high / hertz >= static_cast<double>(bins)) {
        ctx.refuse(fmt::format("upper_frequency_limit {} is above half of the sample rate {}", high, rate),
                   "upper_frequency_limit", "lower it");
    }
    MelBands bands;
    bands.first = static_cast<std::int64_t>(1.5 + low / hertz);
    bands.last = static_cast<std::int64_t>(high / hertz);
    const double start = melOf(low);
    const double spacing = (melOf(high) - start) / static_cast<double>(channels + 1);
    const auto center = [&](std::int64_t i) { return start + spacing * static_cast<double>(i + 1); };
    std::int64_t channel = 0;
    for (std::int64_t bin = 0; bin < bins; ++bin) {
        const double mel = melOf(static_cast<double>(bin) * hertz);
        const bool counts = bin >= bands.first && bin <= bands.last;
        while (counts && channel < channels && center(channel) < mel) {
            ++channel;
        }
        const std::int64_t own = channel - 1;
        const double before = own >= 0 ? center(own) : start;
        bands.channels.push_back(own);
        bands.weights.push_back((center(own + 1) - mel) / (center(own + 1) - before));
    }
    return bands;
}

/// The cosine transform of the logarithms of a spectrum's sums in mel bands.
OnnxValues cepstrum(NodeContext& ctx)
{
    const Settings settings(ctx);
    const OnnxValue spectrum = ctx.input(0); // (channels, windows, bins), squared magnitudes
    if (ctx.rank(spectrum) != 3 || ctx.element(spectrum) != ElementType::Float32) {
        ctx.invalid(fmt::format("the spectrogram must be float32 of 3 dimensions, not {} of {}",
                                elementTypeName(ctx.element(spectrum)), ctx.rank(spectrum)));
    }
    const std::int64_t rate = constantInt(ctx, 1, "the sample rate");
    const std::int64_t bins = ctx.fixedDim(spectrum, 2);
    const std::int64_t channels = settings.integer("filterbank_channel_count");
    const std::int64_t count = settings.integer("dct_coefficient_count");
    if (bins < 2 || rate < 1) {
        ctx.invalid(fmt::format("{} bins at a sample rate of {}", bins, rate));
    }
    if (count < 1 || channels < count) {
        ctx.invalid(fmt::format("dct_coefficient_count = {}, filterbank_channel_count = {}", count, channels),
                    "dct_coefficient_count");
    }
    if (channels > mostFactors / bins || count > mostFactors / channels) {
        ctx.refuse(fmt::format("{} bands of {} bins are too many", channels, bins), "filterbank_channel_count");
    }
    const auto bands = std::make_shared<const MelBands>(melBands(ctx, bins, static_cast<double>(rate), channels));
    const OnnxValue triangles = computedConstant(ctx, audioType, {bins, channels}, [=](std::uint64_t index) {
        const auto place = static_cast<std::int64_t>(index);
        return bands->factor(place / channels, place % channels);
    });
    const OnnxValue cosines = computedConstant(ctx, audioType, {channels, count}, [=](std::uint64_t index) {
        const auto place = static_cast<std::int64_t>(index);
        const std::int64_t band = place / count;
        const double angle = static_cast<double>(place % count) * (std::numbers::pi / static_cast<double>(channels)) *
                             (static_cast<double>(band) + 0.5);
        return std::sqrt(2.0 / static_cast<double>(channels)) * std::cos(angle);
    });
    const Doubles d(ctx);
    // The bins that do not count may be negative.
    const OnnxValue used = emit::slice(ctx, emit::cast(ctx, spectrum, audioType), Ints{bands->first},
                                       Ints{std::max(bands->first, bands->last + 1)}, Ints{2});
    const OnnxValue rows =
        emit::slice(ctx, triangles, Ints{bands->first}, Ints{std::max(bands->first, bands->last + 1)}, Ints{0});
    const OnnxValue sums = ctx.emit("MatMul", {d.apply("Sqrt", used), rows});
    constexpr double least = 1e-12;
    const OnnxValue logarithms = elementary::log(ctx, d.where(d.less(sums, least), d.number(least), sums));
    return {emit::cast(ctx, ctx.emit("MatMul", {logarithms, cosines}), ElementType::Float32)};
}

} // namespace

std::span<const OpRow> audioOps()
{
    static constexpr OpRow rows[] = {
        {"AudioSpectrogram", spectrogram, "Gather, DFT, or Gather, MatMul"},
        {"Mfcc", cepstrum, "Sqrt, MatMul, Log"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
