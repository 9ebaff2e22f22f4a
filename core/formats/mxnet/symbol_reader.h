#pragma once

#include "core/formats/format_reader.h"

namespace crosswalk::mxnet {

/// Apache MXNet: a symbol file (JSON) and its weights (.params).
Match matchSymbol(const Probe& probe);
LoadedModel readSymbol(const ReadRequest& request, const ModelSource& source);

} // namespace crosswalk::mxnet
