#pragma once

#include "core/layout/layout.h"

#include <vector>

namespace crosswalk {

/// Appends a point to a line. Replaces the last point if the direction does not change.
void appendPoint(std::vector<LayoutPoint>& line, LayoutPoint point);

} // namespace crosswalk
