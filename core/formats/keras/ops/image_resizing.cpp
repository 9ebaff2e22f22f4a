#include "core/formats/keras/ops/image_resizing.h"

#include "core/convert/forms/tensor/sizes.h"
#include "core/convert/forms/vision/nearest_places.h"
#include "core/convert/forms/vision/resize.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <numbers>

namespace crosswalk::keras {
namespace {

/// The weight of a pixel at a distance from the place that is read.
struct Filter {
    double radius;
    double (*weight)(double distance);
};

double triangle(double x)
{
    return std::max(1 - x, 0.0);
}

double keysCubic(double x)
{
    return x < 1 ? (1.5 * x - 2.5) * x * x + 1 : x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0;
}

double mitchellCubic(double x)
{
    return x < 1   ? ((7.0 * x - 12.0) * x * x + 16.0 / 3) / 6
           : x < 2 ? (((-7.0 / 3 * x + 12.0) * x - 20.0) * x + 32.0 / 3) / 6
                   : 0;
}

double gaussian(double x)
{
    return x < 1.5 ? std::exp(-x * x / (2 * 0.5 * 0.5)) : 0;
}

double lanczos(double x, double radius)
{
    if (x >= radius) {
        return 0;
    }
    const double angle = std::numbers::pi * x;
    return x <= 1e-3 ? 1 : radius * std::sin(angle) * std::sin(angle / radius) / (angle * angle);
}

double lanczos3(double x)
{
    return lanczos(x, 3);
}

double lanczos5(double x)
{
    return lanczos(x, 5);
}

const Filter* findFilter(const std::string& name)
{
    static const std::map<std::string_view, Filter> filters{
        {"bicubic", {2, keysCubic}}, {"bilinear", {1, triangle}},   {"lanczos3", {3, lanczos3}},
        {"lanczos5", {5, lanczos5}}, {"gaussian", {1.5, gaussian}}, {"mitchellcubic", {2, mitchellCubic}}};
    const auto found = filters.find(name);
    return found != filters.end() ? &found->second : nullptr;
}

/// The weights of the pixels (columns) in each element of the result (rows).
class Weights {
public:
    Weights(std::int64_t from, std::int64_t to)
        : m_from(from)
        , m_to(to)
        , m_scale(static_cast<double>(from) / static_cast<double>(to))
        , m_values(static_cast<std::size_t>(from * to), 0.0)
    {
    }

    /// `steps`: the fraction of a place is rounded to so many parts; 0: not rounded. `isSmoothed`: a smaller result
    /// reads as many more pixels as it is smaller.
    Tensor filtered(const Filter& filter, double steps, bool isSmoothed)
    {
        const double width = isSmoothed ? std::max(m_scale, 1.0) : 1.0;
        for (std::int64_t row = 0; row < m_to; ++row) {
            double place = (static_cast<double>(row) + 0.5) * m_scale - 0.5;
            if (steps > 0) {
                const double floor = std::floor(place);
                place = floor + std::nearbyint((place - floor) * steps) / steps;
            }
            double sum = 0;
            for (std::int64_t pixel = 0; pixel < m_from; ++pixel) {
                const double weight = filter.weight(std::abs(static_cast<double>(pixel) - place) / width);
                at(row, pixel) = weight;
                sum += weight;
            }
            for (std::int64_t pixel = 0; pixel < m_from; ++pixel) {
                at(row, pixel) /= sum;
            }
        }
        return tensor();
    }

    /// The part of each pixel in the area of an element of the result.
    Tensor areas()
    {
        for (std::int64_t row = 0; row < m_to; ++row) {
            const double start = static_cast<double>(row) * m_scale;
            const double end = start + m_scale;
            for (std::int64_t pixel = 0; pixel < m_from; ++pixel) {
                const double low = std::max(start, static_cast<double>(pixel));
                const double high = std::min(end, static_cast<double>(pixel + 1));
                at(row, pixel) = std::max(high - low, 0.0) / m_scale;
            }
        }
        return tensor();
    }

private:
    double& at(std::int64_t row, std::int64_t pixel)
    {
        return m_values[static_cast<std::size_t>(row * m_from + pixel)];
    }
    Tensor tensor() const { return Tensor::of<double>(ElementType::Float64, {m_to, m_from}, m_values); }

    std::int64_t m_from;
    std::int64_t m_to;
    double m_scale; ///< pixels for each element of the result
    std::vector<double> m_values;
};

Tensor weightsOf(const Layer& layer, std::int64_t from, std::int64_t to, const std::string& interpolation,
                 bool isSmoothed)
{
    if (from < 1 || to < 1 || from > (std::int64_t{1} << 24) / to) {
        layer.ctx.invalid(fmt::format("images of {} resized to {}", from, to));
    }
    if (interpolation == "area") {
        return Weights(from, to).areas();
    }
    // TensorFlow reads the weights of its cubic from a table of 1024 places.
    const bool isTable = interpolation == "bicubic" && layer.major() < 3;
    return Weights(from, to).filtered(*findFilter(interpolation), isTable ? 1024 : 0, isSmoothed);
}

/// The pixels of an axis in which the middles of the result's pixels lie. JAX multiplies by one size and divides by the
/// other; TensorFlow multiplies by their ratio.
std::optional<Ints> middlePixels(const Layer& layer, const Dim& from, std::optional<std::int64_t> to)
{
    if (!from.isFixed() || !to) {
        return std::nullopt;
    }
    const auto pixels = static_cast<float>(from.size);
    const auto places = static_cast<float>(*to);
    return nearestPlaces(from.size, *to, [&](float place) {
        return layer.major() < 3 ? (place + 0.5F) * (pixels / places) : (place + 0.5F) * pixels / places;
    });
}

OnnxValue nearestPixels(const Layer& layer, OnnxValue x, OnnxValue height, OnnxValue width)
{
    const NodeContext& ctx = layer.ctx;
    const Resizing how{.isLinear = false, .coordinates = Coordinates::HalfPixel, .roundsUp = true};
    const bool isDouble = ctx.element(x) == ElementType::Float64; // for which ONNX Runtime's Resize has no kernel
    const auto rows = middlePixels(layer, ctx.shape(x)[2], sizes::known(ctx, height));
    const auto columns = middlePixels(layer, ctx.shape(x)[3], sizes::known(ctx, width));
    const auto isRead = [&](const Ints& places, std::int64_t axis) {
        return resizeReads(places, ctx.fixedDim(x, axis), how);
    };
    if (rows && columns && (isDouble || !isRead(*rows, 2) || !isRead(*columns, 3))) {
        return elementsAt(ctx, elementsAt(ctx, x, 2, *rows), 3, *columns);
    }
    if (isDouble) {
        layer.refuse("resizing of float64 to the nearest pixel", "interpolation", "cast the images to float32");
    }
    return resizeTo(ctx, x, height, width, how);
}

} // namespace

OnnxValue resizedImages(const Layer& layer, OnnxValue x, OnnxValue height, OnnxValue width,
                        const std::string& interpolation, bool isSmoothed)
{
    const NodeContext& ctx = layer.ctx;
    if (ctx.rank(x) != 4) {
        layer.refuse(fmt::format("images of {} dimensions", ctx.rank(x)));
    }
    if (interpolation == "bilinear" && !isSmoothed) {
        return bilinearResize(ctx, x, height, width, Coordinates::HalfPixel);
    }
    if (interpolation == "nearest") {
        return nearestPixels(layer, x, height, width);
    }
    if (isSmoothed && interpolation == "bicubic" && layer.major() < 3) {
        layer.refuse("bicubic resizing with antialias", "antialias");
    }
    if (interpolation != "area" && findFilter(interpolation) == nullptr) {
        layer.refuse(fmt::format("interpolation {} is not one of Keras", interpolation), "interpolation");
    }
    const auto toHeight = sizes::known(ctx, height);
    const auto toWidth = sizes::known(ctx, width);
    if (!toHeight || !toWidth) {
        layer.refuse(fmt::format("interpolation {} requires fixed sizes", interpolation), "interpolation",
                     "fix the shapes of the inputs");
    }
    return transformRowsAndColumns(ctx, x, weightsOf(layer, ctx.fixedDim(x, 2), *toHeight, interpolation, isSmoothed),
                                   weightsOf(layer, ctx.fixedDim(x, 3), *toWidth, interpolation, isSmoothed));
}

} // namespace crosswalk::keras
