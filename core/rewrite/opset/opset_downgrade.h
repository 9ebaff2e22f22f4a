#pragma once

#include "core/rewrite/opset/version_converter.h"

namespace crosswalk {

/// Registers adapters that onnx's version converter lacks for lower opsets, down to opset 11: for operators that only
/// accept more types in the higher opset, for new attributes that have their default value, and for operators with an
/// equivalent form. An adapter throws ModelError "opset-change" at a node that the lower opset cannot express.
void addDowngradeAdapters(::onnx::version_conversion::DefaultVersionConverter& converter);

} // namespace crosswalk
