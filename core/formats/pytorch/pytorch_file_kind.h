#pragma once

#include "core/formats/format_reader.h"

#include <optional>

namespace crosswalk::pytorch {

/// Files of PyTorch without a graph that can be read: weights, whole modules, TorchScript.
std::optional<FileKind> recogniseKind(const Probe& probe);

} // namespace crosswalk::pytorch
