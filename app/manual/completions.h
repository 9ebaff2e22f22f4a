#pragma once

#include "app/manual/program_description.h"

#include <string>

namespace crosswalk::manual {

/// Scripts that complete the commands, options and values of a program, for each shell.
std::string bashCompletion(const ProgramDescription& program);
std::string zshCompletion(const ProgramDescription& program);
std::string fishCompletion(const ProgramDescription& program);

} // namespace crosswalk::manual
