#include "ui/panels/colour_legend.h"

#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace crosswalk::ui {
namespace {

constexpr int legendDistance = 12; ///< to the edges of the canvas
constexpr int swatchSide = 12;
constexpr QSize swatchArea(swatchSide + 5, swatchSide); ///< with the distance to the text, which buttons have none of

QIcon swatchIcon(const HeaderColors& colors, double ratio)
{
    QPixmap pixmap(swatchArea * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colors.block, 1));
    painter.setBrush(colors.header);
    painter.drawRoundedRect(QRectF(0.5, 0.5, swatchSide - 1, swatchSide - 1), 3, 3);
    painter.end();
    return {pixmap};
}

} // namespace

ColourLegend::ColourLegend(QWidget* canvas)
    : QFrame(canvas)
    , m_title(new QLabel(this))
    , m_rows(new QVBoxLayout)
{
    setObjectName(QStringLiteral("colourLegend"));
    setAccessibleName(tr("Legend of the colours"));
    setAutoFillBackground(true);
    m_title->setObjectName(QStringLiteral("colourTitle"));
    QFont bold = m_title->font();
    bold.setWeight(QFont::DemiBold);
    m_title->setFont(bold);
    auto* close = new QToolButton(this);
    close->setObjectName(QStringLiteral("colourClose"));
    close->setAutoRaise(true);
    close->setIcon(icon(QLatin1String("close")));
    close->setIconSize({12, 12});
    close->setToolTip(tr("Colour by operator family again"));
    close->setAccessibleName(close->toolTip());
    connect(close, &QToolButton::clicked, this, &ColourLegend::closed);
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(m_title, 1);
    head->addWidget(close);
    m_rows->setSpacing(0);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 6, 6, 8);
    layout->setSpacing(2);
    layout->addLayout(head);
    layout->addLayout(m_rows);
    canvas->installEventFilter(this);
    hide();
}

void ColourLegend::setEntries(const QString& title, const std::vector<ColourEntry>& entries)
{
    const auto isSame = [](const ColourEntry& a, const ColourEntry& b) {
        return a.colour == b.colour && a.name == b.name && a.boxes == b.boxes;
    };
    if (title != m_titleText || !std::ranges::equal(entries, m_entries, isSame)) {
        m_titleText = title;
        m_entries = entries;
        fill();
    }
    setVisible(!m_entries.empty());
    place();
}

void ColourLegend::setChosen(std::optional<ColourNumber> colour)
{
    m_chosen = colour;
    for (int i = 0; i < m_rows->count(); ++i) {
        auto* button = qobject_cast<QToolButton*>(m_rows->itemAt(i)->widget());
        button->setChecked(colour && m_entries[static_cast<std::size_t>(i)].colour == *colour);
    }
}

void ColourLegend::fill()
{
    const bool hadFocus = isAncestorOf(window()->focusWidget());
    while (auto* item = m_rows->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    m_title->setText(m_titleText);
    for (const ColourEntry& entry : m_entries) {
        auto* button = new QToolButton(this);
        button->setObjectName(QStringLiteral("colourEntry%1").arg(static_cast<int>(entry.colour)));
        button->setAutoRaise(true);
        button->setCheckable(true);
        button->setChecked(m_chosen && entry.colour == *m_chosen);
        button->setFocusPolicy(Qt::TabFocus);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setIconSize(swatchArea);
        button->setIcon(swatchIcon(theme().colours(entry.colour), devicePixelRatioF()));
        button->setText(QStringLiteral("%1   %L2").arg(entry.name).arg(entry.boxes));
        button->setToolTip(tr("Show only these nodes; again, or Esc, shows all"));
        button->setAccessibleName(button->text());
        connect(button, &QToolButton::clicked, this, [this, colour = entry.colour] { emit chosen(colour); });
        m_rows->addWidget(button, 0, Qt::AlignLeft);
        button->show(); // else place() would not count it
        if (hadFocus && m_rows->count() == 1) {
            button->setFocus();
        }
    }
}

void ColourLegend::place()
{
    if (isVisibleTo(parentWidget())) {
        layout()->activate(); // entries may have been replaced
        adjustSize();
        move(legendDistance, parentWidget()->contentsRect().bottom() + 1 - height() - legendDistance);
        raise();
    }
}

void ColourLegend::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_entries.empty()) {
        fill(); // the swatches use the theme's colours
        place();
    }
}

bool ColourLegend::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parentWidget() && (event->type() == QEvent::Resize || event->type() == QEvent::ContentsRectChange)) {
        place();
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace crosswalk::ui
