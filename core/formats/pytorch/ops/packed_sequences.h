#pragma once

#include "core/convert/emit.h"

/// Packed sequences. The packed data stays padded here, (time, batch, features), and only operators that know it may
/// read it; the number of samples at each time is as PyTorch has it. Samples are in the order of their lengths, the
/// longest first.
namespace crosswalk::pytorch {

/// Refuses the node if something else reads its first output.
void expectReadAsPacked(const NodeContext& ctx);
/// The lengths of so many samples from the number of samples at each time, and the other way around.
OnnxValue lengthsOf(const NodeContext& ctx, OnnxValue sizes, OnnxValue samples);
/// Whether a sample has a step at a time, bool (time, batch, 1), from the number of samples at each time.
OnnxValue takenSteps(const NodeContext& ctx, OnnxValue sizes, OnnxValue samples);

} // namespace crosswalk::pytorch
