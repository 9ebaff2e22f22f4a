#pragma once

#include "core/formats/format_reader.h"

namespace crosswalk::pytorch {

/// By the members of the archive.
Match matchTorchScript(const Probe& probe);
/// Reads a TorchScript archive: executes a method, `forward` unless the request names another one, on symbolic inputs.
/// The methods are the signatures of the model. What the program does that has no form in a graph becomes a node of
/// operator prim::Unsupported, which conversion refuses. Throws ModelError "damaged", and "unsupported-version" for a
/// newer archive.
LoadedModel readTorchScript(const ReadRequest& request, const ModelSource& source);

} // namespace crosswalk::pytorch
