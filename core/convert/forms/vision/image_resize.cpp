#include "core/convert/forms/vision/image_resize.h"

#include "core/base/saturating_product.h"
#include "core/convert/forms/vision/resize.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace crosswalk::forms {
namespace {

/// Adds `weight` for the pixel nearest to `place` to a row of weights.
void addWeight(double* row, std::int64_t size, std::int64_t place, double weight)
{
    row[std::clamp<std::int64_t>(place, 0, size - 1)] += weight;
}

double cubic(double distance)
{
    constexpr double a = -0.75;
    const double d = std::abs(distance);
    return d < 1 ? ((a + 2) * d - (a + 3)) * d * d + 1 : ((a * d - 5 * a) * d + 8 * a) * d - 4 * a;
}

double sinc(double x)
{
    return x == 0 ? 1 : std::sin(std::numbers::pi * x) / (std::numbers::pi * x);
}

double lanczos(double distance)
{
    return sinc(distance) * sinc(distance / 4);
}

double linear(double distance)
{
    return 1 - std::abs(distance);
}

/// The pixels around a place, `reach` to each side, weighted by their distance; the weights are made to add up to 1.
void addAround(double* row, std::int64_t from, double place, std::int64_t reach, double (*weight)(double distance))
{
    const auto first = static_cast<std::int64_t>(std::floor(place));
    double sum = 0;
    for (std::int64_t i = 1 - reach; i <= reach; ++i) {
        sum += weight(place - static_cast<double>(first + i));
    }
    for (std::int64_t i = 1 - reach; i <= reach; ++i) {
        addWeight(row, from, first + i, weight(place - static_cast<double>(first + i)) / sum);
    }
}

/// Where the middle of a new pixel falls on the old ones. It is held in single precision.
double middleOf(std::int64_t i, double scale)
{
    return static_cast<double>(static_cast<float>((static_cast<double>(i) + 0.5) * scale - 0.5));
}

/// Towards a larger image the area filter mixes two pixels only where a new one lies across their border.
double areaPlace(std::int64_t i, double scale)
{
    const double first = std::floor(static_cast<double>(i) * scale);
    const double over = static_cast<double>(i + 1) - (first + 1) / scale;
    return first + (over <= 0 ? 0 : over - std::floor(over));
}

/// All that the new pixel covers.
void addCovered(double* row, std::int64_t from, double scale, std::int64_t i)
{
    const double begin = static_cast<double>(i) * scale;
    const double end = std::min(begin + scale, static_cast<double>(from));
    for (auto k = static_cast<std::int64_t>(begin); k < from && static_cast<double>(k) < end; ++k) {
        const double covered = std::min(end, static_cast<double>(k + 1)) - std::max(begin, static_cast<double>(k));
        row[k] += covered / (end - begin);
    }
}

/// The weights of the old pixels in each new one: (to, from).
Tensor weightsAlong(std::int64_t from, std::int64_t to, PixelFilter filter, bool grows)
{
    BoundsChecked<double> weights(static_cast<std::size_t>(saturatingProduct(from, to)), 0.0);
    const double scale = static_cast<double>(from) / static_cast<double>(to);
    for (std::int64_t i = 0; i < to; ++i) {
        double* row = weights.data() + i * from;
        switch (filter) {
        case PixelFilter::Linear:
            addAround(row, from, middleOf(i, scale), 1, linear);
            break;
        case PixelFilter::Cubic:
            addAround(row, from, middleOf(i, scale), 2, cubic);
            break;
        case PixelFilter::Lanczos:
            addAround(row, from, middleOf(i, scale), 4, lanczos);
            break;
        default:
            if (grows) {
                addAround(row, from, areaPlace(i, scale), 1, linear);
            } else {
                addCovered(row, from, scale, i);
            }
        }
    }
    return Tensor::of<double>(ElementType::Float64, {to, from}, weights);
}

OnnxValue nearestAlong(const NodeContext& ctx, OnnxValue x, std::int64_t axis, std::int64_t to)
{
    const std::int64_t from = ctx.fixedDim(x, axis);
    if (from == to) {
        return x;
    }
    const double scale = 1 / (static_cast<double>(to) / static_cast<double>(from));
    Ints places;
    for (std::int64_t i = 0; i < to; ++i) {
        places.push_back(std::min(static_cast<std::int64_t>(std::floor(static_cast<double>(i) * scale)), from - 1));
    }
    return emit::gather(ctx, x, ctx.onnx.ints(places), axis);
}

} // namespace

OnnxValue resizedImages(const NodeContext& ctx, OnnxValue x, ImageSize to, PixelFilter filter)
{
    const std::int64_t axis = static_cast<std::int64_t>(ctx.rank(x)) - 3;
    const std::int64_t fromHeight = ctx.fixedDim(x, axis);
    const std::int64_t fromWidth = ctx.fixedDim(x, axis + 1);
    if (fromHeight == to.height && fromWidth == to.width) {
        return x;
    }
    if (filter == PixelFilter::Nearest) {
        return nearestAlong(ctx, nearestAlong(ctx, x, axis, to.height), axis + 1, to.width);
    }
    const bool grows = to.height > fromHeight || to.width > fromWidth;
    const Ints channelsFirst = axis == 0 ? Ints{2, 0, 1} : Ints{0, 3, 1, 2};
    const Ints channelsLast = axis == 0 ? Ints{1, 2, 0} : Ints{0, 2, 3, 1};
    const OnnxValue y = transformRowsAndColumns(ctx, emit::transpose(ctx, x, channelsFirst),
                                                weightsAlong(fromHeight, to.height, filter, grows),
                                                weightsAlong(fromWidth, to.width, filter, grows));
    return emit::transpose(ctx, y, channelsLast);
}

} // namespace crosswalk::forms
