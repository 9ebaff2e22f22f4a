#include "ui/main_window/command_palette.h"

#include "ui/controllers/menu_text.h"
#include "ui/models/box_title.h"
#include "ui/models/shape_text.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QApplication>
#include <QGraphicsDropShadowEffect>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace crosswalk::ui {
namespace {

constexpr int maxNodes = 40;
constexpr qsizetype maxRecent = 8;
constexpr int maxHeight = 420;
constexpr int iconSide = 16;
constexpr int slack = 4; ///< pixels around the rows of a list
constexpr int actionRole = Qt::UserRole;
constexpr int boxRole = Qt::UserRole + 1;

/// Commands without an icon line up with the others.
QIcon blankIcon()
{
    QPixmap blank(iconSide, iconSide);
    blank.fill(Qt::transparent);
    return {blank};
}

bool holdsWords(const QString& text, const QString& query)
{
    const auto words = query.split(u' ', Qt::SkipEmptyParts);
    return std::all_of(words.begin(), words.end(),
                       [&text](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace

CommandPalette::CommandPalette(Document& document, QWidget* window)
    : QFrame(window)
    , m_document(document)
    , m_query(new QLineEdit(this))
    , m_list(new QListWidget(this))
{
    setObjectName(QStringLiteral("commandPalette"));
    setAccessibleName(tr("Commands and nodes"));
    m_query->setObjectName(QStringLiteral("commandQuery"));
    m_query->setAccessibleName(tr("Search a command or a node"));
    m_query->setPlaceholderText(tr("Search commands and nodes"));
    m_query->addAction(icon(QLatin1String("search")), QLineEdit::LeadingPosition);
    m_list->setObjectName(QStringLiteral("commandList"));
    m_list->setAccessibleName(tr("Found"));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setUniformItemSizes(true);
    m_list->setIconSize({iconSide, iconSide});
    m_list->setMinimumHeight(1); // a single row is sufficient
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->addWidget(m_query);
    layout->addWidget(m_list);
    m_query->installEventFilter(this);
    connect(m_query, &QLineEdit::textChanged, this, &CommandPalette::fill);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::run);
    hide();
}

void CommandPalette::open()
{
    if (auto* focus = QApplication::focusWidget(); focus != m_query) { // the palette may be open
        m_focusBefore = focus;
    }
    const int width = std::min(620, parentWidget()->width() - 40);
    setGeometry((parentWidget()->width() - width) / 2, 64, width, maxHeight);
    m_query->clear();
    show();
    fill({});
    raise();
    m_query->setFocus();
}

void CommandPalette::dismiss()
{
    hide();
    if (m_focusBefore) {
        m_focusBefore->setFocus();
    }
}

QList<QAction*> CommandPalette::inOrder() const
{
    QList<QAction*> ordered = m_commands;
    std::ranges::stable_sort(ordered, {}, [this](const QAction* action) {
        const auto at = m_recent.indexOf(action->objectName());
        return at < 0 ? m_recent.size() : at;
    });
    return ordered;
}

void CommandPalette::fill(const QString& query)
{
    m_list->clear();
    for (auto* action : inOrder()) {
        const QString text = plainMenuText(action->text());
        if (!action->isEnabled() || !holdsWords(text, query)) {
            continue;
        }
        const QString shortcut = action->shortcut().toString(QKeySequence::NativeText);
        auto* item =
            new QListWidgetItem(action->icon().isNull() ? blankIcon() : action->icon(),
                                shortcut.isEmpty() ? text : QStringLiteral("%1   (%2)").arg(text, shortcut), m_list);
        item->setData(actionRole, QVariant::fromValue(static_cast<void*>(action)));
    }
    if (!query.trimmed().isEmpty()) {
        std::size_t left = maxNodes;
        for (const auto side : {Side::Source, Side::Target}) {
            const auto& graphSide = m_document.side(side);
            if (!graphSide) {
                continue;
            }
            const auto found = graphSide->outline.find(query.toStdString(), left);
            left -= found.size();
            for (const auto box : found) {
                auto* item = new QListWidgetItem(
                    icon(QLatin1String("model")),
                    QStringLiteral("%1   %2   %3")
                        .arg(displayText(graphSide->label(box)), boxTitle(graphSide->box(box)),
                             m_document.compared() != nullptr ? (side == Side::Source ? tr("before") : tr("after"))
                                                              : (side == Side::Source ? tr("source") : tr("ONNX"))),
                    m_list);
                item->setData(boxRole, QVariant::fromValue(quint64{box} << 1U | (side == Side::Target ? 1U : 0U)));
            }
        }
    }
    if (m_list->count() == 0) {
        (new QListWidgetItem(tr("No matching command or node"), m_list))->setFlags(Qt::NoItemFlags);
    }
    m_list->setCurrentRow(0);
    fit();
}

void CommandPalette::fit()
{
    const QMargins around = layout()->contentsMargins();
    const int wanted = around.top() + m_query->sizeHint().height() + around.bottom() + layout()->spacing() +
                       m_list->sizeHintForRow(0) * m_list->count() + 2 * m_list->frameWidth() + slack;
    resize(width(), std::min({wanted, maxHeight, parentWidget()->height() - 100}));
}

void CommandPalette::run()
{
    const auto* item = m_list->currentItem();
    if (item == nullptr || !item->flags().testFlag(Qt::ItemIsEnabled)) {
        return;
    }
    const QVariant action = item->data(actionRole);
    const QVariant box = item->data(boxRole);
    dismiss();
    if (action.isValid()) {
        auto* command = static_cast<QAction*>(action.value<void*>());
        m_recent.removeAll(command->objectName());
        m_recent.prepend(command->objectName());
        m_recent = m_recent.mid(0, maxRecent);
        command->trigger();
    } else if (box.isValid()) {
        const auto packed = box.toULongLong();
        emit nodeChosen((packed & 1U) != 0 ? Side::Target : Side::Source, static_cast<std::uint32_t>(packed >> 1U));
    }
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_query && event->type() == QEvent::FocusOut && isVisible()) {
        hide();
    }
    if (watched == m_query && event->type() == QEvent::KeyPress) {
        const auto key = static_cast<QKeyEvent*>(event)->key();
        const int rows = m_list->count();
        switch (key) {
        case Qt::Key_Escape:
            dismiss();
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            run();
            return true;
        case Qt::Key_Down:
        case Qt::Key_Up:
            if (rows > 0) {
                m_list->setCurrentRow((m_list->currentRow() + (key == Qt::Key_Down ? 1 : rows - 1)) % rows);
            }
            return true;
        default:
            break;
        }
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace crosswalk::ui
