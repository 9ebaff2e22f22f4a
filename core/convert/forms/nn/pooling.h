#pragma once

#include "core/convert/forms/nn/window.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace crosswalk::forms {

enum class PoolKind : std::uint8_t {
    Max,
    Average,
    Sum,
    Lp, ///< the p-th root of the sum of p-th powers, which keep their sign
};

/// The rule for the number of windows along a dimension, from the room, size + padding - kernel.
enum class PoolRounding : std::uint8_t {
    Down,      ///< floor(room / stride) + 1
    Up,        ///< ceil(room / stride) + 1: the last window may reach beyond the padding
    PerStride, ///< ceil(size / stride), the first window at the first element; without padding
};

struct Pooling {
    PoolKind kind = PoolKind::Max;
    Window window = {}; ///< without dilation
    Ints begin = {};    ///< padding before and after each spatial dimension
    Ints end = {};
    PoolRounding rounding = PoolRounding::Down;
    bool countPadding = true;         ///< of an average: the padding counts in the divisor
    bool countRounding = false;       ///< if the padding counts, so does the room that Up adds beyond it
    std::optional<double> least = {}; ///< the maximum of a window without elements, else the type's smallest number
    bool dividesByZero = false; ///< the average of a window without elements is 0 / 0 or divides by its padding, else 0
    std::int64_t p = 2;         ///< of Lp: 1, 2 or 3
};

/// x (channels first) pooled, in any floating type; a maximum also takes integers. Some averages that do not count the
/// padding need fixed sizes.
OnnxValue pool(const NodeContext& ctx, OnnxValue x, const Pooling& how);
/// x pooled over all spatial dimensions, which remain with size 1.
OnnxValue globalPool(const NodeContext& ctx, OnnxValue x, PoolKind kind, std::int64_t p, bool channelsLast);
/// x pooled along an axis to `count` elements by ReduceMean or ReduceMax: element i over [floor(i n / count),
/// ceil((i + 1) n / count)) of the n elements. Computes the windows if the size is not fixed.
OnnxValue adaptivePool(const NodeContext& ctx, OnnxValue x, std::int64_t axis, std::int64_t count,
                       std::string_view reduction);
/// The averages of windows over the elements alone: the sums of x divided by those of `ones`, which is 0 where x is
/// padding. Both are padded already.
OnnxValue averageOfPresent(const NodeContext& ctx, OnnxValue x, OnnxValue ones, const Window& window);
/// The number of elements of the kernel.
double kernelSize(const Window& window);

} // namespace crosswalk::forms
