#pragma once

#include "core/onnx/lazy_model.h"
#include "crosswalk/reports.h"

#include <filesystem>
#include <stop_token>

namespace crosswalk {

struct WriteOptions {
    /// Writes weights of 1 KiB and more to `<file>.data` beside the file, aligned to 4096 bytes. Implied if the model
    /// exceeds the limit of a protobuf message (2 GB).
    bool externalData = false;
    /// The same, but weights that lie in a file of the source as they are refer to that file, which must be in the
    /// folder of the ONNX file or below it.
    bool weightsInPlace = false;
};

/// Writes the model and streams its weights, and nodes that are not in memory, from their sources. All files are
/// written under temporary names beside the target, flushed, and then renamed: after a failure, a full disk or a
/// cancellation, existing files are unchanged and no other file is left. Throws ModelError "unwritable" or "cancelled".
WriteReport writeOnnx(const OnnxModel& model, const std::filesystem::path& path, const WriteOptions& options = {},
                      std::stop_token stop = {});
/// Throws ModelError "unreadable" as well, if the file of the model has changed.
WriteReport writeOnnx(const LazyModel& model, const std::filesystem::path& path, const WriteOptions& options = {},
                      std::stop_token stop = {});

} // namespace crosswalk
