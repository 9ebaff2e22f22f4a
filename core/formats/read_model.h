#pragma once

#include "core/base/diagnostic.h"
#include "core/graph/graph.h"
#include "crosswalk/reports.h"
#include "crosswalk/result.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace crosswalk {

/// The input of a reader, and the receivers of its results.
struct ReadRequest {
    std::filesystem::path model;
    std::filesystem::path weights = {};   ///< empty: look next to the model by the framework's naming
    std::string signature = {};           ///< the one to use, of a model with several; empty: the framework's default
    std::vector<std::string> tags = {};   ///< of the graph to use, of a model with several; empty: for inference
    std::vector<std::string> inputs = {}; ///< inputs that the user describes; may name optional ones
    /// Shapes that the user gives inputs: they can determine how many items a list has.
    std::map<std::string, Shape, std::less<>> shapes = {};
    bool allowLarge = false; ///< lifts the limits of the budget (core/base/budget.h), also for the conversion
    std::stop_token stop = {};
    std::function<void(double)> progress = {}; ///< receives the part that is read, 0 to 1, in the calling thread
};

/// A model as read: frozen, with the problems of the files. Problems of severity Error here do not keep the graph from
/// being shown (a weight with a wrong shape, an unreadable weights file); conversion then stops with status 3.
struct LoadedModel {
    std::shared_ptr<const Graph> graph;
    std::filesystem::path path;
    std::filesystem::path weights; ///< the weights file that was used, empty without
    std::vector<Diagnostic> problems;
    std::vector<Signature> signatures = {}; ///< empty for formats without them
    /// By node of the graph that is a variable: the key under which the weights file stores its value.
    std::map<NodeId, std::string> storageKeys = {};
    std::vector<LookupTable> tables = {};
    std::vector<std::string> assets = {}; ///< files that come with the model, such as vocabularies
    /// Paths of the model's files beside `path` and `weights`; some may be absent.
    std::vector<std::filesystem::path> otherFiles = {};
};

/// Recognises the file, folder or archive by its content, then reads it. The message for an unknown format names the
/// kind of the file if recognisable ("a PNG image", "a gzip archive"). The problem's code: "unreadable" (also for a
/// folder that contains no model), "unknown-format", "damaged", "truncated", "large-file", "out-of-memory",
/// "unknown-signature", "unknown-tags", "cancelled".
Result<LoadedModel> readModel(const ReadRequest& request);

/// The files of a folder, not of its subfolders, that a reader recognises as models by their content, or by their name
/// if their format has no mark; in alphabetical order. Empty if the folder cannot be read. Looks at no more than
/// `mostFiles` files. Throws ModelError "cancelled".
std::vector<std::filesystem::path> modelsIn(const std::filesystem::path& folder, std::size_t mostFiles,
                                            const std::stop_token& stop = {});

/// Whether a file has a name that only models have, whatever it contains.
bool hasModelName(const std::filesystem::path& path);

/// Whether a reader recognises a file or folder as one model.
bool isModel(const std::filesystem::path& path);

/// The name of a model by its file: without the extension and what its format appends to names ("net" of
/// net-symbol.json).
std::string modelStem(const std::filesystem::path& path);

/// Throws ModelError "not-onnx" if a file has another format, and the errors of readModel() if it has none.
void expectOnnx(const std::filesystem::path& path);
/// The same of a model that is open.
void expectOnnx(const LoadedModel& model);

} // namespace crosswalk
