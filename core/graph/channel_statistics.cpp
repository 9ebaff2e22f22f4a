#include "core/graph/channel_statistics.h"

#include "core/base/saturating_product.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace crosswalk {
namespace {

constexpr std::int64_t channelChunk = 65536;

bool hasNumbers(const Tensor& tensor)
{
    return isNumeric(tensor.type()) && byteSize(tensor.type()) != 0;
}

Ints placeOf(std::int64_t element, const Ints& dims)
{
    Ints index(dims.size());
    for (std::size_t axis = dims.size(); axis-- > 0;) {
        index[axis] = element % dims[axis];
        element /= dims[axis];
    }
    return index;
}

/// Welford's algorithm, per channel.
void addValue(ChannelStatistics& channel, double& squares, double value)
{
    if (!std::isfinite(value)) {
        ++channel.notFinite;
        return;
    }
    channel.zero += value == 0 ? 1 : 0;
    channel.minimum = channel.finite == 0 ? value : std::min(channel.minimum, value);
    channel.maximum = channel.finite == 0 ? value : std::max(channel.maximum, value);
    const double difference = value - channel.mean;
    channel.mean += difference / static_cast<double>(++channel.finite);
    squares += difference * (value - channel.mean);
}

} // namespace

std::optional<TensorChannels> channelsOf(const Tensor& tensor, std::size_t axis, double mean, double deviation,
                                         const std::stop_token& stop)
{
    const auto& dims = tensor.dims();
    if (!hasNumbers(tensor) || axis >= dims.size() || tensor.elements() == 0 || dims[axis] > mostChannels) {
        return std::nullopt;
    }
    TensorChannels result;
    result.channels.resize(static_cast<std::size_t>(dims[axis]));
    std::vector<double> squares(result.channels.size());
    const std::int64_t inner = saturatingProduct(std::span(dims).subspan(axis + 1));
    struct Far {
        double distance;
        std::int64_t element;
        double value;
    };
    std::vector<Far> far; // a heap, the nearest on top
    const auto isFarther = [](const Far& a, const Far& b) { return a.distance > b.distance; };
    const double limit = outlierDeviations * deviation;
    const std::int64_t elements = tensor.elements();
    for (std::int64_t first = 0; first < elements; first += channelChunk) {
        if (stop.stop_requested()) {
            return std::nullopt;
        }
        const auto values = tensor.range(first, {std::min(channelChunk, elements - first)}).toDoubles();
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::int64_t element = first + static_cast<std::int64_t>(i);
            const auto number = static_cast<std::size_t>(element / inner % dims[axis]);
            addValue(result.channels[number], squares[number], values[i]);
            const double distance = std::abs(values[i] - mean);
            if (deviation > 0 && std::isfinite(values[i]) && distance > limit) {
                ++result.outliers;
                ++result.channels[number].outliers;
                far.push_back({distance, element, values[i]});
                std::ranges::push_heap(far, isFarther);
                if (far.size() > mostOutliers) {
                    std::ranges::pop_heap(far, isFarther);
                    far.pop_back();
                }
            }
        }
    }
    for (std::size_t i = 0; i < result.channels.size(); ++i) {
        if (result.channels[i].finite > 0) {
            result.channels[i].deviation = std::sqrt(squares[i] / static_cast<double>(result.channels[i].finite));
        }
    }
    std::ranges::sort(far, isFarther);
    for (const Far& one : far) {
        result.farthest.push_back({placeOf(one.element, dims), one.value});
    }
    return result;
}

std::optional<Tensor> differenceOf(const Tensor& before, const Tensor& after, const std::stop_token& stop)
{
    if (!hasNumbers(before) || !hasNumbers(after) || before.dims() != after.dims()) {
        return std::nullopt;
    }
    const std::int64_t elements = before.elements();
    std::vector<std::byte> bytes(static_cast<std::size_t>(elements) * sizeof(double));
    for (std::int64_t first = 0; first < elements; first += channelChunk) {
        if (stop.stop_requested()) {
            return std::nullopt;
        }
        const std::int64_t count = std::min(channelChunk, elements - first);
        auto differences = after.range(first, {count}).toDoubles();
        const auto from = before.range(first, {count}).toDoubles();
        for (std::size_t i = 0; i < differences.size(); ++i) {
            const bool isSame = differences[i] == from[i] || (std::isnan(differences[i]) && std::isnan(from[i]));
            differences[i] = isSame                                                    ? 0
                             : std::isfinite(differences[i]) && std::isfinite(from[i]) ? differences[i] - from[i]
                                                                                       : std::nan("");
        }
        std::memcpy(bytes.data() + static_cast<std::size_t>(first) * sizeof(double), differences.data(),
                    differences.size() * sizeof(double));
    }
    return Tensor::owned(ElementType::Float64, before.dims(), std::move(bytes));
}

} // namespace crosswalk
