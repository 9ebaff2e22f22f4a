#pragma once

#include "core/convert/emit.h"

#include <cstdint>

/// Regions of interest: rows of an image index and the corners of a region.
namespace crosswalk::forms {

/// The bins that a region is divided into.
struct Bins {
    std::int64_t height = 1;
    std::int64_t width = 1;
    double scale = 1;          ///< from the region's units to pixels
    std::int64_t channels = 0; ///< of the result, if each bin has separate channels
    std::int64_t groups = 1;   ///< of those, along each axis

    /// Of results for all channels (channels * groups * groups, height, width) those that belong to each bin.
    OnnxValue ownChannels(const NodeContext& ctx, OnnxValue results) const;
    /// For each bin in C order, which of the groups * groups channels is its own.
    Ints groupOfBin() const;
};

/// Error unless `images` has 4 dimensions, and `regions` two, (R, numbers).
void expectRegions(const NodeContext& ctx, OnnxValue images, OnnxValue regions, std::int64_t numbers);
/// Number i of a region, as a vector of one element.
OnnxValue columnOf(const NodeContext& ctx, OnnxValue region, std::int64_t i);

/// The image of a region.
struct RegionImage {
    OnnxValue index;  ///< int64, in range
    OnnxValue exists; ///< bool: whether the number is one of an image
};
RegionImage imageOf(const NodeContext& ctx, OnnxValue number, OnnxValue images);

} // namespace crosswalk::forms
