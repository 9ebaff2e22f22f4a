#include "core/convert/forms/vision/nearest_places.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace crosswalk::forms {

std::optional<Ints> nearestPlaces(std::int64_t from, std::int64_t to, const std::function<float(float)>& position)
{
    constexpr std::int64_t mostPlaces = std::int64_t{1} << 20;
    if (from < 1 || to < 1 || to > mostPlaces) {
        return std::nullopt;
    }
    Ints places;
    places.reserve(static_cast<std::size_t>(to));
    for (std::int64_t place = 0; place < to; ++place) {
        const float at = std::floor(position(static_cast<float>(place)));
        places.push_back(at < static_cast<float>(from) ? std::max<std::int64_t>(static_cast<std::int64_t>(at), 0)
                                                       : from - 1);
    }
    return places;
}

bool resizeReads(const Ints& places, std::int64_t from, float scale, const Resizing& how)
{
    const auto to = static_cast<std::int64_t>(places.size());
    const auto position = [&](float place) {
        if (scale == 1) {
            return place;
        }
        switch (how.coordinates) {
        case Coordinates::AlignCorners:
            return to == 1 ? 0 : place * static_cast<float>(from - 1) / static_cast<float>(to - 1);
        case Coordinates::HalfPixelFromFirst:
            return to == 1 ? 0 : (place + 0.5F) / scale - 0.5F;
        case Coordinates::HalfPixel:
            return (place + 0.5F) / scale - 0.5F;
        case Coordinates::Asymmetric:
            break;
        }
        return place / scale;
    };
    const auto reads = [&](float error) {
        return nearestPlaces(from, to, [&](float place) {
                   const float at = position(place);
                   return std::floor(at + error * std::max(at, 1.0F) + (how.roundsUp ? 0.5F : 0.0F));
               }) == places;
    };
    constexpr float rounding = 2e-6F;
    const bool isExact = static_cast<double>(scale) * static_cast<double>(from) == static_cast<double>(to);
    return isExact ? reads(0) : reads(rounding) && reads(-rounding);
}

bool resizeReads(const Ints& places, std::int64_t from, const Resizing& how)
{
    return resizeReads(places, from, static_cast<float>(places.size()) / static_cast<float>(from), how);
}

OnnxValue elementsAt(const NodeContext& ctx, OnnxValue x, std::int64_t axis, const Ints& places)
{
    const std::int64_t step = places.size() > 1 ? places[1] - places[0] : 1;
    std::int64_t next = places.front();
    const bool isEven = step > 0 && std::ranges::all_of(places, [&](std::int64_t place) {
                            return place == std::exchange(next, next + step);
                        });
    const Dim& size = ctx.shape(x)[static_cast<std::size_t>(axis)];
    if (isEven && step == 1 && size == Dim(static_cast<std::int64_t>(places.size()))) {
        return x;
    }
    return isEven ? emit::slice(ctx, x, Ints{places.front()}, Ints{places.back() + 1}, Ints{axis}, Ints{step})
                  : emit::gather(ctx, x, ctx.onnx.ints(places), axis);
}

} // namespace crosswalk::forms
