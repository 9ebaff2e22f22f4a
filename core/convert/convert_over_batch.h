#pragma once

#include "core/convert/conversion.h"

#include <functional>

namespace crosswalk {

/// Converts a model as one of a single sample, and has it run on each sample of the batch
/// ConvertOptions::scanOverBatch, which is to stand in one axis of one or more of the shapes. `convert` converts
/// without that option. Throws ModelError "each-sample" where the shapes do not say what the samples are.
Conversion convertOverBatch(const ConvertOptions& options,
                            const std::function<Conversion(const ConvertOptions&)>& convert);

} // namespace crosswalk
