#pragma once

#include "core/formats/format_reader.h"

#include <optional>

namespace crosswalk::tensorflow {

/// TensorFlow files of unsupported formats: TensorFlow Lite.
std::optional<FileKind> recogniseKind(const Probe& probe);

} // namespace crosswalk::tensorflow
