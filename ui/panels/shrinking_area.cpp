#include "ui/panels/shrinking_area.h"

#include <QEvent>
#include <QLayout>
#include <QResizeEvent>
#include <QScrollBar>

namespace crosswalk::ui {
namespace {

constexpr int minAreaHeight = 80;

} // namespace

ShrinkingArea::ShrinkingArea(QWidget* content, QWidget* parent)
    : QScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    setWidget(content);
    content->setAutoFillBackground(false); // uses the background of the panel
    viewport()->setAutoFillBackground(false);
    content->installEventFilter(this);
}

QSize ShrinkingArea::sizeHint() const
{
    if (m_hintFor == width()) {
        return m_hint;
    }
    const auto* layout = widget()->layout();
    const QSize wanted = widget()->sizeHint();
    // Compute the height as if the scroll bar were visible. At the full width the texts are no higher, so the bar can
    // be hidden if there is room.
    const int narrow = width() - verticalScrollBar()->sizeHint().width();
    m_hint = {wanted.width(), layout->hasHeightForWidth() ? layout->totalHeightForWidth(narrow) : wanted.height()};
    m_hintFor = width();
    return m_hint;
}

QSize ShrinkingArea::minimumSizeHint() const
{
    return {0, std::min(minAreaHeight, sizeHint().height())};
}

bool ShrinkingArea::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == widget() && event->type() == QEvent::LayoutRequest) {
        measureAnew();
    }
    return QScrollArea::eventFilter(watched, event);
}

void ShrinkingArea::measureAnew()
{
    m_hintFor = -1;
    updateGeometry();
}

void ShrinkingArea::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) {
        updateGeometry();
    }
}

} // namespace crosswalk::ui
