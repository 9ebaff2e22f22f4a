#pragma once

#include "core/onnx/model.h"

#include <filesystem>
#include <memory>
#include <span>

namespace crosswalk {

/// Opens an ONNX file without reading its weights: the wire format is scanned, raw_data stays where it lies and
/// becomes a mapped Tensor; external data is mapped from beside the file (a path that is absolute, has "..", or
/// leads out of the folder through a link is refused). Throws ModelError "damaged" or "unreadable".
OnnxModel loadOnnx(const std::filesystem::path& path);
OnnxModel loadOnnx(std::shared_ptr<const MappedFile> file);

} // namespace crosswalk
