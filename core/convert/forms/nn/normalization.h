#pragma once

#include "core/convert/emit.h"

#include <cstdint>

/// Normalisations: x less its mean, divided by its deviation, the square root of the variance plus epsilon, times
/// gamma, plus beta. Channels are on axis 1 unless stated otherwise. Any floating type.
namespace crosswalk::forms {

/// Of x over some axes, which remain with size 1.
struct Moments {
    OnnxValue mean;
    OnnxValue centered;  ///< x less the mean
    OnnxValue variance;  ///< over all elements
    OnnxValue deviation; ///< square root of the variance plus epsilon
};
Moments momentsOf(const NodeContext& ctx, OnnxValue x, const Ints& axes, double eps);

/// One number per channel each, (C).
struct BatchStatistics {
    OnnxValue gamma;
    OnnxValue beta;
    OnnxValue mean;
    OnnxValue variance;
};
/// By stored statistics, computed in the type of the mean. The channels are on `axis`.
OnnxValue batchNorm(const NodeContext& ctx, OnnxValue x, std::int64_t axis, const BatchStatistics& given, double eps);

/// Over the spatial dimensions; gamma and beta are (C), x has at least 3 dimensions.
OnnxValue instanceNorm(const NodeContext& ctx, OnnxValue x, OnnxValue gamma, OnnxValue beta, double eps);

struct Normalization {
    double epsilon = 1e-5;
    bool wantsMoments = false; ///< mean and deviation are results too
};
struct Normalized {
    OnnxValue y;
    OnnxValue mean = {}; ///< these two may be absent if not needed
    OnnxValue deviation = {};
};
/// Over one axis, 0 <= axis < rank; gamma and beta are as long as it is. The moments keep the axis, with size 1.
Normalized layerNorm(const NodeContext& ctx, OnnxValue x, OnnxValue gamma, OnnxValue beta, std::int64_t axis,
                     const Normalization& how);
/// Over the channels of a group and the spatial dimensions; C is fixed. gamma and beta have a number per channel or per
/// group. The moments are (N, groups).
Normalized groupNorm(const NodeContext& ctx, OnnxValue x, OnnxValue gamma, OnnxValue beta, std::int64_t groups,
                     const Normalization& how);

/// x / sqrt(sum of squares over the axes + epsilon).
OnnxValue l2Norm(const NodeContext& ctx, OnnxValue given, const Ints& axes, double eps);

/// Divides images (N, C, H, W) by (bias + alpha / size * sum of squares)^beta, the sum over `size` neighbouring
/// channels, an odd number.
struct LocalResponse {
    std::int64_t size = 5;
    double alpha = 1e-4;
    double beta = 0.75;
    double bias = 1;
};
OnnxValue localResponseNorm(const NodeContext& ctx, OnnxValue x, const LocalResponse& how);

} // namespace crosswalk::forms
