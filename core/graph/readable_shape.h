#pragma once

#include "crosswalk/shape.h"

#include <string>
#include <string_view>

namespace crosswalk {

/// A dimension for readers: its size, its name, or "*" if only a run determines it. Names that shape inference
/// generates
/// ("unk__0") say nothing to a reader, so they are "*" as well.
std::string readableDim(const Dim& dim);

/// "1x64x56x56", "Nx*"; "scalar" for rank 0.
std::string readableShape(const Shape& shape, std::string_view separator = "x");

} // namespace crosswalk
