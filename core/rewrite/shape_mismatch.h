#pragma once

#include "core/rewrite/shape_patcher.h"

namespace crosswalk {

/// What an axis of an input is now: a symbol or a number.
using NameOfDimSource = std::function<Dim(const DimSource&)>;

/// Why a node fits the old sizes of the inputs only: the value that keeps a length where another's follows the inputs,
/// or the shapes that it took and gets. "axis 1 of the constant c stays 6, where axis 1 of x is 3*N now". `value` is
/// what does not fit, where that is known.
std::string describeShapeMismatch(const ::onnx::NodeProto& node, const PatchContext& context,
                                  const NameOfDimSource& nameOf, const std::string& value);

} // namespace crosswalk
