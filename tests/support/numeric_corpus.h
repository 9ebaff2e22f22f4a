#pragma once

#include "core/verify/runtime.h"
#include "core/verify/verify.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace crosswalk::test {

/// A case of tests/data/numeric: a model with inputs and the outputs of its framework.
struct CorpusCase {
    std::string name;
    std::string symbol; ///< MXNet's JSON; empty for a model of another framework
    std::string params; ///< content of the .params file; empty if the model has none
    /// Of a model of another framework: the names and contents of its files, the model first.
    std::vector<std::pair<std::string, std::string>> files;
    std::vector<NamedTensor> inputs;
    std::vector<NamedTensor> outputs;
    std::vector<std::vector<NamedTensor>> alternatives; ///< other correct outputs
    Tolerance tolerance;
    std::optional<double> clip; ///< values are clipped to +-clip before comparison
    bool checksValues = true;   ///< false: only shapes are compared
    bool checksTypes = true;
    std::vector<std::string> recurrentForms; ///< one per RNN node, such as "lstm bidirectional projection"
};

/// The cases of all .jsonl files of a folder. Throws exceptions of nlohmann::json.
std::vector<CorpusCase> readCorpus(const std::filesystem::path& folder);

/// Writes the model into a folder; returns the file to open.
std::filesystem::path writeModel(const CorpusCase& one, const std::filesystem::path& folder);

/// The first difference; empty if `got` matches the recorded outputs or one of the alternatives.
std::string differenceFrom(const CorpusCase& one, const std::vector<NamedTensor>& got);

} // namespace crosswalk::test
