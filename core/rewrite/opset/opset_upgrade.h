#pragma once

#include "core/rewrite/opset/version_converter.h"

namespace crosswalk {

/// Registers adapters in place of those of onnx's version converter for higher opsets that make float32 constants of
/// attributes, whatever the type of the node.
void addUpgradeAdapters(::onnx::version_conversion::DefaultVersionConverter& converter);

} // namespace crosswalk
