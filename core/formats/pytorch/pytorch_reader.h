#pragma once

#include "core/formats/format_reader.h"

namespace crosswalk::pytorch {

/// Exported programs (`.pt2`) of torch.export.
Match matchProgram(const Probe& probe);
LoadedModel readProgram(const ReadRequest& request, const ModelSource& source);

} // namespace crosswalk::pytorch
