#pragma once

#include "core/base/diagnostic.h"

#include <vector>

namespace crosswalk::ui {

/// Findings at several nodes for one reason, such as every LSTM whose cell state is clipped.
struct ProblemCause {
    /// A way around, and at how many of the nodes it is open.
    struct Way {
        Choice choice; ///< as the first of them offers it
        std::size_t nodes = 0;
        bool costsDiffer = false; ///< in their numbers, from node to node
    };

    std::vector<std::size_t> problems; ///< their places in the list of findings, ascending
    std::vector<Way> ways;             ///< in the order in which the findings offer them
};

/// The causes in the order in which they first come up; every finding belongs to one.
std::vector<ProblemCause> causesOf(const std::vector<Diagnostic>& problems);

/// The nodes of a cause that offer a strategy.
std::vector<std::string> nodesOffering(const ProblemCause& cause, const std::vector<Diagnostic>& problems,
                                       std::string_view strategy);

} // namespace crosswalk::ui
