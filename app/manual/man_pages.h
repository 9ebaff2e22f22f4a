#pragma once

#include "app/manual/program_description.h"

#include <map>
#include <string>

namespace crosswalk::manual {

/// The manual pages of a program in the macros of man(7), by file name: one for the program, one for each command.
std::map<std::string, std::string> manPages(const ProgramDescription& program);

} // namespace crosswalk::manual
