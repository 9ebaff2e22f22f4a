#pragma once

#include "core/formats/format_reader.h"

namespace crosswalk::pytorch {

/// By the members of the archive: TorchScript, and exported programs in both layouts.
Match matchPytorch(const Probe& probe);
LoadedModel readPytorch(const ReadRequest& request, const ModelSource& source);

} // namespace crosswalk::pytorch
