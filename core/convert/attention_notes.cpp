#include "core/convert/attention_notes.h"

#include <fmt/format.h>

namespace crosswalk {

void addAttentionNotes(int opset, const std::vector<AttentionFinding>& findings, std::vector<Diagnostic>& problems)
{
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
        note.message = isFused
                           ? fmt::format("the attention around {} is one Attention node", finding.node)
                           : fmt::format("the attention around {} keeps its nodes: {}", finding.node, finding.reason);
        if (finding.source) {
            note.nodeIndex = finding.source->index;
        }
        problems.push_back(std::move(note));
    }
    if (findings.empty()) {
        problems.push_back({.severity = Severity::Note,
                            .code = "attention-kept",
                            .message = "no Softmax between two products was found: nothing became Attention"});
    }
}

} // namespace crosswalk
