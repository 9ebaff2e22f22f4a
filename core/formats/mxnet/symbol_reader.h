#pragma once

#include "core/formats/format_reader.h"

namespace crosswalk::mxnet {

/// Apache MXNet: a symbol file (JSON) and its weights (.params).
Match matchSymbol(const Probe& probe);
LoadedModel readSymbol(const ReadRequest& request, const std::shared_ptr<const MappedFile>& file);

} // namespace crosswalk::mxnet
