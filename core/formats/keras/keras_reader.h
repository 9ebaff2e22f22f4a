#pragma once

#include "core/formats/format_reader.h"

namespace crosswalk::keras {

Match matchKeras(const Probe& probe);
bool hasOnlyWeights(const Probe& probe);
LoadedModel readKeras(const ReadRequest& request, const ModelSource& source);

} // namespace crosswalk::keras
