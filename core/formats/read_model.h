#pragma once

#include "core/base/diagnostic.h"
#include "core/graph/graph.h"
#include "crosswalk/result.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string_view>
#include <vector>

namespace crosswalk {

/// What a reader is given, and where its findings go.
struct ReadRequest {
    std::filesystem::path model;
    std::filesystem::path weights = {}; ///< empty: look beside the model by the framework's naming
    std::stop_token stop = {};
    std::function<void(double)> progress = {}; ///< receives the part that is read, 0 to 1, in the calling thread
};

/// A model as read: frozen, with what there is to say about the files. Problems of severity Error here do not keep the
/// graph from being shown (a weight in a wrong shape, an unreadable weights file); converting then stops with status 3.
struct LoadedModel {
    std::shared_ptr<const Graph> graph;
    std::filesystem::path path;
    std::filesystem::path weights; ///< the weights file that was taken, empty without
    std::vector<Diagnostic> problems;
};

/// Recognises the file, folder or archive by its content, then reads it. A file of no known format is named as what it
/// is where that can be seen ("a PNG image", "a gzip archive"). The problem's code: "unreadable" (also for a folder
/// that contains no model), "unknown-format", "damaged", "truncated", "cancelled".
Result<LoadedModel> readModel(const ReadRequest& request);

/// Throws ModelError "not-onnx" where a file is of another format, and as readModel() fails where it is of none.
void expectOnnx(const std::filesystem::path& path);

} // namespace crosswalk
