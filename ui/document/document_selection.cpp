// The selection on both sides.

#include "ui/document/conversion_marks.h"
#include "ui/document/document.h"

#include <algorithm>

namespace crosswalk::ui {

void Document::select(Side side, std::vector<std::uint32_t> boxes)
{
    setSelection(side, std::move(boxes));
    emit selectionChanged();
}

void Document::setSelection(Side side, std::vector<std::uint32_t> boxes)
{
    const auto& graphSide = this->side(side);
    std::erase_if(boxes, [&](std::uint32_t i) { return !graphSide || i >= graphSide->scene->nodes.size(); });
    std::sort(boxes.begin(), boxes.end());
    m_selectedSide = side;
    m_selection = std::move(boxes);
    m_counterparts.clear();
    const auto& source = this->side(Side::Source);
    const auto& target = this->side(Side::Target);
    if (source && target && m_converted) {
        m_counterparts = counterparts(side, m_selection, *source, *target, m_converted->conversion);
    }
}

void Document::selectNode(Side side, NodeId node)
{
    if (const auto& graphSide = this->side(side)) {
        if (const auto box = graphSide->boxOf(node)) {
            select(side, {*box});
        }
    }
}

std::optional<NodeId> Document::selectedSourceNode() const
{
    const auto& side = this->side(m_selectedSide);
    if (!side || m_selection.size() != 1) {
        return std::nullopt;
    }
    const NodeId node = side->box(m_selection.front()).node;
    if (m_selectedSide == Side::Source) {
        return node ? std::optional(node) : std::nullopt;
    }
    if (node && m_converted && node.index < m_converted->conversion.sources.size()) {
        const auto& sources = m_converted->conversion.sources[node.index];
        return sources.size() == 1 ? std::optional(sources.front()) : std::nullopt;
    }
    return std::nullopt;
}

void Document::remapSelection()
{
    // Boxes of the source keep their index between conversions. The ONNX graph is rebuilt each time, so a selection
    // there moves to its source.
    if (m_selectedSide == Side::Target) {
        setSelection(Side::Source, m_counterparts);
    } else {
        setSelection(Side::Source, m_selection);
    }
}

} // namespace crosswalk::ui
