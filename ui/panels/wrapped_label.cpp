#include "ui/panels/wrapped_label.h"

#include <QEvent>
#include <QTextLayout>

#include <algorithm>
#include <cmath>

namespace crosswalk::ui {
namespace {

constexpr int narrow = 80; ///< pixels; layouts shrink below this only if they must

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
    if (text().isEmpty()) {
        return QLabel::heightForWidth(width);
    }
    if (m_measuredText != text()) {
        m_measuredText = text();
        forget();
    }
    const QMargins margins = contentsMargins();
    int room = std::max(0, width - margins.left() - margins.right());
    if (m_unwrapped > 0 && room > m_unwrapped) {
        room = static_cast<int>(std::ceil(m_unwrapped)); // same height as any other width that fits all lines
    }
    auto known = std::ranges::find(m_measured, room, &Measured::width);
    if (known == m_measured.end()) {
        std::swap(m_measured[0], m_measured[1]);
        m_measured[0] = {room, textHeight(room)};
        known = m_measured.begin();
    }
    return known->height + margins.top() + margins.bottom();
}

/// Breaks lines where QTextDocument does, which QLabel uses for selectable text.
int WrappedLabel::textHeight(int width) const
{
    QTextOption option;
    option.setWrapMode(QTextOption::WordWrap);
    double height = 0;
    for (const QString& paragraph : m_measuredText.split(u'\n')) {
        QTextLayout layout(paragraph, font());
        layout.setTextOption(option);
        layout.beginLayout();
        for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
            line.setLineWidth(width);
            height += line.height();
        }
        layout.endLayout();
        m_unwrapped = std::max(m_unwrapped, layout.maximumWidth());
    }
    return static_cast<int>(std::lround(height));
}

void WrappedLabel::forget() const
{
    m_measured.fill({});
    m_unwrapped = 0;
}

void WrappedLabel::changeEvent(QEvent* event)
{
    forget(); // the font may have changed
    QLabel::changeEvent(event);
}

} // namespace crosswalk::ui
