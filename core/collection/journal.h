#pragma once

#include "core/collection/find_models.h"
#include "core/collection/model_outcome.h"

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace crosswalk {

/// The finished models of a run over a collection, one line of JSON each, in the output folder. Each line is on the
/// disk before add() returns. A line that a killed process left incomplete is ignored.
class Journal {
public:
    /// The file of the journal in an output folder.
    static std::filesystem::path path(const std::filesystem::path& outputFolder);

    /// The ONNX files, relative to the output folder, that the run of the journal there wrote. Empty without a journal.
    static std::set<std::filesystem::path> outputs(const std::filesystem::path& outputFolder);

    /// `key`: what an outcome depends on besides the model's files, such as the options of the conversion. `limits`:
    /// what only that of a model depends on which reached a limit. Throws ModelError "unwritable".
    Journal(const std::filesystem::path& outputFolder, std::string key, std::string limits, bool resume);
    ~Journal();
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;

    /// The outcome of a model that an earlier run finished; null if its files, its options, the key or, for a model
    /// that reached a limit, the limits changed since then, or if its ONNX file is gone.
    const ModelOutcome* find(const CollectionModel& model) const;
    /// `files`: all that the outcome was computed from, as absolute paths; empty if unknown, and then it depends on
    /// every file beside the model. Several threads may call this. Throws ModelError "unwritable".
    void add(const CollectionModel& model, const ModelOutcome& outcome, const std::vector<std::string>& files);

private:
    struct Entry {
        std::vector<std::string> files;
        std::string stamp;
        std::string limits;
        ModelOutcome outcome;
    };
    /// The entries of a journal that have a key, or all.
    static std::map<std::string, Entry> read(const std::filesystem::path& path, const std::optional<std::string>& key);

    std::filesystem::path m_folder;
    std::string m_key;
    std::string m_limits;
    std::map<std::string, Entry> m_entries; ///< by model
    std::mutex m_mutex;
    int m_descriptor = -1;
};

} // namespace crosswalk
