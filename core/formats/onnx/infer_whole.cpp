#include "core/formats/onnx/infer_whole.h"

#include "core/onnx/schema.h"
#include "core/onnx/whole_stubs.h"

#include <fmt/format.h>

namespace crosswalk {
namespace {

/// "(op_type:Conv, node name: x): [ShapeInferenceError] why" taken apart.
Diagnostic conflict(std::string_view line, const NodeNames& names)
{
    Diagnostic problem{.code = "shape-conflict", .message = {}};
    constexpr std::string_view opMark = "(op_type:";
    constexpr std::string_view nameMark = ", node name: ";
    const auto op = line.find(opMark);
    const auto name = line.find(nameMark, op);
    const auto end = line.find("): ", name);
    if (op != std::string_view::npos && name != std::string_view::npos && end != std::string_view::npos) {
        problem.op = line.substr(op + opMark.size(), name - op - opMark.size());
        problem.node = line.substr(name + nameMark.size(), end - name - nameMark.size());
        if (const auto id = names.find(problem.node)) {
            problem.nodeIndex = id->index;
        }
        line.remove_prefix(end + 3);
    }
    if (const auto mark = line.find("Error] "); line.starts_with("[") && mark != std::string_view::npos) {
        line.remove_prefix(mark + 7);
    }
    problem.message = fmt::format("its shapes or types do not fit: {}", line);
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
    try {
        ::onnx::checker::check_model(withWholeStubs(model));
        return std::nullopt;
    } catch (const std::exception& error) {
        const std::string_view why = error.what();
        return Diagnostic{.code = "invalid-model",
                          .message = fmt::format("it is no valid ONNX model: {}", why.substr(0, why.find('\n')))};
    }
}

WholeInference inferWhole(const OnnxModel& model, const NodeNames& names)
{
    WholeInference result;
    ::onnx::ModelProto whole = withWholeStubs(model);
    try {
        const ::onnx::ShapeInferenceOptions options(true, 1, true);
        ::onnx::shape_inference::InferShapes(whole, ::onnx::OpSchemaRegistry::Instance(), options);
    } catch (const std::exception& error) {
        addConflicts(error.what(), names, result.problems);
    }
    const auto add = [&](const auto& infos) {
        for (const auto& info : infos) {
            result.types[info.name()] = fromProto(info.type());
        }
    };
    add(whole.graph().input());
    add(whole.graph().value_info());
    add(whole.graph().output());
    return result;
}

} // namespace crosswalk
