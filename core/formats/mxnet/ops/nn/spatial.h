#pragma once

#include "core/convert/emit.h"
#include "core/formats/mxnet/operator_attributes.h"

namespace crosswalk::mxnet {

/// The window of a Convolution, a Deconvolution or a Pooling over the spatial dimensions, and where these stand.
struct Window {
    Ints kernel;
    Ints stride;
    Ints dilate;
    Ints pad; ///< the same before and after
    bool channelsLast = false;

    /// Reads kernel, stride, dilate, pad and layout; lengths that do not fit the kernel's are invalid.
    static Window of(const NodeContext& ctx, const Attributes& attributes);

    std::size_t rank() const { return kernel.size(); }
    /// How far the window reaches in dimension i.
    std::int64_t reach(std::size_t i) const { return (kernel[i] - 1) * dilate[i] + 1; }
};

/// All pads at the beginnings, then all at the ends: ONNX's order.
Ints onnxPads(const Ints& begin, const Ints& end);

/// Whether a layout attribute ("NHWC") puts the channels last; one that is no layout of that rank is invalid.
bool isChannelsLast(const NodeContext& ctx, const std::string& layout, std::size_t spatialRank);
/// Channels moved from the last axis to axis 1, and back.
OnnxValue toChannelsFirst(const NodeContext& ctx, OnnxValue x);
OnnxValue toChannelsLast(const NodeContext& ctx, OnnxValue x);

/// x with constant elements around its spatial dimensions (all but the first two).
OnnxValue padSpatial(const NodeContext& ctx, OnnxValue x, const Ints& begin, const Ints& end, double value);
/// The elements that each place of the window meets, one tensor a place in C order: strided slices of x, whose spatial
/// dimensions become those of the output. x is padded already. What stands for windows in the types that ONNX Runtime's
/// convolutions and poolings do not have.
OnnxValues windowSlices(const NodeContext& ctx, OnnxValue padded, const Window& window);

} // namespace crosswalk::mxnet
