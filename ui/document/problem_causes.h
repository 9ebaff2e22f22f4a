#pragma once

#include "core/base/diagnostic.h"

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
};

/// The causes in order of their first problem; every problem belongs to one cause.
std::vector<ProblemCause> causesOf(const std::vector<Diagnostic>& problems);

/// The nodes of a cause that offer a strategy.
std::vector<std::string> nodesOffering(const ProblemCause& cause, const std::vector<Diagnostic>& problems,
                                       std::string_view strategy);

} // namespace crosswalk::ui
