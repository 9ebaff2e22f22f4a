#pragma once

#include "core/formats/keras/ops/layer.h"

#include <cstdint>
#include <functional>

/// Layers of Keras 3 whose weights are quantized, computed as Keras does: from whole numbers and their scales.
namespace crosswalk::keras {

/// How the input x of a layer is contracted with its kernel.
struct Contraction {
    std::function<OnnxValue(OnnxValue x, OnnxValue kernel)> multiply;
    Ints axes;       ///< of x that are contracted
    Ints kernelDims; ///< of the kernel as `multiply` takes it
    /// A scale of x, with size 1 on the contracted axes, in the axes of the result.
    std::function<OnnxValue(OnnxValue scale)> aligned;
    /// The scales of the kernel in the axes of the result.
    std::function<OnnxValue(OnnxValue scale)> kernelScale;
};

/// The contraction with the kernel of the layer, quantized or not. x is in the type of the layer.
OnnxValue contracted(const Layer& layer, OnnxValue x, const Contraction& contraction);
/// x (..., in) times the kernel as a matrix (in, out).
OnnxValue timesMatrix(const Layer& layer, OnnxValue x, std::int64_t in, std::int64_t out);
/// The bias of the layer as it is added to a contraction.
OnnxValue biasOf(const Layer& layer);

/// The rows of a quantized table at whole numbers.
OnnxValue quantizedRows(const Layer& layer, OnnxValue ids);
/// x times the transposed table of a layer, or times its separate table for reversing.
OnnxValue quantizedScores(const Layer& layer, OnnxValue x);

/// A type in which ONNX Runtime computes what the layer computes.
ElementType workType(const Layer& layer);

/// Whether the weights are those of GPTQ or AWQ.
bool isCalibrated(const Layer& layer);

} // namespace crosswalk::keras
