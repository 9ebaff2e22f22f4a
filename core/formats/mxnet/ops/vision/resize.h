#pragma once

#include "core/convert/emit.h"

namespace crosswalk::mxnet {

/// How the place in the source is found for one in the result (ONNX's coordinate_transformation_mode).
enum class Coordinates { AlignCorners, HalfPixel, Asymmetric };

/// Images (N, C, H, W) with every element `times` times in both directions.
OnnxValue enlarge(const NodeContext& ctx, OnnxValue x, std::int64_t times);
/// The same for float32 along one axis of a tensor of any rank. The places in the result are counted in float32.
OnnxValue enlarge(const NodeContext& ctx, OnnxValue x, std::int64_t axis, std::int64_t times);
/// Images brought to a height and a width (int64 vectors of one element) by ONNX's Resize, mode "linear" or "nearest"
/// (the element before).
OnnxValue resizeTo(const NodeContext& ctx, OnnxValue x, OnnxValue height, OnnxValue width, std::string_view mode,
                   Coordinates coordinates);
/// Rows A and columns B, stored matrices: A x B^T for each of the last two dimensions of x.
OnnxValue transformRowsAndColumns(const NodeContext& ctx, OnnxValue x, const Tensor& a, const Tensor& b);

} // namespace crosswalk::mxnet
