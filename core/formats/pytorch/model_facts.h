#pragma once

#include "core/graph/graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <string>

namespace crosswalk::pytorch {

/// What a file records about its tensors besides their types and shapes.
struct ModelFacts {
    std::set<std::string> buffers = {}; ///< weights that training does not change, by their names
    std::set<std::string> devices = {}; ///< "cpu", "cuda:0"

    /// As entries of the metadata.
    void addTo(Graph& graph)
    {
        devices.erase(std::string()); // results that are not tensors have no device
        if (!buffers.empty()) {
            graph.metadata["buffers"] = fmt::format("{}", fmt::join(buffers, ", "));
        }
        if (!devices.empty()) {
            graph.metadata["device"] = fmt::format("{}", fmt::join(devices, ", "));
        }
    }
};

} // namespace crosswalk::pytorch
