#pragma once

#include "core/convert/forms/vision/resize.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/tensorflow_forms.h"

#include <string>

/// Operators that others contain as a step.
namespace crosswalk::tensorflow {

/// Conv2D and Conv3D of x, by the settings of the node.
OnnxValue convolutionOf(const NodeContext& ctx, const Settings& settings, OnnxValue x, OnnxValue filter);
OnnxValue depthwiseConvolutionOf(const NodeContext& ctx, const Settings& settings, OnnxValue x, OnnxValue filter);
/// The product of two matrices or two batches of them, in the type of the result.
OnnxValue matrixProduct(const NodeContext& ctx, OnnxValue a, OnnxValue b, bool transposesA, bool transposesB,
                        ElementType result);
/// One number for each channel, which are on axis 1 or on the last one.
OnnxValue withBias(const NodeContext& ctx, OnnxValue x, OnnxValue bias, bool channelsFirst);

OnnxValue reluOf(const NodeContext& ctx, OnnxValue x);
OnnxValue relu6Of(const NodeContext& ctx, OnnxValue x);
OnnxValue eluOf(const NodeContext& ctx, OnnxValue x);
OnnxValue leakyReluOf(const NodeContext& ctx, OnnxValue x, double alpha);

/// x with mirrored elements around it, in number `paddings` (axes, 2), in mode REFLECT or SYMMETRIC.
OnnxValue mirrorPadded(const NodeContext& ctx, OnnxValue x, OnnxValue paddings, const std::string& mode);
/// Images (N, H, W, C) of float32 in another size, a vector of height and width.
OnnxValue bilinearResized(const NodeContext& ctx, OnnxValue images, OnnxValue size, Coordinates coordinates);

} // namespace crosswalk::tensorflow
