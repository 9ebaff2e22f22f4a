#include "ui/panels/toast.h"

#include "ui/panels/elided_label.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>

#include <utility>

namespace crosswalk::ui {
namespace {

constexpr int shownMilliseconds = 12000;
constexpr int toastDistance = 16; ///< to the edges of the parent
constexpr int below = 44;         ///< the titles of the panes stay visible

} // namespace

Toast::Toast(QWidget* parent)
    : QFrame(parent)
    , m_text(new ElidedLabel(this))
    , m_buttons(new QHBoxLayout)
    , m_timer(new QTimer(this))
{
    setObjectName(QStringLiteral("toast"));
    setAccessibleName(tr("Message"));
    m_text->setObjectName(QStringLiteral("toastText"));
    m_text->setTextFormat(Qt::PlainText);
    auto* tick = new QLabel(this);
    tick->setPixmap(iconPixmap(QLatin1String("check"), theme().exact, 18, devicePixelRatioF()));
    auto* close = new QToolButton(this);
    close->setObjectName(QStringLiteral("toastClose"));
    close->setAccessibleName(tr("Close the message"));
    close->setIcon(icon(QLatin1String("close")));
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(14, 8, 8, 8);
    layout->setSpacing(10);
    layout->addWidget(tick);
    layout->addWidget(m_text);
    layout->addLayout(m_buttons);
    layout->addWidget(close);
    m_timer->setSingleShot(true);
    m_timer->setInterval(shownMilliseconds);
    connect(m_timer, &QTimer::timeout, this, [this] {
        if (!underMouse() && !isAncestorOf(window()->focusWidget())) {
            hide();
        }
    });
    parent->installEventFilter(this);
    hide();
}

void Toast::show(const QString& text, std::vector<Action> actions)
{
    m_text->setText(text);
    while (auto* item = m_buttons->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    for (Action& action : actions) {
        auto* button = new QPushButton(action.text, this);
        button->setObjectName(action.name);
        connect(button, &QPushButton::clicked, this, std::move(action.run));
        m_buttons->addWidget(button);
    }
    setVisible(true);
    place();
    m_timer->start();
}

void Toast::place()
{
    if (!isHidden()) {
        const QSize wanted = sizeHint().boundedTo(parentWidget()->size() - QSize(2 * toastDistance, 0));
        setGeometry(parentWidget()->width() - wanted.width() - toastDistance, below, wanted.width(), wanted.height());
        raise();
    }
}

bool Toast::event(QEvent* event)
{
    if (event->type() == QEvent::LayoutRequest) {
        place();
    } else if (event->type() == QEvent::Leave) {
        m_timer->start();
    }
    return QFrame::event(event);
}

bool Toast::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parentWidget() && event->type() == QEvent::Resize) {
        place();
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace crosswalk::ui
