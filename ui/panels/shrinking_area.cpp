#include "ui/panels/shrinking_area.h"

#include <QEvent>
#include <QLayout>
#include <QResizeEvent>
#include <QScrollBar>

namespace crosswalk::ui {
namespace {

constexpr int leastHeight = 80;

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
    content->setAutoFillBackground(false); // it has that of the panel
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
    // As if the scroll bar stood there: at the full width the texts are no higher, so that it goes when there is room.
    const int narrow = width() - verticalScrollBar()->sizeHint().width();
    m_hint = {wanted.width(), layout->hasHeightForWidth() ? layout->totalHeightForWidth(narrow) : wanted.height()};
    m_hintFor = width();
    return m_hint;
}

QSize ShrinkingArea::minimumSizeHint() const
{
    return {0, std::min(leastHeight, sizeHint().height())};
}

bool ShrinkingArea::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == widget() && event->type() == QEvent::LayoutRequest) {
        m_hintFor = -1;
        updateGeometry();
    }
    return QScrollArea::eventFilter(watched, event);
}

void ShrinkingArea::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) {
        updateGeometry();
    }
}

} // namespace crosswalk::ui
