#pragma once

#include "core/base/model_source.h"

#include <string>
#include <vector>

namespace crosswalk::mxnet {

/// Names of files beside the symbol file.
struct FoundWeights {
    std::string name;                ///< empty where there is none
    std::vector<std::string> others; ///< further epochs, oldest first
};

/// The weights beside a symbol file, by MXNet's naming: net-symbol.json (or net.json) has net-0012.params, where the
/// highest epoch counts, or net.params.
FoundWeights findWeights(const ModelSource& symbol);

} // namespace crosswalk::mxnet
