#pragma once

#include "core/base/model_source.h"

#include <string>
#include <vector>

namespace crosswalk::mxnet {

/// Names of files in the directory of the symbol file.
struct FoundWeights {
    std::string name;                ///< empty if there is none
    std::vector<std::string> others; ///< further epochs, oldest first
};

/// The weights beside a symbol file, by MXNet's naming: net-symbol.json (or net.json) belongs to net-0012.params (the
/// highest epoch) or to net.params.
FoundWeights findWeights(const ModelSource& symbol);

} // namespace crosswalk::mxnet
