#include "core/onnx/inference_conflicts.h"

#include <algorithm>

namespace crosswalk {
namespace {

/// "[ShapeInferenceError] why" without its beginning.
std::string_view withoutTag(std::string_view text)
{
    const auto mark = text.find("Error] ");
    return text.starts_with("[") && mark != std::string_view::npos ? text.substr(mark + 7) : text;
}

/// Parses "(op_type:Conv, node name: x): [ShapeInferenceError] why"; the name may be missing.
InferenceConflict conflictIn(std::string_view line)
{
    InferenceConflict conflict;
    constexpr std::string_view opMark = "(op_type:";
    constexpr std::string_view nameMark = ", node name: ";
    line = withoutTag(line);
    const auto end = line.find("): ");
    if (line.starts_with(opMark) && end != std::string_view::npos) {
        std::string_view op = line.substr(opMark.size(), end - opMark.size());
        if (const auto name = op.find(nameMark); name != std::string_view::npos) {
            conflict.node = op.substr(name + nameMark.size());
            op = op.substr(0, name);
        }
        conflict.op = op;
        line.remove_prefix(end + 3);
    }
    conflict.why = withoutTag(line);
    return conflict;
}

} // namespace

std::vector<InferenceConflict> conflictsIn(std::string_view error)
{
    constexpr std::string_view mark = "Inference error(s): ";
    if (const auto begin = error.find(mark); begin != std::string_view::npos) {
        error.remove_prefix(begin + mark.size());
    }
    std::vector<InferenceConflict> conflicts;
    while (!error.empty()) {
        const std::string_view line = error.substr(0, error.find('\n'));
        if (!line.empty()) {
            conflicts.push_back(conflictIn(line));
        }
        error.remove_prefix(std::min(error.size(), line.size() + 1));
    }
    return conflicts;
}

} // namespace crosswalk
