#pragma once

#include "core/convert/node_context.h"

namespace crosswalk::mxnet {

struct ImageSize {
    std::int64_t height;
    std::int64_t width;
};

/// Images (H, W, C) or (N, H, W, C) brought to a size as OpenCV does it; `interpolation` is its number for the way.
OnnxValue resizedImages(const NodeContext& ctx, OnnxValue x, ImageSize to, std::int64_t interpolation);

} // namespace crosswalk::mxnet
