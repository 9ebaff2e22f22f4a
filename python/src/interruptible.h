#pragma once

#include <functional>
#include <stop_token>

namespace crosswalk::python {

/// Runs `work` in a thread of its own without Python's global lock, while this one handles signals: Ctrl+C requests a
/// stop and raises KeyboardInterrupt once `work` has returned.
void runInterruptibly(const std::function<void(std::stop_token)>& work);

} // namespace crosswalk::python
