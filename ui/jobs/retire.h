#pragma once

#include "ui/jobs/job_runner.h"

#include <stop_token>
#include <utility>

namespace crosswalk::ui {

/// Destroys `old` in the background: destroying a large graph takes longer than a frame.
template <typename Old>
void retire(JobRunner& job, QObject& context, Old old)
{
    job.run(
        &context, [old = std::move(old)](std::stop_token) mutable { return std::exchange(old, Old()), true; },
        [](bool) {});
}

} // namespace crosswalk::ui
