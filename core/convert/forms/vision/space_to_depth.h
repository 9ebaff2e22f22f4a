#pragma once

#include "core/convert/forms/nn/window.h"

#include <cstdint>

/// Pixels of images (N, C, H, W) that become channels, and back.
namespace crosswalk::forms {

/// Every block x block pixels become channels, ordered by row, column and channel; block divides H and W. Takes every
/// type.
OnnxValue spaceToDepth(const NodeContext& ctx, OnnxValue x, std::int64_t block);
/// The reverse; block * block divides C.
OnnxValue depthToSpace(const NodeContext& ctx, OnnxValue x, std::int64_t block);

/// The elements read by each position of the kernel, as a column per window position: (N, C * positions, places). `pad`
/// is the padding before and after each spatial dimension.
OnnxValue imageToColumns(const NodeContext& ctx, OnnxValue x, const Window& window, const Ints& pad);
/// The sum of the contributions of the columns (N, C * positions, places) to each pixel of images of this size. The
/// positions must divide the second dimension, which is fixed, and the window must fit into the padded image.
OnnxValue columnsToImage(const NodeContext& ctx, OnnxValue x, const Window& window, const Ints& pad, const Ints& size);

} // namespace crosswalk::forms
