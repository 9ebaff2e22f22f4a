#include "app/crosswalk/exit_status.h"

#include <array>
#include <utility>

namespace crosswalk::app {

ExitStatus statusOf(const Diagnostic& problem)
{
    static constexpr std::array<std::pair<std::string_view, ExitStatus>, 21> statuses{{
        {"cancelled", Cancelled},           {"each-sample", WrongUsage},         {"internal", Internal},
        {"invalid-export", NotConvertible}, {"invalid-model", BadInput},         {"no-gui", RuntimeMissing},
        {"no-runtime", RuntimeMissing},     {"not-convertible", NotConvertible}, {"open-extract", WrongUsage},
        {"out-of-memory", NotConvertible},  {"runtime-crash", Different},        {"taken-name", WrongUsage},
        {"time-limit", Different},          {"too-large", NotConvertible},       {"unknown-input", WrongUsage},
        {"unknown-node", WrongUsage},       {"unknown-output", WrongUsage},      {"unknown-signature", WrongUsage},
        {"unknown-value", WrongUsage},      {"unwritable", NotWritable},         {"usage", WrongUsage},
    }};
    for (const auto& [code, status] : statuses) {
        if (problem.code.text() == code) {
            return status;
        }
    }
    return BadInput;
}

} // namespace crosswalk::app
