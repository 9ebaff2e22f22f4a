#include "core/formats/onnx/infer_model.h"

#include "core/onnx/check.h"
#include "core/onnx/external_stubs.h"

#include <fmt/format.h>

namespace crosswalk {
namespace {

/// "[ShapeInferenceError] why" without its beginning.
std::string_view withoutTag(std::string_view text)
{
    const auto mark = text.find("Error] ");
    return text.starts_with("[") && mark != std::string_view::npos ? text.substr(mark + 7) : text;
}

/// Parses "(op_type:Conv, node name: x): [ShapeInferenceError] why"; the name may be missing.
Diagnostic conflict(std::string_view line, const NodeNames& names)
{
    Diagnostic problem{.code = "shape-conflict", .message = {}};
    constexpr std::string_view opMark = "(op_type:";
    constexpr std::string_view nameMark = ", node name: ";
    line = withoutTag(line);
    const auto end = line.find("): ");
    if (line.starts_with(opMark) && end != std::string_view::npos) {
        std::string_view op = line.substr(opMark.size(), end - opMark.size());
        if (const auto name = op.find(nameMark); name != std::string_view::npos) {
            problem.node = op.substr(name + nameMark.size());
            op = op.substr(0, name);
        }
        problem.op = op;
        if (const auto id = names.find(problem.node)) {
            problem.nodeIndex = id->index;
        }
        line.remove_prefix(end + 3);
    }
    line = withoutTag(line);
    problem.message = fmt::format("the shapes or types {} do not fit: {}",
                                  problem.node.empty() && !problem.op.empty() ? "at a " + problem.op : "here", line);
    return problem;
}

void addConflicts(std::string_view text, const NodeNames& names, std::vector<Diagnostic>& problems)
{
    constexpr std::string_view mark = "Inference error(s): ";
    if (const auto begin = text.find(mark); begin != std::string_view::npos) {
        text.remove_prefix(begin + mark.size());
    }
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        if (!line.empty()) {
            problems.push_back(conflict(line, names));
        }
        text.remove_prefix(std::min(text.size(), line.size() + 1));
    }
}

} // namespace

std::optional<Diagnostic> faultOf(const OnnxModel& model)
{
    const auto fault = checkerError(CompleteModel(model).proto());
    if (!fault) {
        return std::nullopt;
    }
    return Diagnostic{.code = "invalid-model", .message = fmt::format("it is not a valid ONNX model: {}", *fault)};
}

std::vector<Diagnostic> conflictsOf(const InferredModel& inferred, const NodeNames& names)
{
    std::vector<Diagnostic> conflicts;
    if (inferred.error()) {
        addConflicts(*inferred.error(), names, conflicts);
    }
    return conflicts;
}

} // namespace crosswalk
