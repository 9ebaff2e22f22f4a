#include "core/convert/attention_notes.h"

#include "core/onnx/opsets.h"
#include "core/onnx/proto.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk {

void addAttentionNotes(const OnnxModel& model, const std::vector<AttentionFinding>& findings,
                       std::vector<Diagnostic>& problems)
{
    const int opset = opsetOf(model);
    if (opset < firstAttentionOpset) {
        problems.push_back({.severity = Severity::Warning,
                            .code = "attention-kept",
                            .message = fmt::format("attention stays as it is: ONNX has Attention from opset {} on, and "
                                                   "the model has opset {}",
                                                   firstAttentionOpset, opset),
                            .hint = fmt::format("take --opset {}", firstAttentionOpset)});
        return;
    }
    for (const AttentionFinding& finding : findings) {
        const bool isFused = finding.reason.empty();
        Diagnostic note;
        note.severity = Severity::Note;
        note.code = isFused ? Code("attention-fused") : Code("attention-kept");
        note.message =
            isFused ? fmt::format("the attention around {} is one Attention node{}", finding.node,
                                  finding.isGuardLost ? ", whose result for a query that a mask leaves no key is "
                                                        "the runtime's, not 0"
                                                      : "")
                    : fmt::format("the attention around {} keeps its nodes: {}", finding.node, finding.reason);
        if (finding.source) {
            note.nodeIndex = finding.source->index;
        }
        problems.push_back(std::move(note));
    }
    const auto& nodes = model.proto->graph().node();
    const bool hasAttention =
        std::any_of(nodes.begin(), nodes.end(), [](const auto& node) { return node.op_type() == "Attention"; });
    if (findings.empty() && !hasAttention) {
        problems.push_back({.severity = Severity::Note,
                            .code = "attention-kept",
                            .message = "no Softmax between two products was found: nothing became Attention"});
    }
}

} // namespace crosswalk
