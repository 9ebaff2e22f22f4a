#pragma once

#include "core/formats/tensorflow/checkpoint/bundle.h"
#include "core/formats/tensorflow/source_info.h"

namespace crosswalk::tensorflow {

/// Gives each variable node that the checkpoint has a value for an attribute `value` with its tensor, as a Const has
/// it, and enters its key in `info`. What is wrong with one variable goes to `problems` with its node: "missing-weight"
/// (an output needs it, the graph restores it, the checkpoint does not have it), "wrong-weight" (another type or
/// shape), "damaged", "truncated", "unsupported-type". CRCs are checked as long as that costs no time (see
/// checkedAtOpening).
void attachVariables(Graph& graph, std::string_view restoreOp, const Bundle& checkpoint, SourceInfo& info,
                     std::vector<Diagnostic>& problems);

} // namespace crosswalk::tensorflow
