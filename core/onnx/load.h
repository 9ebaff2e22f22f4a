#pragma once

#include "core/base/model_source.h"
#include "core/onnx/onnx_model.h"

#include <filesystem>

namespace crosswalk {

class FileParts;

/// Opens an ONNX file without reading its weights: scans the wire format and maps raw_data and external data as
/// tensors.
/// Throws ModelError "damaged", "truncated", "unreadable" or "cancelled".
OnnxModel loadOnnx(const std::filesystem::path& path);
OnnxModel loadOnnx(const ModelSource& source);

/// Adds the initializers of a file to a model that has none, mapped in the same way.
void addWeights(FileParts& parts, OnnxModel& model);

} // namespace crosswalk
