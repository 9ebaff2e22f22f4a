#pragma once

#include "core/onnx/model.h"

#include <filesystem>
#include <stop_token>

namespace crosswalk {

struct WriteOptions {
    /// All weights of a KiB and more go to `<file>.data` beside the file, 4096-aligned. Happens by itself when the
    /// model would not fit into one protobuf message (2 GB).
    bool externalData = false;
};

struct WriteReport {
    std::uint64_t bytes = 0; ///< of all files written
    bool externalData = false;
};

/// Writes the model with its weights streamed from wherever they lie. Everything goes to temporary names beside
/// the target first, is flushed and then renamed: a failure, a full disk or a cancel leaves the old file whole
/// and nothing else behind. Throws ModelError "unwritable" or "cancelled".
WriteReport writeOnnx(const OnnxModel& model, const std::filesystem::path& path, const WriteOptions& options = {},
                      std::stop_token stop = {});

} // namespace crosswalk
