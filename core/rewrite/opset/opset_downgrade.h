#pragma once

#include "core/rewrite/opset/version_converter.h"

namespace crosswalk {

/// Teaches onnx's version converter the steps to a lower opset that it lacks, down to opset 11: operators of which only
/// the types grew, attributes that are left at their default, and forms that say the same. A node whose meaning the
/// lower opset cannot say is a ModelError "opset-change" at that node.
void addDowngradeAdapters(::onnx::version_conversion::DefaultVersionConverter& converter);

} // namespace crosswalk
