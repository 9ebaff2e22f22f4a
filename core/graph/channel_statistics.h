#pragma once

#include "core/graph/tensor.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace crosswalk {

/// Elements of a tensor with one index on an axis. Minimum to deviation refer to the finite ones.
struct ChannelStatistics {
    std::int64_t finite = 0;
    std::int64_t notFinite = 0; ///< NaN and infinite
    std::int64_t zero = 0;
    std::int64_t outliers = 0; ///< of the whole tensor, see isOutlier
    double minimum = 0;
    double maximum = 0;
    double mean = 0;
    double deviation = 0; ///< standard deviation
};

/// An element far from the mean of all.
struct Outlier {
    Ints index;
    double value = 0;
};

struct TensorChannels {
    std::vector<ChannelStatistics> channels; ///< by index on the axis
    std::int64_t outliers = 0;
    std::vector<Outlier> farthest; ///< at most `mostOutliers`, the farthest first
};

inline constexpr double outlierDeviations = 6;
inline constexpr std::size_t mostOutliers = 20;
inline constexpr std::int64_t mostChannels = 1'000'000; ///< they take far more memory than the elements

/// Statistics for each index of an axis. An outlier is more than `outlierDeviations` standard deviations from `mean`.
/// Reads the tensor piece by piece. Nothing for types that have no numbers, for a scalar, for a tensor without
/// elements, for an axis of more than `mostChannels`, and when stopped.
std::optional<TensorChannels> channelsOf(const Tensor& tensor, std::size_t axis, double mean, double deviation,
                                         const std::stop_token& stop = {});

/// `after` minus `before` as float64, piece by piece; not a number where one of them is not finite and they differ.
/// Nothing for different dimensions, for types that have no numbers, and when stopped.
std::optional<Tensor> differenceOf(const Tensor& before, const Tensor& after, const std::stop_token& stop = {});

} // namespace crosswalk
