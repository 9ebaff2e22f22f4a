#include "core/convert/forms/nn/window.h"

#include "core/base/budget.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <numeric>

namespace crosswalk::forms {
Ints onnxPads(const Ints& begin, const Ints& end)
{
    Ints both = begin;
    both.insert(both.end(), end.begin(), end.end());
    return both;
}

OnnxValue toChannelsFirst(const NodeContext& ctx, OnnxValue x)
{
    Ints permutation(ctx.rank(x));
    std::iota(permutation.begin(), permutation.end(), 0);
    permutation.insert(permutation.iteratorAt(1), permutation.back());
    permutation.pop_back();
    return emit::transpose(ctx, x, permutation);
}

OnnxValue toChannelsLast(const NodeContext& ctx, OnnxValue x)
{
    Ints permutation(ctx.rank(x));
    std::iota(permutation.begin(), permutation.end(), 0);
    permutation.eraseAt(1);
    permutation.push_back(1);
    return emit::transpose(ctx, x, permutation);
}

OnnxValue toChannelsFirst(const NodeContext& ctx, OnnxValue x, std::int64_t axis)
{
    const bool isLast = axis + 1 == static_cast<std::int64_t>(ctx.rank(x));
    return isLast ? toChannelsFirst(ctx, x) : emit::swapAxes(ctx, x, 1, axis);
}

OnnxValue fromChannelsFirst(const NodeContext& ctx, OnnxValue x, std::int64_t axis)
{
    const bool isLast = axis + 1 == static_cast<std::int64_t>(ctx.rank(x));
    return isLast ? toChannelsLast(ctx, x) : emit::swapAxes(ctx, x, 1, axis);
}

OnnxValue padSpatial(const NodeContext& ctx, OnnxValue x, const Ints& begin, const Ints& end, double value)
{
    const auto isZero = [](const Ints& pads) {
        return std::all_of(pads.begin(), pads.end(), [](auto pad) { return pad == 0; });
    };
    if (isZero(begin) && isZero(end)) {
        return x;
    }
    Ints pads{0, 0};
    pads.insert(pads.end(), begin.begin(), begin.end());
    pads.insert(pads.end(), {0, 0});
    pads.insert(pads.end(), end.begin(), end.end());
    // Negative zero adds nothing either, and keeps ONNX Runtime from fusing this Pad into a pooling operator behind it,
    // where it would forget that the padding counts (checked on 1.31).
    const OnnxValue filler = emit::scalarLike(ctx, x, value == 0 ? -0.0 : value);
    return ctx.emit("Pad", {x, ctx.onnx.ints(pads), filler});
}

OnnxValues windowSlices(const NodeContext& ctx, OnnxValue padded, const Window& window)
{
    const std::size_t rank = window.rank();
    std::int64_t places = 1;
    for (const std::int64_t size : window.kernel) {
        if (size > Budget::windowPlaces / places) {
            ctx.refuse(fmt::format("a kernel of {} becomes a node for each of its elements: more than {}",
                                   fmt::join(window.kernel, " x "), Budget::windowPlaces),
                       "kernel");
        }
        places *= std::max<std::int64_t>(size, 1);
    }
    Ints axes(rank);
    std::iota(axes.begin(), axes.end(), 2);
    OnnxValues slices;
    Ints place(rank, 0);
    while (true) {
        Ints starts(rank);
        Ints ends(rank);
        for (std::size_t i = 0; i < rank; ++i) {
            starts[i] = place[i] * window.dilate[i];
            // Up to the last element that a whole window has at this place, counted from the end: sizes stay open.
            const std::int64_t behind = window.reach(i) - 1 - starts[i];
            ends[i] = behind == 0 ? std::numeric_limits<std::int64_t>::max() : -behind;
        }
        slices.push_back(emit::slice(ctx, padded, starts, ends, axes, window.stride));
        std::size_t i = rank;
        while (i-- > 0 && ++place[i] == window.kernel[i]) {
            place[i] = 0;
        }
        if (i == static_cast<std::size_t>(-1)) {
            return slices;
        }
    }
}

} // namespace crosswalk::forms
