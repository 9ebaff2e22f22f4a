#pragma once

#include "core/graph/element_type.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace crosswalk {

/// The release of ONNX Runtime that the table below describes, and the newest IR version that it loads.
inline constexpr std::string_view testedRuntime = "1.31";
inline constexpr std::int64_t newestRunIrVersion = 13;

/// ONNX Runtime implements most operators for some of the element types that ONNX defines. Returns the type of an
/// operand for which its CPU provider has no implementation of the operator (of ONNX's default domain), or nothing if
/// it can run the operator or the table does not have it. `typeOf` returns the type of an input, or of the first output
/// for -1, and Undefined for one that is unknown.
std::optional<ElementType> typeWithoutKernel(std::string_view op, int opset,
                                             const std::function<ElementType(int operand)>& typeOf);

} // namespace crosswalk
