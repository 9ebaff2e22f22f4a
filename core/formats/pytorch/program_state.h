#pragma once

#include "core/graph/graph.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace crosswalk::pytorch {

/// The sizes for which a program was exported.
struct SizeRange {
    std::int64_t least = 0;
    std::int64_t most = std::numeric_limits<std::int64_t>::max();
};

/// What a program returns, and what it changes beyond that, for the lowering. Readers keep it in Graph::original.
struct ProgramState {
    std::map<ValueId, ValueId> tensors;  ///< stored tensors that a run writes, each with its content after the run
    std::map<ValueId, ValueId> storages; ///< stored tensors, each with the first one that is in the same memory
    std::vector<std::string> numbers;    ///< attributes of modules that are no tensors
    std::map<std::string, SizeRange, std::less<>> ranges; ///< of named sizes, of an exported program
    std::set<ValueId> returned;   ///< outputs of the program, which show what it writes to them after they are computed
    std::set<ValueId> contiguous; ///< tensors whose elements lie in memory in their order; not all that do
    bool isForSizes = false;      ///< the program was exported for the sizes of its inputs that have no name
    /// Of a lowered graph: the named sizes, with these shapes of the inputs. Nothing if the sizes that the program
    /// records for its values do not hold for them.
    std::optional<std::map<std::string, Dim, std::less<>>> sizes = {};
};

} // namespace crosswalk::pytorch
