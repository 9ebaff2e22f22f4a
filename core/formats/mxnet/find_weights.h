#pragma once

#include <filesystem>
#include <vector>

namespace crosswalk::mxnet {

struct FoundWeights {
    std::filesystem::path path;                ///< empty where there is none
    std::vector<std::filesystem::path> others; ///< further epochs, oldest first
};

/// The weights beside a symbol file, by MXNet's naming: net-symbol.json (or net.json) has net-0012.params, where the
/// highest epoch counts, or net.params.
FoundWeights findWeights(const std::filesystem::path& symbol);

} // namespace crosswalk::mxnet
