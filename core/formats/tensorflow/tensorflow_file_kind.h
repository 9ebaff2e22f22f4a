#pragma once

#include "core/formats/format_reader.h"

namespace crosswalk::tensorflow {

/// Files of TensorFlow that are no models of the formats that are read: TensorFlow Lite.
std::optional<FileKind> recogniseKind(const Probe& probe);

} // namespace crosswalk::tensorflow
