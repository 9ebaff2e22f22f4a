#pragma once

#include <string>
#include <vector>

namespace crosswalk::app {

/// Runs crosswalk-gui with these arguments and returns its exit status: the one beside this program, else the one on
/// PATH. Throws ModelError "no-gui" where there is none.
int runDesktopProgram(const std::vector<std::string>& arguments);

} // namespace crosswalk::app
