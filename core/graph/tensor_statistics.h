#pragma once

#include "core/graph/tensor.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>

namespace crosswalk {

/// What a tensor's numbers are like. Minimum to histogram speak of the finite elements alone.
struct TensorStatistics {
    std::int64_t elements = 0;
    std::int64_t nan = 0;
    std::int64_t infinite = 0;
    std::int64_t zero = 0;
    double minimum = 0;
    double maximum = 0;
    double mean = 0;
    double deviation = 0; ///< standard deviation of all elements, as numpy.std
    Ints histogram;       ///< equal bins from minimum to maximum

    std::int64_t finite() const { return elements - nan - infinite; }
};

/// Reads the tensor twice, piece by piece. Nothing for types that have no numbers here, and when stopped.
std::optional<TensorStatistics> statisticsOf(const Tensor& tensor, std::size_t bins, const std::stop_token& stop = {});

} // namespace crosswalk
