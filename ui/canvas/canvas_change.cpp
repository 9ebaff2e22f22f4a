// Transitions of the canvas from one drawing to the next: what stays in place, and what moves.

#include "ui/canvas/canvas_view.h"

#include <QStyle>

#include <algorithm>
#include <cassert>

namespace crosswalk::ui {

bool CanvasView::isMoving() const
{
    return m_animated && isVisible() && style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this) > 0;
}

void CanvasView::finishChange()
{
    m_change.stop();
    m_transition.reset();
    m_fadingOut = {};
    update();
}

std::optional<std::pair<QPointF, QPointF>> CanvasView::anchor(const DrawnScene& next, const SameBoxes& same,
                                                              std::optional<std::uint32_t> group) const
{
    if (group) {
        const auto before = m_drawn->placeOf(*group);
        const auto after = next.placeOf(*group);
        if (before && after) {
            return std::pair(before->topLeft(), after->topLeft());
        }
    }
    const QRectF visible = visibleArea();
    std::vector<std::uint32_t> seen;
    m_drawn->index.nodesIn(visible, seen);
    const auto distance = [&](std::uint32_t i) {
        return (m_drawn->index.box(i).center() - visible.center()).manhattanLength();
    };
    std::ranges::stable_sort(seen, {}, distance);
    for (const auto i : seen) {
        if (const auto now = same.now(m_drawn->firstMember(i))) {
            return std::pair(m_drawn->index.box(i).topLeft(), next.index.box(next.drawnAs(*now)).topLeft());
        }
    }
    return std::nullopt;
}

void CanvasView::changeScene(std::shared_ptr<const DrawnScene> drawn, const SameBoxes& same,
                             std::optional<std::uint32_t> group)
{
    assert(m_drawn && drawn);
    const auto fixed = anchor(*drawn, same, group);
    const bool beginningPending = m_beginningPending;
    std::unique_ptr<Transition> transition;
    QPixmap old;
    if (isMoving()) {
        const QPointF shift = fixed ? fixed->second - fixed->first : QPointF();
        transition = std::make_unique<Transition>(m_drawn, m_marks, drawn, same, shift, visibleArea());
        if (!transition->isPossible(m_transform.scale)) {
            transition.reset();
            old = grab();
        }
    }
    replaceScene(std::move(drawn));
    m_selection.clear();
    m_counterparts.clear();
    if (beginningPending && !group) {
        showBeginning(); // the user has not moved the view: it still starts at the inputs
    } else if (fixed) {
        moveTo(fixed->second, m_transform.toView(fixed->first));
        m_beginningPending = beginningPending;
    }
    placeMinimap();
    m_transition = std::move(transition);
    m_fadingOut = std::move(old);
    if (m_transition || !m_fadingOut.isNull()) {
        m_change.start();
    }
    update();
}

} // namespace crosswalk::ui
