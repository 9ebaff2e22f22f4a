#include "ui/document/graph_selection.h"

#include "ui/document/conversion_marks.h"
#include "ui/document/document.h"

#include <algorithm>
#include <utility>

namespace crosswalk::ui {

Selection::Selection(Document& document)
    : QObject(&document)
    , m_document(document)
{
}

void Selection::select(Side side, std::vector<std::uint32_t> boxes)
{
    set(side, std::move(boxes));
    emit changed();
}

void Selection::set(Side side, std::vector<std::uint32_t> boxes)
{
    const auto& graphSide = m_document.side(side);
    std::erase_if(boxes, [&](std::uint32_t i) { return !graphSide || i >= graphSide->scene->nodes.size(); });
    makeUnique(boxes);
    m_side = side;
    m_boxes = std::move(boxes);
    m_counterparts.clear();
    const auto& source = m_document.side(Side::Source);
    const auto& target = m_document.side(Side::Target);
    if (source && target && m_document.converted()) {
        m_counterparts =
            crosswalk::ui::counterparts(side, m_boxes, *source, *target, m_document.converted()->conversion);
    }
}

void Selection::reset()
{
    m_boxes.clear();
    m_counterparts.clear();
}

void Selection::selectNode(Side side, NodeId node)
{
    if (const auto& graphSide = m_document.side(side)) {
        if (const auto box = graphSide->boxOf(node)) {
            select(side, {*box});
        }
    }
}

std::optional<NodeId> Selection::sourceNode() const
{
    const auto& side = m_document.side(m_side);
    if (!side || m_boxes.size() != 1) {
        return std::nullopt;
    }
    const NodeId node = side->box(m_boxes.front()).node;
    if (m_side == Side::Source) {
        return node ? std::optional(node) : std::nullopt;
    }
    if (node && m_document.converted() && node.index < m_document.converted()->conversion.sources.size()) {
        const auto& sources = m_document.converted()->conversion.sources[node.index];
        return sources.size() == 1 ? std::optional(sources.front()) : std::nullopt;
    }
    return std::nullopt;
}

std::vector<NodeId> Selection::sourceNodes() const
{
    const auto& side = m_document.side(Side::Source);
    std::vector<NodeId> nodes;
    for (const std::uint32_t box : m_side == Side::Source ? m_boxes : m_counterparts) {
        if (side->box(box).kind == SceneNode::Kind::Operator) {
            nodes.push_back(side->box(box).node);
        }
    }
    return nodes;
}

void Selection::remap()
{
    // Boxes of the source keep their index between conversions. The ONNX graph is rebuilt each time, so a selection
    // there moves to its source.
    if (m_side == Side::Target) {
        set(Side::Source, m_counterparts);
    } else {
        set(Side::Source, m_boxes);
    }
}

} // namespace crosswalk::ui
