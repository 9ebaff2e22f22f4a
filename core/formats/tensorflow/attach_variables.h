#pragma once

#include "core/formats/tensorflow/checkpoint/bundle.h"
#include "core/formats/tensorflow/source_info.h"

#include <string_view>
#include <vector>

namespace crosswalk::tensorflow {

/// Adds an attribute `value` with its tensor, like that of a Const, to each variable node with a value in the
/// checkpoint, and records its key in `info`. Errors of a variable go to `problems` with its node: "missing-weight" (an
/// output needs it, the graph restores it, the checkpoint does not have it), "wrong-weight" (another type or shape),
/// "damaged", "truncated", "unsupported-type". Checks CRCs up to a size limit (see checkedAtOpening).
void attachVariables(Graph& graph, std::string_view restoreOp, const Bundle& checkpoint, SourceInfo& info,
                     std::vector<Diagnostic>& problems);

} // namespace crosswalk::tensorflow
