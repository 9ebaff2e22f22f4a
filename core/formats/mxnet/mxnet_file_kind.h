#pragma once

#include "core/formats/format_reader.h"

#include <optional>

namespace crosswalk::mxnet {

/// MXNet files that are not models: weights, archives of its model server, other JSON.
std::optional<FileKind> recogniseKind(const Probe& probe);
std::optional<FileKind> guessKind(const Probe& probe);

} // namespace crosswalk::mxnet
