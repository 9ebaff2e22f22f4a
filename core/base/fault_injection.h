#pragma once

#include <cstdint>

namespace crosswalk {

/// Calls to the system that tests let fail.
enum class SystemCall : std::uint8_t { Open, Status, Map, Write, Sync, Link, Rename };

/// Instead of an error: the process is killed before the call.
inline constexpr int killProcess = -1;

/// Lets the call number `call`, counted from 1, of all that are asked about below fail with this error; later ones
/// succeed. 0: none. Tests set it directly, or for a program with CROSSWALK_FAIL_CALL=NUMBER:ERRNO.
void injectFault(std::uint64_t call, int error);
/// The number of calls since injectFault().
std::uint64_t systemCalls();

/// Asked before each call: whether it must be treated as failed. Sets errno then.
bool isFaulty(SystemCall call);

} // namespace crosswalk
