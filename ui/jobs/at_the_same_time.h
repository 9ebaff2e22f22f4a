#pragma once

#include <future>
#include <utility>

namespace crosswalk::ui {

/// Runs both, the first in a thread of its own, and returns when both have ended. What one of them throws comes out.
template <typename First, typename Second>
void atTheSameTime(First first, Second second)
{
    auto other = std::async(std::launch::async, std::move(first)); // waits where the second throws
    second();
    other.get();
}

} // namespace crosswalk::ui
