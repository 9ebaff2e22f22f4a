#pragma once

#include "core/base/model_source.h"
#include "core/onnx/model.h"

#include <filesystem>

namespace crosswalk {

/// Opens an ONNX file without reading its weights: the wire format is scanned, raw_data stays where it lies and
/// becomes a mapped Tensor; external data is mapped from beside the file. Throws ModelError "damaged",
/// "truncated", "unreadable" or "cancelled".
OnnxModel loadOnnx(const std::filesystem::path& path);
OnnxModel loadOnnx(const ModelSource& source);

} // namespace crosswalk
