#pragma once

#include "core/graph/element_type.h"

namespace crosswalk::forms {

/// The lowest and the highest finite number of a type, as the nearest double; of a type that is no number those of
/// float32.
double lowestNumber(ElementType type);
double highestNumber(ElementType type);

} // namespace crosswalk::forms
