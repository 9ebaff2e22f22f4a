#pragma once

#include "core/verify/runtime.h"
#include "core/verify/verify.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace crosswalk::test {

/// A case of tests/data/numeric: a model and what its framework computed.
struct CorpusCase {
    std::string name;
    std::string symbol; ///< MXNet's JSON
    std::string params; ///< content of the .params file; empty: the model has none
    std::vector<NamedTensor> inputs;
    std::vector<NamedTensor> outputs;
    std::vector<std::vector<NamedTensor>> alternatives; ///< further right outputs
    Tolerance tolerance;
    std::optional<double> clip; ///< values are compared within +-clip
    bool checksValues = true;   ///< false: shapes alone
    bool checksTypes = true;
    std::vector<std::string> recurrentForms; ///< of each RNN node, as "lstm bidirectional projection"
};

/// The cases of all .jsonl files of a folder. Throws what nlohmann::json throws.
std::vector<CorpusCase> readCorpus(const std::filesystem::path& folder);

/// Writes the model into a folder; returns the file to open.
std::filesystem::path writeModel(const CorpusCase& one, const std::filesystem::path& folder);

/// The empty string where `got` matches the recorded outputs or one of the alternatives, else the first difference.
std::string differenceFrom(const CorpusCase& one, const std::vector<NamedTensor>& got);

} // namespace crosswalk::test
