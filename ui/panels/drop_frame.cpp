#include "ui/panels/drop_frame.h"

#include "ui/theme/theme.h"

#include <QPainter>

namespace crosswalk::ui {

DropFrame::DropFrame(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("dropFrame"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

void DropFrame::show(const QString& text)
{
    m_text = text;
    setGeometry(parentWidget()->rect());
    raise();
    setVisible(true);
    update();
}

void DropFrame::paintEvent(QPaintEvent* /*event*/)
{
    constexpr int width = 3;
    constexpr int room = 14;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme().accent, width));
    painter.drawRect(QRectF(rect()).adjusted(width / 2.0, width / 2.0, -width / 2.0, -width / 2.0));
    QRect pill = fontMetrics().boundingRect(m_text).adjusted(-room, -room / 2, room, room / 2);
    pill.moveCenter(rect().center());
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().accent);
    painter.drawRoundedRect(pill, pill.height() / 2.0, pill.height() / 2.0);
    painter.setPen(theme().accentText);
    painter.drawText(pill, Qt::AlignCenter, m_text);
}

} // namespace crosswalk::ui
