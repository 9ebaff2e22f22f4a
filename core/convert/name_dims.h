#pragma once

#include "core/convert/conversion.h"

#include <stop_token>

namespace crosswalk {

/// Gives the dimensions that a conversion left unknown the expressions of symbolicShapes() ("H/2"), for readers: in the
/// types of the source's values, and in `onnx`, the graph of the conversion. Only shows what a file would not say: the
/// exported model is not changed, and work that is counted afterwards has these expressions for symbols.
void nameUnknownDims(Conversion& conversion, Graph& onnx, const std::stop_token& stop);

} // namespace crosswalk
