#pragma once

#include "core/formats/pytorch/ops/operator_arguments.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <string>
#include <string_view>

namespace crosswalk::pytorch {

/// Refuses pads, strides and dilations so large that sums and products with sizes would overflow.
inline void limitNumbers(const NodeContext& ctx, std::string_view name, const Ints& numbers)
{
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    for (const std::int64_t number : numbers) {
        if (number < -most || number > most) {
            ctx.invalid(fmt::format("{} has the number {}, which is beyond {}", name, number, most), std::string(name));
        }
    }
}

/// A list with one number per spatial dimension; a single number stands for all.
inline Ints perDimension(const NodeContext& ctx, const Arguments& arguments, std::string_view name, std::size_t count,
                         std::int64_t fallback)
{
    Ints values = arguments.integers(name).value_or(Ints());
    if (values.empty()) {
        values.assign(count, fallback);
    }
    if (values.size() == 1) {
        values.assign(count, values[0]);
    }
    if (values.size() != count) {
        ctx.invalid(fmt::format("{} has {} numbers for {} dimensions", name, values.size(), count), std::string(name));
    }
    limitNumbers(ctx, name, values);
    return values;
}

/// The same for numbers that are at least 1, such as strides.
inline Ints positivePerDimension(const NodeContext& ctx, const Arguments& arguments, std::string_view name,
                                 std::size_t count, std::int64_t fallback)
{
    Ints values = perDimension(ctx, arguments, name, count, fallback);
    if (std::any_of(values.begin(), values.end(), [](std::int64_t value) { return value < 1; })) {
        ctx.invalid(fmt::format("{} has a number less than 1", name), std::string(name));
    }
    return values;
}

/// x with a batch axis if it has none: the rank is `rank` afterwards.
inline OnnxValue batched(const NodeContext& ctx, OnnxValue x, std::size_t rank)
{
    return ctx.rank(x) + 1 == rank ? emit::unsqueeze(ctx, x, {0}) : x;
}

/// y without the batch axis that `batched` added to x.
inline OnnxValue unbatched(const NodeContext& ctx, OnnxValue y, OnnxValue x, std::size_t rank)
{
    return ctx.rank(x) + 1 == rank ? emit::squeeze(ctx, y, {0}) : y;
}

} // namespace crosswalk::pytorch
