#include "ui/controllers/banner_place.h"

#include "ui/canvas/canvas_view.h"
#include "ui/controllers/graph_panes.h"
#include "ui/controllers/messages.h"
#include "ui/panels/banner.h"
#include "ui/panels/graph_pane.h"

#include <QEvent>
#include <QSplitter>

#include <algorithm>

namespace crosswalk::ui {

BannerPlace::BannerPlace(const WindowParts& parts, GraphPanes& panes)
    : Controller(parts)
    , m_banner(m_messages.banner())
    , m_panes(panes)
{
    m_banner.avoid([this](const QRect& area) { return isSelectedIn(area); });
    m_banner.installEventFilter(this);
    for (const auto side : {Side::Source, Side::Target}) {
        m_panes.canvas(side)->installEventFilter(this);
        connect(m_panes.pane(side), &GraphPane::frontChanged, this, &BannerPlace::adjustMargins);
    }
}

bool BannerPlace::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type()) {
    case QEvent::Show:
    case QEvent::Hide:
    case QEvent::Move:
    case QEvent::Resize:
        adjustMargins();
        break;
    default:
        break;
    }
    return Controller::eventFilter(watched, event);
}

bool BannerPlace::isSelectedIn(const QRect& area) const
{
    for (const auto side : {Side::Source, Side::Target}) {
        const CanvasView& canvas = *m_panes.pane(side)->visibleCanvas();
        const QRect here(canvas.mapFrom(m_banner.parentWidget(), area.topLeft()), area.size());
        if (canvas.isVisible() && std::ranges::any_of(canvas.selection(), [&](std::uint32_t box) {
                return canvas.transform().toView(canvas.drawnScene()->index.box(box)).intersects(QRectF(here));
            })) {
            return true;
        }
    }
    return false;
}

/// The margins of a canvas are the strips of it that the banner covers.
void BannerPlace::adjustMargins()
{
    for (const auto side : {Side::Source, Side::Target}) {
        CanvasView& canvas = *m_panes.pane(side)->visibleCanvas();
        QRect covered;
        if (!m_banner.isHidden() && canvas.isVisible()) {
            covered = QRect(canvas.mapFrom(m_banner.parentWidget(), m_banner.pos()), m_banner.size()) & canvas.rect();
        }
        const bool isSmall = 2 * covered.height() > canvas.height(); // then the banner is in the way anywhere
        const bool isBelow = covered.bottom() == canvas.rect().bottom();
        const int height = covered.isEmpty() || isSmall ? 0 : covered.height();
        canvas.setContentsMargins(0, isBelow ? 0 : height, 0, isBelow ? height : 0);
    }
}

} // namespace crosswalk::ui
