#pragma once

#include "core/convert/node_context.h"

#include <cstdint>

namespace crosswalk::forms {

struct ImageSize {
    std::int64_t height;
    std::int64_t width;
};

/// The filters of OpenCV's resize.
enum class PixelFilter : std::uint8_t { Nearest, Linear, Cubic, Area, Lanczos };

/// Images (H, W, C) or (N, H, W, C) of fixed sizes brought to a size. Nearest takes every type, the others float32 and
/// float64.
OnnxValue resizedImages(const NodeContext& ctx, OnnxValue x, ImageSize to, PixelFilter filter);

} // namespace crosswalk::forms
