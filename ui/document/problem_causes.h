#pragma once

#include "core/convert/conversion.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace crosswalk::ui {

/// Problems at several nodes with the same cause, such as every LSTM whose cell state is clipped.
struct ProblemCause {
    /// A workaround, and the number of nodes that it is available for.
    struct Way {
        Choice choice; ///< as the first node offers it
        std::size_t nodes = 0;
        bool costsDiffer = false; ///< the numbers in the costs differ between nodes
    };

    std::vector<std::size_t> problems; ///< indices into the list of problems, ascending
    std::vector<Way> ways;             ///< in the order in which the problems offer them
    std::vector<NodeId> blocked = {};  ///< source nodes that are not converted only because of these problems
};

/// The causes in order of their first problem; every problem belongs to one cause.
std::vector<ProblemCause> causesOf(const std::vector<Diagnostic>& problems);

/// Adds to each cause the nodes that it blocks: each node behind a gap counts for the nearest problem in front of it,
/// or for the first error of the whole model if there is none.
void addBlocked(std::vector<ProblemCause>& causes, const std::vector<Diagnostic>& problems, const Graph& source,
                const Conversion& conversion);

/// The nodes of a cause that offer a strategy.
std::vector<std::string> nodesOffering(const ProblemCause& cause, const std::vector<Diagnostic>& problems,
                                       std::string_view strategy);

} // namespace crosswalk::ui
