#pragma once

#include "core/graph/graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace crosswalk::pytorch {

/// What a file says of its tensors beyond their types.
struct ModelFacts {
    std::set<std::string> buffers = {}; ///< weights that training does not change, by their names
    std::set<std::string> devices = {}; ///< "cpu", "cuda:0"

    /// As entries of the metadata.
    void addTo(Graph& graph)
    {
        devices.erase(std::string()); // of what is no tensor
        if (!buffers.empty()) {
            graph.metadata["buffers"] = fmt::format("{}", fmt::join(buffers, ", "));
        }
        if (!devices.empty()) {
            graph.metadata["device"] = fmt::format("{}", fmt::join(devices, ", "));
        }
    }
};

} // namespace crosswalk::pytorch
