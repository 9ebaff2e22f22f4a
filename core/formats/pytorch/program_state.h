#pragma once

#include "core/graph/graph.h"

namespace crosswalk::pytorch {

/// What a program changes beyond its outputs, for the lowering. Readers keep it in Graph::original.
struct ProgramState {
    std::map<ValueId, ValueId> tensors; ///< stored tensors that a run writes, each with its content after the run
    std::vector<std::string> numbers;   ///< attributes of modules that are no tensors
};

} // namespace crosswalk::pytorch
