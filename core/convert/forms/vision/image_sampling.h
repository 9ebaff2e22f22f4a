#pragma once

#include "core/convert/emit.h"

namespace crosswalk::forms {

/// The values beyond the edges of an image in interpolated reads.
enum class Beyond {
    Zero, ///< pixels of zero
    Edge, ///< the nearest pixel
};

/// Images (N, C, H, W) as one row of channels a pixel, to read anywhere. Half precision is read in single.
class ImageSampler {
public:
    ImageSampler(const NodeContext& ctx, OnnxValue images);

    /// H and W as numbers of the type that the pixels have here, one element each.
    OnnxValue height() const { return m_height; }
    OnnxValue width() const { return m_width; }
    ElementType element() const { return m_type; }

    /// The channels (..., C) of the pixels named by int64 tensors that broadcast with each other; none out of range.
    OnnxValue at(OnnxValue image, OnnxValue y, OnnxValue x) const;
    /// Linear between the four pixels around (y, x), numbers in the pixels' type that broadcast: (..., C). For Edge
    /// they must not be NaN.
    OnnxValue between(OnnxValue image, OnnxValue y, OnnxValue x, Beyond beyond) const;

private:
    /// The two pixels around a coordinate along one axis, and how near it is to the second.
    struct Neighbours {
        OnnxValue places[2];  ///< int64, in range
        OnnxValue inside[2];  ///< bool; absent if all are
        OnnxValue weights[2]; ///< (..., 1)
    };
    Neighbours around(OnnxValue coordinate, OnnxValue size, Beyond beyond) const;

    const NodeContext& m_ctx;
    OnnxValue m_rows;
    OnnxValue m_heightInts;
    OnnxValue m_widthInts;
    OnnxValue m_height;
    OnnxValue m_width;
    ElementType m_type;
};

/// Whether low <= x <= high, or low < x < high; false for NaN.
OnnxValue isWithin(const NodeContext& ctx, OnnxValue x, OnnxValue low, OnnxValue high);
OnnxValue isStrictlyWithin(const NodeContext& ctx, OnnxValue x, OnnxValue low, OnnxValue high);

} // namespace crosswalk::forms
