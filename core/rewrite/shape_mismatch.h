#pragma once

#include "core/rewrite/shape_patcher.h"

#include <functional>
#include <string>

namespace crosswalk {

/// The new dimension of an input's axis: a symbol or a number.
using NameOfDimSource = std::function<Dim(const DimSource&)>;

/// Explains why a node accepts only the original input shapes: names the value with a fixed length and the value whose
/// length follows the inputs ("axis 1 of the constant c stays 6, but axis 1 of x is now 3*N"), or the original and the
/// new shapes. `value` is the value with the wrong shape, if known.
std::string describeShapeMismatch(const ::onnx::NodeProto& node, const PatchContext& context,
                                  const NameOfDimSource& nameOf, const std::string& value);

} // namespace crosswalk
