#pragma once

#include "core/formats/tensorflow/lowering/frames.h"

#include <optional>
#include <vector>

namespace crosswalk::tensorflow {

/// The condition and side under which the first operand of a Merge is computed; nothing unless the second one is
/// computed on the other side.
std::optional<ControlFlow::Branch> conditionOf(const ControlFlow& flow, const Node& merge);

/// What a Merge returns whichever branches run.
struct MaskedBranch {
    ValueId value;
    std::vector<ValueId> predicates; ///< the conditions of these branches, without Identity nodes
};
/// static_rnn skips a step past the end of all samples, and the selection in a step before the end of each of them:
///
///   if step >= max(lengths): old   else: if step < min(lengths): new   else: where(step >= lengths, old, new)
///
/// This is where(step >= lengths, old, new). Nothing for any other Merge.
std::optional<MaskedBranch> maskedBranchOf(const Graph& graph, const ControlFlow& flow, NodeId merge);

} // namespace crosswalk::tensorflow
