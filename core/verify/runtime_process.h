#pragma once

#include "core/verify/runtime.h"

namespace crosswalk {

/// To be called first by main(). If the arguments ask for it, this process runs models for the one that started it, and
/// ends. Otherwise it remembers that this program can do so, for Runtime::start().
void offerRuntimeProcess(int argc, const char* const* argv);

/// The command that Runtime::start() starts instead: a program whose main() calls offerRuntimeProcess(). Not
/// thread-safe.
void useRuntimeProgram(const std::filesystem::path& program);

} // namespace crosswalk
