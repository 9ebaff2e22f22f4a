#pragma once

#include "core/convert/emit.h"

namespace crosswalk::pytorch {

/// The least and the greatest element of a tensor and 0, of rank 0.
struct QuantizationRange {
    OnnxValue low;
    OnnxValue high;
};
QuantizationRange quantizationRange(const NodeContext& ctx, OnnxValue x, ElementType type);

/// The weight of a dynamically quantized layer, (outputs, inputs): 8-bit numbers with a scale and a zero point for all
/// outputs, or one for each. Or plain floating numbers, then without scale and zero point.
struct QuantizedWeight {
    OnnxValue numbers;
    OnnxValue scale = {};
    OnnxValue zeroPoint = {};
    OnnxValue bias = {}; ///< absent: none
};

/// x W' + bias. For an 8-bit weight, x is quantized by its own range, as ChooseQuantizationParams does in
/// aten/src/ATen/native/quantized/cpu/QuantUtils.h, in double precision: to 8 bits, or to 7 with `reduceRange`, which
/// DynamicQuantizeLinear does not offer.
OnnxValue dynamicProduct(const NodeContext& ctx, OnnxValue x, const QuantizedWeight& weight, bool reduceRange);

} // namespace crosswalk::pytorch
