#include "core/formats/onnx/infer_model.h"

#include "core/onnx/check.h"
#include "core/onnx/external_stubs.h"
#include "core/onnx/inference_conflicts.h"

#include <fmt/format.h>

namespace crosswalk {
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
    std::vector<Diagnostic> problems;
    for (const InferenceConflict& conflict : conflictsIn(inferred.error().value_or(std::string()))) {
        const bool isUnnamed = conflict.node.empty() && !conflict.op.empty();
        Diagnostic& problem = problems.emplace_back();
        problem.code = "shape-conflict";
        problem.message = fmt::format("the shapes or types {} do not fit: {}",
                                      isUnnamed ? "at a " + conflict.op : "here", conflict.why);
        problem.node = conflict.node;
        problem.op = conflict.op;
        if (const auto id = names.find(conflict.node)) {
            problem.nodeIndex = id->index;
        }
    }
    return problems;
}

} // namespace crosswalk
