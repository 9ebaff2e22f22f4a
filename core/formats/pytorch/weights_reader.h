#pragma once

#include "core/formats/format_reader.h"

#include <string_view>

namespace crosswalk::pytorch {

/// Operator of a node that stands for a module whose weights are in the file, but not its program.
constexpr std::string_view moduleWithoutProgram = "nn.Module";

/// Files of weights without a graph: archives of torch.save (state dicts, checkpoints, whole modules) and safetensors.
Match matchWeights(const Probe& probe);

/// A graph with a node for each module, whose inputs are its stored tensors, and no outputs; the conversion refuses it.
/// The metadata contain the names that the pickle would import ("globals") and the class of a pickled module
/// ("class"). Nothing of the pickle is executed.
///
/// Throws ModelError "damaged" and "truncated" with the member or the tensor.
LoadedModel readWeights(const ReadRequest& request, const ModelSource& source);

} // namespace crosswalk::pytorch
