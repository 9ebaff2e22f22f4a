#pragma once

#include "core/base/saturating_product.h"
#include "core/convert/emit.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

/// Windows that move over the spatial dimensions of a tensor: those of convolutions and of poolings. Channels are on
/// axis 1, the spatial dimensions behind them.
namespace crosswalk::forms {

/// One number per spatial dimension in each list.
struct Window {
    Ints kernel;
    Ints stride;
    Ints dilate;

    std::size_t rank() const { return kernel.size(); }
    /// The number of elements that the window spans in dimension i, limited so that sizes can be subtracted from it.
    std::int64_t reach(std::size_t i) const
    {
        constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 4;
        return std::min(saturatingProduct(kernel[i] - 1, dilate[i]), most) + 1;
    }
};

/// All pads at the beginnings, then all at the ends: ONNX's order.
Ints onnxPads(const Ints& begin, const Ints& end);

/// Moves the channels from the last axis to axis 1, and back.
OnnxValue toChannelsFirst(const NodeContext& ctx, OnnxValue x);
OnnxValue toChannelsLast(const NodeContext& ctx, OnnxValue x);
/// Moves the channels from an axis to axis 1, and back. If it is the last axis, with the permutations of the functions
/// above: Transposes between a convolution and a normalization then cancel each other out.
OnnxValue toChannelsFirst(const NodeContext& ctx, OnnxValue x, std::int64_t axis);
OnnxValue fromChannelsFirst(const NodeContext& ctx, OnnxValue x, std::int64_t axis);

/// x with constant elements around its spatial dimensions (all but the first two); a negative pad crops.
OnnxValue padSpatial(const NodeContext& ctx, OnnxValue x, const Ints& begin, const Ints& end, double value);
/// The elements read by each position of the kernel: one tensor per position, in C order. They are strided slices of x,
/// which is padded already, and have the spatial dimensions of the output. They replace windows in the types that ONNX
/// Runtime's convolutions and poolings lack.
OnnxValues windowSlices(const NodeContext& ctx, OnnxValue padded, const Window& window);

} // namespace crosswalk::forms
