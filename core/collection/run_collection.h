#pragma once

#include "core/base/child_process.h"
#include "core/collection/collection_report.h"
#include "core/collection/find_models.h"

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace crosswalk {

/// The limits of a model without others.
inline constexpr ChildLimits usualLimits{.time = std::chrono::minutes(10), .memory = 4'096'000'000};

struct CollectionRun {
    std::filesystem::path program;               ///< crosswalk
    std::filesystem::path folder;                ///< of the collection or its list: names of weights are relative to it
    std::filesystem::path output = {};           ///< folder of the ONNX files; empty: models are only diagnosed
    std::vector<std::string> options = {};       ///< of each conversion, as on the command line
    std::vector<std::string> exportOptions = {}; ///< of each ONNX file, such as --external-data
    ChildLimits limits = {};
    std::size_t jobs = 1;
    bool resume = false;       ///< skips models that an earlier run finished, if neither they nor the options changed
    bool modelReports = false; ///< writes an HTML report of each model that is not converted, in the output folder
    /// Receives each finished model, in the order in which they finish, in any thread but never in two at once.
    /// `reused`: an earlier run finished it.
    std::function<void(const ModelOutcome&, bool reused)> finished = {};
};

/// Converts, or diagnoses, each model in a process of its own, so that none that crashes, hangs or needs too much
/// memory stops the others. A process that someone else kills is started once more. Mirrors the folders of the
/// collection: a/model-symbol.json becomes a/model.onnx. Keeps a journal of finished models in the output folder, which
/// a later run can resume, also after this process was killed. A stop request kills the children; models without an
/// outcome are reported as cancelled. Throws ModelError "unwritable", "unreadable".
CollectionReport runCollection(const std::vector<CollectionModel>& models, const CollectionRun& run,
                               const std::stop_token& stop);

/// Creates a folder and those that contain it, if they do not exist. Throws ModelError "unwritable".
void makeFolder(const std::filesystem::path& folder);

/// Whether a run over a collection left its journal in this folder, which a later run can resume.
bool hasJournal(const std::filesystem::path& output);

/// The ONNX files of models, relative to the output folder: their names with another extension, without an ending such
/// as
/// "-symbol"; with the extension kept where two would have one name. By index of `models`.
std::vector<std::filesystem::path> outputNames(const std::vector<CollectionModel>& models);

} // namespace crosswalk
