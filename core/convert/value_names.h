#pragma once

#include "core/convert/conversion.h"

namespace crosswalk {

/// Removes the names of source values whose ONNX value is not in the top-level graph any more because a rewrite has
/// eliminated it.
void forgetVanishedValues(Conversion& conversion);

} // namespace crosswalk
