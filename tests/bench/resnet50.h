#pragma once

#include <filesystem>

namespace crosswalk::bench {

struct MxnetFiles {
    std::filesystem::path symbol;
    std::filesystem::path params;
    std::uintmax_t bytes = 0; ///< of both
};

/// Writes ResNet-50 v1 as MXNet 1.9 does (`model-symbol.json` and `model-0000.params`, 102 MB), with random weights
/// that are the same in every run.
MxnetFiles writeResnet50(const std::filesystem::path& folder);

} // namespace crosswalk::bench
