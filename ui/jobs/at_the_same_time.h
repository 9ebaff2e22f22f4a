#pragma once

#include <future>
#include <utility>

namespace crosswalk::ui {

/// Runs both functions, the first in its own thread, and returns when both have finished. Propagates their exceptions.
template <typename First, typename Second>
void atTheSameTime(First first, Second second)
{
    auto other = std::async(std::launch::async, std::move(first)); // its destructor waits if `second` throws
    second();
    other.get();
}

} // namespace crosswalk::ui
