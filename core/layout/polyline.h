#pragma once

#include "core/layout/layout.h"

namespace crosswalk {

/// Puts a point at the end of a line; one that only goes on straight takes the place of the last.
void appendPoint(std::vector<LayoutPoint>& line, LayoutPoint point);

} // namespace crosswalk
