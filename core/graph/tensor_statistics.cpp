#include "core/graph/tensor_statistics.h"

#include <algorithm>
#include <cmath>

namespace crosswalk {
namespace {

constexpr std::int64_t chunk = 65536;

/// Calls `take` for every element; returns false when stopped.
template <typename Take>
bool forEach(const Tensor& tensor, const std::stop_token& stop, Take take)
{
    const std::int64_t elements = tensor.elements();
    for (std::int64_t first = 0; first < elements; first += chunk) {
        if (stop.stop_requested()) {
            return false;
        }
        for (const double value : tensor.range(first, {std::min(chunk, elements - first)}).toDoubles()) {
            take(value);
        }
    }
    return true;
}

} // namespace

std::optional<TensorStatistics> statisticsOf(const Tensor& tensor, std::size_t bins, const std::stop_token& stop)
{
    if (!isNumeric(tensor.type()) || byteSize(tensor.type()) == 0) {
        return std::nullopt;
    }
    TensorStatistics result;
    result.elements = tensor.elements();
    result.histogram.assign(bins, 0);
    // Welford's algorithm: the sum of squares of a large tensor would lose precision.
    double squares = 0;
    std::int64_t seen = 0;
    const auto measure = [&](double value) {
        if (std::isnan(value)) {
            ++result.nan;
            return;
        }
        if (std::isinf(value)) {
            ++result.infinite;
            return;
        }
        result.zero += value == 0 ? 1 : 0;
        result.minimum = seen == 0 ? value : std::min(result.minimum, value);
        result.maximum = seen == 0 ? value : std::max(result.maximum, value);
        const double difference = value - result.mean;
        result.mean += difference / static_cast<double>(++seen);
        squares += difference * (value - result.mean);
    };
    const auto addToHistogram = [&](double value) {
        if (std::isfinite(value)) {
            const double share = (value - result.minimum) / (result.maximum - result.minimum);
            const auto bin = static_cast<std::size_t>(share * static_cast<double>(bins));
            ++result.histogram[std::min(bin, bins - 1)];
        }
    };
    if (!forEach(tensor, stop, measure)) {
        return std::nullopt;
    }
    if (seen == 0 || bins == 0) {
        return result;
    }
    result.deviation = std::sqrt(squares / static_cast<double>(seen));
    // All elements are equal, or their range overflows a double: use a single bin.
    const double range = result.maximum - result.minimum;
    if (range <= 0 || !std::isfinite(range)) {
        result.histogram.front() = seen;
        return result;
    }
    return forEach(tensor, stop, addToHistogram) ? std::optional(std::move(result)) : std::nullopt;
}

} // namespace crosswalk
