#pragma once

#include <stop_token>

namespace crosswalk::app {

/// From now on the first SIGINT, SIGTERM or SIGHUP requests a stop. The process ends with status 130 when the command
/// returns, a second after the signal if it has not returned by then, or at the second signal: without temporary files.
/// A signal that the parent process ignores, such as SIGHUP under nohup, stays ignored.
std::stop_token stopOnSignals();

} // namespace crosswalk::app
