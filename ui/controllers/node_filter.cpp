#include "ui/controllers/node_filter.h"

#include <algorithm>
#include <utility>

namespace crosswalk::ui {

namespace {

constexpr int firstColourEntry = 1000; ///< entries of a filter by colour start here

/// Boxes of the source that are unsupported only because an earlier gap leaves their inputs unknown.
std::vector<bool> waitingBoxes(const GraphSide& source, const Conversion& conversion)
{
    std::vector<bool> waiting(source.scene->nodes.size());
    for (const NodeId node : conversion.behindGaps) {
        if (const auto box = source.boxOf(node)) {
            waiting[*box] = true;
        }
    }
    return waiting;
}

} // namespace

NodeFilter::NodeFilter(const WindowParts& parts)
    : Controller(parts)
{
    // The legends have other entries then.
    connect(&m_document.colours(), &BoxColours::changed, this, [this] { m_active.reset(); });
    connect(&m_document, &Document::conversionChanged, this, [this] { m_active.reset(); });
    connect(&m_document.selection(), &Selection::changed, this, [this] {
        if (m_active && m_document.selection().isEmpty()) {
            m_active.reset();
            emit changed();
        }
    });
}

std::optional<ColourNumber> NodeFilter::colour() const
{
    return m_active && m_active->entry >= firstColourEntry
               ? std::optional(static_cast<ColourNumber>(m_active->entry - firstColourEntry))
               : std::nullopt;
}

void NodeFilter::toggleMark(int entry)
{
    if (m_active && m_active->entry == entry) {
        m_document.selection().select(m_document.selection().side(), {}); // this also ends the filter
        return;
    }
    m_active.reset();
    selectMarked(entry);
    if (m_document.selection().isEmpty()) {
        return;
    }
    m_active = Active{entry, {m_document.selection().boxes(), m_document.selection().counterparts()}};
    if (m_document.selection().side() == Side::Target) {
        std::swap(m_active->boxes[0], m_active->boxes[1]);
    }
    emit changed();
}

void NodeFilter::toggleColour(ColourNumber colour)
{
    const int entry = firstColourEntry + colour;
    if (m_active && m_active->entry == entry) {
        m_document.selection().select(m_document.selection().side(), {}); // this also ends the filter
        return;
    }
    Active filter{entry, {}};
    for (const auto side : {Side::Source, Side::Target}) {
        const auto& graphSide = m_document.side(side);
        const auto& marks = m_document.colours().marks(side);
        for (std::uint32_t i = 0; graphSide && marks && i < graphSide->scene->nodes.size(); ++i) {
            if (colourOfBox(*graphSide, *marks, i) == colour) {
                filter.boxes[static_cast<std::size_t>(side)].push_back(i);
            }
        }
    }
    m_active.reset();
    const Side side = filter.boxes[0].empty() ? Side::Target : Side::Source;
    m_document.selection().select(side, filter.boxes[static_cast<std::size_t>(side)]);
    m_active = std::move(filter);
    emit changed();
}

std::shared_ptr<const SceneMarks> NodeFilter::marks(Side side) const
{
    const auto& marks = m_document.colours().marks(side);
    if (!marks || !m_active) {
        return marks;
    }
    auto filtered = std::make_shared<SceneMarks>(*marks);
    filtered->dimmed.assign(marks->verdicts.size(), true);
    for (const auto box : m_active->boxes[side == Side::Source ? 0 : 1]) {
        if (box < filtered->dimmed.size()) {
            filtered->dimmed[box] = false;
        }
    }
    std::erase_if(filtered->alarms, [&](std::uint32_t box) { return filtered->isDimmed(box); });
    return filtered;
}

void NodeFilter::selectMarked(int entry)
{
    // A node that the second model adds exists only on the other side.
    const auto& converted = m_document.converted();
    const bool isAdded = converted && converted->diff && entry == static_cast<int>(Verdict::Decomposed);
    const Side side = isAdded ? Side::Target : Side::Source;
    const auto& marks = m_document.colours().marks(side);
    if (!marks) {
        return;
    }
    std::vector<std::uint32_t> boxes;
    const auto waiting = m_document.colours().areErrors() || !converted || converted->diff
                             ? std::vector<bool>(marks->verdicts.size())
                             : waitingBoxes(*m_document.side(side), converted->conversion);
    for (std::uint32_t i = 0; i < marks->verdicts.size(); ++i) {
        const bool isNode = m_document.side(side)->box(i).kind == SceneNode::Kind::Operator;
        const int of = m_document.colours().areErrors() ? static_cast<int>(marks->errors[i])
                       : waiting[i]                     ? blockedEntry
                                                        : static_cast<int>(marks->verdicts[i]);
        if (isNode && of == entry) {
            boxes.push_back(i);
        }
    }
    m_document.selection().select(side, std::move(boxes));
    emit revealRequested();
}

} // namespace crosswalk::ui
