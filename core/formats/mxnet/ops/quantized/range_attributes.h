#pragma once

#include "core/convert/forms/quantized/range.h"
#include "core/formats/mxnet/operator_attributes.h"

#include <cstddef>
#include <optional>

/// Ranges and types of a node's quantized numbers.
namespace crosswalk::mxnet {

/// The range from two inputs, one float32 element each.
quantized::Range rangeOfInputs(const NodeContext& ctx, std::size_t low, std::size_t high);
/// min_calib_range and max_calib_range, if the node has both.
std::optional<quantized::Range> calibratedRange(const NodeContext& ctx);
/// The type that attribute out_type and the calibrated range select.
ElementType quantizedOutputType(const NodeContext& ctx);

} // namespace crosswalk::mxnet
