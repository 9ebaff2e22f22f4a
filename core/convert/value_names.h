#pragma once

#include "core/convert/conversion.h"

namespace crosswalk {

/// Source values whose ONNX value is not in the model's own graph any more, because a rewrite has merged it away, have
/// no name there.
void forgetVanishedValues(Conversion& conversion);

} // namespace crosswalk
