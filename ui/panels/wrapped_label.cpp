#include "ui/panels/wrapped_label.h"

#include <QEvent>

#include <algorithm>

namespace crosswalk::ui {
namespace {

constexpr int narrow = 80; ///< pixels; a layout gives what it has

} // namespace

WrappedLabel::WrappedLabel(const QString& objectName, QWidget* parent)
    : QLabel(parent)
{
    setObjectName(objectName);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
}

QSize WrappedLabel::sizeHint() const
{
    return {narrow, minimumSizeHint().height()};
}

QSize WrappedLabel::minimumSizeHint() const
{
    const QMargins margins = contentsMargins();
    return {0, fontMetrics().height() + margins.top() + margins.bottom()};
}

int WrappedLabel::heightForWidth(int width) const
{
    if (m_measuredText != text()) {
        m_measuredText = text();
        m_measured.fill({});
    }
    const auto known = std::ranges::find(m_measured, width, &Measured::width);
    if (known != m_measured.end()) {
        return known->height;
    }
    std::swap(m_measured[0], m_measured[1]);
    m_measured[0] = {width, QLabel::heightForWidth(width)};
    return m_measured[0].height;
}

void WrappedLabel::changeEvent(QEvent* event)
{
    m_measured.fill({}); // the font may be another
    QLabel::changeEvent(event);
}

} // namespace crosswalk::ui
