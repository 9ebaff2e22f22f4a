#pragma once

#include "core/formats/format_reader.h"

namespace crosswalk::pytorch {

/// Files of weights without a graph: those of torch.save of every release (state dicts, checkpoints, whole modules) and
/// safetensors.
Match matchWeights(const Probe& probe);

/// A graph with a node for each module, whose inputs are its stored tensors, and no outputs (isWeightsOnly); the
/// conversion refuses it. The metadata contain the names that the pickle would import ("globals") and the class of a
/// pickled module
/// ("class"). Nothing of the pickle is executed.
///
/// Throws ModelError "damaged" and "truncated" with the member or the tensor.
LoadedModel readWeights(const ReadRequest& request, const ModelSource& source);

} // namespace crosswalk::pytorch
