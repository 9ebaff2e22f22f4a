#pragma once

#include "core/formats/tensorflow/lowering/step_matcher.h"
#include "core/graph/graph_rewriter.h"

#include <optional>
#include <string_view>

namespace crosswalk::tensorflow {

/// Attribute of a node whose mask is replaced by the lengths that it was computed from.
inline constexpr std::string_view maskIsLengths = "mask_is_lengths";

/// Attribute of a node that takes the steps from the last one to the first one.
inline constexpr std::string_view runsInReverse = "runs_in_reverse";

/// The steps that a mask (time, batch) takes of each sample.
struct MaskLengths {
    ValueId lengths = {}; ///< (batch)
    ValueId limit = {};   ///< the number of steps of the mask; absent if the longest sample has as many
};
/// Nothing if the mask is not transpose(range < lengths), before or after a cast.
std::optional<MaskLengths> lengthsOfMask(const StepMatcher& graph, ValueId mask);

/// Replaces the masks (time, batch) of RETURNN's native recurrent operators by sequence lengths, where the mask is
/// transpose(range < lengths), as tf.sequence_mask computes it: ONNX's LSTM takes lengths. If the mask and the sequence
/// are reversed, so that the padding comes first, and the output is reversed again, the operator runs in reverse
/// instead.
void replaceSequenceMasks(GraphRewriter& graph);

} // namespace crosswalk::tensorflow
