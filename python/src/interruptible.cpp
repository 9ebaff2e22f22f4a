#include "interruptible.h"

#include <chrono>
#include <future>
#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace crosswalk::python {

void runInterruptibly(const std::function<void(std::stop_token)>& work)
{
    constexpr std::chrono::milliseconds turn{20};
    std::stop_source stop;
    auto result = std::async(std::launch::async, [&] { work(stop.get_token()); });
    bool isInterrupted = false;
    for (bool isDone = false; !isDone;) {
        {
            const nb::gil_scoped_release unlocked;
            isDone = result.wait_for(turn) == std::future_status::ready;
        }
        if (!isInterrupted && PyErr_CheckSignals() != 0) { // does nothing outside the main thread
            isInterrupted = true;
            stop.request_stop();
        }
    }
    if (isInterrupted) {
        throw nb::python_error();
    }
    result.get();
}

} // namespace crosswalk::python
