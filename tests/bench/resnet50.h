#pragma once

#include <filesystem>

namespace crosswalk::bench {

struct MxnetFiles {
    std::filesystem::path symbol;
    std::filesystem::path params;
    std::uintmax_t bytes = 0; ///< of both files
};

/// Writes ResNet-50 v1 in the format of MXNet 1.9 (`model-symbol.json` and `model-0000.params`, 102 MB), with
/// deterministic pseudorandom weights.
MxnetFiles writeResnet50(const std::filesystem::path& folder);

} // namespace crosswalk::bench
