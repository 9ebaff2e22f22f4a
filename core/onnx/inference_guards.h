#pragma once

#include "core/onnx/schema.h"

#include <string_view>

namespace crosswalk {

/// onnx's inference function of an operator, behind a check of what the function takes for granted: it would read
/// outside of its operands, or not end. The sizes of convolutions and pooling are checked as well. A check fails as the
/// function itself does, with an ::onnx::InferenceError.
::onnx::InferenceFunction guarded(std::string_view op, ::onnx::InferenceFunction function);

} // namespace crosswalk
