#include "ui/document/error_marks.h"

#include <algorithm>

namespace crosswalk::ui {
namespace {

constexpr double tiny = 1e-5; ///< typical effect of a different order of float32 additions

ErrorLevel levelOfNode(Side side, NodeId node, const Conversion& conversion, const NodeCheck& check)
{
    if (!node) {
        return ErrorLevel::NotCompared;
    }
    if (side == Side::Source) {
        return errorLevel(check, node);
    }
    ErrorLevel worst = ErrorLevel::NotCompared;
    if (node.index < conversion.sources.size()) {
        for (const auto source : conversion.sources[node.index]) {
            worst = std::max(worst, errorLevel(check, source));
        }
    }
    return worst;
}

} // namespace

ErrorLevel errorLevel(const NodeCheck& check, NodeId source)
{
    if (source.index >= check.worst.size() || !check.worst[source.index]) {
        return ErrorLevel::NotCompared;
    }
    const Comparison& worst = check.values[*check.worst[source.index]].comparison;
    return !worst.equal               ? ErrorLevel::Differs
           : worst.maxAbsolute > tiny ? ErrorLevel::Tolerated
           : worst.maxAbsolute > 0    ? ErrorLevel::Tiny
                                      : ErrorLevel::Same;
}

SceneMarks errorMarks(Side side, const GraphSide& graphSide, const Conversion& conversion, const NodeCheck& check)
{
    SceneMarks marks;
    const auto& boxes = graphSide.scene->nodes;
    marks.verdicts.assign(boxes.size(), Verdict::Exact);
    marks.errors.assign(boxes.size(), ErrorLevel::NotCompared);
    marks.tints.assign(boxes.size(), Tint::None);
    for (std::uint32_t i = 0; i < boxes.size(); ++i) {
        NodeId node = boxes[i].node;
        if (boxes[i].kind == SceneNode::Kind::Output && boxes[i].value) {
            node = graphSide.graph->value(boxes[i].value).producer;
        }
        marks.errors[i] = levelOfNode(side, node, conversion, check);
        marks.tints[i] = Theme::tintOf(marks.errors[i]);
        if (marks.errors[i] == ErrorLevel::Differs) {
            marks.verdicts[i] = Verdict::Unsupported; // for its red colour and cross
            marks.alarms.push_back(i);
        }
    }
    return marks;
}

} // namespace crosswalk::ui
