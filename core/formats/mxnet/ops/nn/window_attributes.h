#pragma once

#include "core/convert/forms/nn/window.h"
#include "core/formats/mxnet/operator_attributes.h"

#include <cstddef>
#include <string>

namespace crosswalk::mxnet {

/// The window of a Convolution, a Deconvolution or a Pooling.
struct LayerWindow : Window {
    Ints pad; ///< the same before and after
    bool channelsLast = false;

    /// Reads kernel, stride, dilate, pad and layout. Lengths that differ from the kernel's are invalid.
    static LayerWindow of(const NodeContext& ctx, const Attributes& attributes);
};

/// Whether a layout attribute ("NHWC") puts the channels last; any layout other than the two of that rank is invalid.
bool isChannelsLast(const NodeContext& ctx, const std::string& layout, std::size_t spatialRank);

} // namespace crosswalk::mxnet
