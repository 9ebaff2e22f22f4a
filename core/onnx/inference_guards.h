#pragma once

#include "core/onnx/schema.h"

#include <cstdint>
#include <string_view>

namespace crosswalk {

/// The largest dimension that is converted, and the largest product of dimensions other than 0: sums and products of
/// dimensions do not overflow.
constexpr std::int64_t largestDim = std::int64_t{1} << 40;
constexpr std::int64_t largestProductOfDims = std::int64_t{1} << 62;

/// Multiplies `product` by a dimension other than 0. Whether the dimension or the product is larger than that.
bool exceedsLargest(std::int64_t dim, std::int64_t& product);

/// onnx's inference function of an operator, behind a check of what the function takes for granted: it would read
/// outside of its operands, or not end. The sizes of convolutions and pooling are checked as well. A check fails as the
/// function itself does, with an ::onnx::InferenceError.
::onnx::InferenceFunction guarded(std::string_view op, ::onnx::InferenceFunction function);

} // namespace crosswalk
