#pragma once

#include "core/convert/emit.h"

#include <cstdint>

namespace crosswalk::forms {

/// The source position of an element of the result (ONNX's coordinate_transformation_mode).
enum class Coordinates : std::uint8_t {
    AlignCorners,
    HalfPixel,
    HalfPixelFromFirst, ///< HalfPixel, but a result of one element is the first
    Asymmetric,
};

struct Resizing {
    bool isLinear = true; ///< else the nearest element
    Coordinates coordinates = Coordinates::HalfPixel;
    bool roundsUp = false; ///< the nearest element is the closer one, of two the later; else the one before
};

/// Images (N, C, H, W) with every element `times` times in both directions.
OnnxValue enlarge(const NodeContext& ctx, OnnxValue x, std::int64_t times);
/// The same for float32 along one axis of a tensor of any rank. The places in the result are counted in float32.
OnnxValue enlarge(const NodeContext& ctx, OnnxValue x, std::int64_t axis, std::int64_t times);
/// Images resized to a height and a width (int64 vectors of one element) by ONNX's Resize.
OnnxValue resizeTo(const NodeContext& ctx, OnnxValue x, OnnxValue height, OnnxValue width, const Resizing& how);
/// The same, linear in any floating type and not with asymmetric coordinates; types other than float32 and float16 need
/// fixed sizes.
OnnxValue bilinearResize(const NodeContext& ctx, OnnxValue x, OnnxValue height, OnnxValue width,
                         Coordinates coordinates);
/// Images averaged to a height and a width: each element over a range of its own, from floor(i H / height) up to
/// ceil((i + 1) H / height).
OnnxValue adaptiveAverage(const NodeContext& ctx, OnnxValue x, std::int64_t height, std::int64_t width);
/// Rows A and columns B, stored matrices: A x B^T for each of the last two dimensions of x.
OnnxValue transformRowsAndColumns(const NodeContext& ctx, OnnxValue x, const Tensor& a, const Tensor& b);

} // namespace crosswalk::forms
