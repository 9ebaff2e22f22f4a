#pragma once

#include <string>
#include <vector>

namespace crosswalk::app {

/// Runs crosswalk-gui with these arguments and returns its exit status. Prefers the program beside this one to the one
/// on PATH. Throws ModelError "no-gui" if there is none.
int runDesktopProgram(const std::vector<std::string>& arguments);

} // namespace crosswalk::app
