#pragma once

#include "core/convert/conversion.h"

#include <functional>

namespace crosswalk {

/// Converts a model for a single sample, and runs it on each sample of the batch ConvertOptions::scanOverBatch, which
/// must be one axis of one or more shapes. `convert` converts without that option. Throws ModelError "each-sample" if
/// the shapes do not define the batch axes.
Conversion convertOverBatch(const ConvertOptions& options,
                            const std::function<Conversion(const ConvertOptions&)>& convert);

} // namespace crosswalk
