#pragma once

#include "core/convert/conversion.h"

namespace crosswalk {

/// Adds a warning "no-kernel" at each source node that becomes an operator which ONNX Runtime does not implement for
/// its types, or implements wrongly: the model is valid, but does not run there.
void addKernelNotes(const Graph& source, Conversion& conversion);

} // namespace crosswalk
