#pragma once

#include "core/base/diagnostic.h"
#include "core/rewrite/optimize.h"

#include <vector>

namespace crosswalk {

/// Adds a note for each finding of fuseAttention, or one that there is none; below Attention's first opset a warning.
void addAttentionNotes(const OnnxModel& model, const std::vector<AttentionFinding>& findings,
                       std::vector<Diagnostic>& problems);

} // namespace crosswalk
