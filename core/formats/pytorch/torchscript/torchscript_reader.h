#pragma once

#include "core/formats/format_reader.h"

namespace crosswalk::pytorch {

/// By the members of the archive.
Match matchTorchScript(const Probe& probe);
/// Reads a TorchScript archive: executes `forward` on symbolic inputs. What the program does that has no form in a
/// graph becomes a node of operator prim::Unsupported, which conversion refuses. Throws ModelError "damaged", and
/// "unsupported-version" for a newer archive.
LoadedModel readTorchScript(const ReadRequest& request, const ModelSource& source);

} // namespace crosswalk::pytorch
