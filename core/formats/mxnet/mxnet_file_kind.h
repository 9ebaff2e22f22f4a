#pragma once

#include "core/formats/format_reader.h"

namespace crosswalk::mxnet {

/// Files of MXNet that are no models: weights, archives of its model server, other JSON.
std::optional<FileKind> recogniseKind(const Probe& probe);
std::optional<FileKind> guessKind(const Probe& probe);

} // namespace crosswalk::mxnet
