#include "ui/panels/banner.h"

#include "ui/models/words.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>

namespace crosswalk::ui {

Banner::Banner(QWidget* parent)
    : QWidget(parent)
    , m_icon(new QLabel(this))
    , m_text(new QLabel(this))
    , m_action(new QPushButton(this))
{
    setObjectName(QStringLiteral("banner"));
    setAccessibleName(tr("Message"));
    m_text->setObjectName(QStringLiteral("bannerText"));
    m_text->setAccessibleName(tr("Message"));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_action->setObjectName(QStringLiteral("bannerAction"));
    m_action->setAccessibleName(tr("What to do about it"));
    auto* close = new QToolButton(this);
    close->setObjectName(QStringLiteral("bannerClose"));
    close->setAccessibleName(tr("Close the message"));
    close->setIcon(icon(QLatin1String("close")));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(14, 7, 8, 7);
    layout->setSpacing(10);
    layout->addWidget(m_icon);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_action);
    layout->addWidget(close);
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    connect(m_action, &QPushButton::clicked, this, [this] {
        if (m_onAction) {
            m_onAction();
        }
    });
    parent->installEventFilter(this);
    hide();
}

void Banner::setAtBottom(bool atBottom)
{
    m_atBottom = atBottom;
    place();
}

QRect Banner::area(bool atBottom) const
{
    const int width = parentWidget()->width();
    const int height = std::max(layout()->heightForWidth(width), layout()->minimumSize().height());
    return {0, atBottom ? parentWidget()->height() - height : 0, width, height};
}

void Banner::place()
{
    setGeometry(area(m_atBottom != m_isMoved));
    raise();
}

bool Banner::event(QEvent* event)
{
    if (event->type() == QEvent::LayoutRequest) {
        place();
    }
    return QWidget::event(event);
}

bool Banner::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize) {
        place();
    }
    return QWidget::eventFilter(watched, event);
}

void Banner::show(const QString& kind, Severity severity, const QString& text, const QString& action,
                  std::function<void()> onAction)
{
    m_kind = kind;
    m_severity = severity;
    m_text->setText(wrappable(text));
    m_action->setText(action);
    m_action->setAccessibleName(action.isEmpty() ? tr("What to do about it") : action);
    m_action->setVisible(!action.isEmpty());
    m_onAction = std::move(onAction);
    const auto name = severity == Severity::Error     ? QLatin1String("cross")
                      : severity == Severity::Warning ? QLatin1String("warning")
                                                      : QLatin1String("info");
    m_icon->setPixmap(iconPixmap(name, theme().severity(severity), 18, devicePixelRatioF()));
    m_isMoved = m_isToAvoid && m_isToAvoid(area(m_atBottom)) && !m_isToAvoid(area(!m_atBottom));
    place();
    setVisible(true);
    update();
}

void Banner::clear(const QString& kind)
{
    if (kind == m_kind) {
        hide();
    }
}

QString Banner::text() const
{
    return isHidden() ? QString() : m_text->text();
}

void Banner::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& t = theme();
    QPainter painter(this);
    painter.fillRect(rect(), m_severity == Severity::Error     ? t.softError
                             : m_severity == Severity::Warning ? t.softWarning
                                                               : t.softInfo);
    painter.fillRect(QRect(0, 0, 4, height()), t.severity(m_severity));
    painter.fillRect(QRect(0, m_atBottom != m_isMoved ? 0 : height() - 1, width(), 1), t.line);
}

} // namespace crosswalk::ui
