#include "core/formats/onnx/infer_model.h"

#include "core/onnx/check.h"
#include "core/onnx/external_stubs.h"
#include "core/onnx/generated_symbols.h"
#include "core/onnx/schemas.h"

#include <fmt/format.h>
#include <new>

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
    ::google::protobuf::Arena arena;
    const auto fault = checkerError(withExternalStubs(model, arena));
    if (!fault) {
        return std::nullopt;
    }
    return Diagnostic{.code = "invalid-model", .message = fmt::format("it is not a valid ONNX model: {}", *fault)};
}

ModelInference inferModel(const OnnxModel& model, const NodeNames& names)
{
    ModelInference result;
    ::google::protobuf::Arena arena;
    ::onnx::ModelProto& whole = withExternalStubs(model, arena);
    try {
        const ::onnx::ShapeInferenceOptions options(true, 1, true);
        ::onnx::shape_inference::InferShapes(whole, &schemas(), options);
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {
        addConflicts(error.what(), names, result.problems);
    }
    removeGeneratedSymbols(*whole.mutable_graph(), model.proto->graph());
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

ModelInference inferModelFromInputs(const OnnxModel& model, const NodeNames& names)
{
    OnnxModel bare{std::make_shared<::onnx::ModelProto>(*model.proto), model.weights};
    bare.proto->mutable_graph()->clear_value_info();
    for (auto& output : *bare.proto->mutable_graph()->mutable_output()) {
        if (output.type().has_tensor_type()) {
            output.mutable_type()->mutable_tensor_type()->clear_shape();
        }
    }
    return inferModel(bare, names);
}

} // namespace crosswalk
