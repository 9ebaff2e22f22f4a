#pragma once

#include "crosswalk/shape.h"

#include <string_view>

namespace crosswalk::pytorch {

/// A dimension from the expression that a program stores for it: a symbol, "s0" or "Symbol('s0', positive=True)", or a
/// number. Any other expression is an unknown dimension.
Dim dimOf(std::string_view expression);

} // namespace crosswalk::pytorch
