#include "app/crosswalk/exit_status.h"

#include <array>
#include <utility>

namespace crosswalk::app {

ExitStatus statusOf(const Diagnostic& problem)
{
    static constexpr std::array<std::pair<std::string_view, ExitStatus>, 23> statuses{{
        {"cancelled", Cancelled},
        {"each-sample", WrongUsage},
        {"internal", Internal},
        {"invalid-export", NotConvertible},
        {"invalid-model", BadInput},
        {"no-gui", RuntimeMissing},
        {"no-runtime", RuntimeMissing},
        {"not-convertible", NotConvertible},
        {"open-extract", WrongUsage},
        {"out-of-memory", NotConvertible},
        {"output-limit", Different},
        {"runtime-crash", Different},
        {"taken-name", WrongUsage},
        {"time-limit", Different},
        {"too-large", NotConvertible},
        {"unknown-input", WrongUsage},
        {"unknown-node", WrongUsage},
        {"unknown-output", WrongUsage},
        {"unknown-signature", WrongUsage},
        {"unknown-tags", WrongUsage},
        {"unknown-value", WrongUsage},
        {"unwritable", NotWritable},
        {"usage", WrongUsage},
    }};
    for (const auto& [code, status] : statuses) {
        if (problem.code.text() == code) {
            return status;
        }
    }
    return BadInput;
}

std::vector<std::pair<int, std::string>> exitStatusMeanings()
{
    return {
        {Done, "success; with --partial or a chosen approximation: success, with warnings"},
        {Different,
         "a difference was found by verify or diff, or the model crashed ONNX Runtime or exceeded its time or memory"},
        {WrongUsage, "the command line is invalid"},
        {BadInput, "the input cannot be read, is damaged, or lacks weights"},
        {NotConvertible, "a node cannot be converted exactly: nothing is written; with --batch: not every model was "
                         "converted"},
        {NotWritable, "the output cannot be written"},
        {RuntimeMissing, "ONNX Runtime or crosswalk-gui is required, but missing"},
        {Internal, "internal error"},
        {Cancelled, "cancelled by SIGINT, SIGTERM or SIGHUP"},
    };
}

} // namespace crosswalk::app
