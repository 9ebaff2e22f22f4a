#pragma once

#include "app/manual/program_description.h"

#include <filesystem>

namespace crosswalk::manual {

/// Writes the manual pages and completions of a program below a folder that is laid out as /usr/share:
/// man/man1, bash-completion/completions, zsh/vendor-completions and fish/vendor_completions.d. Throws ModelError
/// "unwritable".
void writeManual(const ProgramDescription& program, const std::filesystem::path& folder);

} // namespace crosswalk::manual
