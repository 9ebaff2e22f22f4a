#include "ui/main_window/shortcuts_dialog.h"

#include "ui/controllers/menu_text.h"
#include "ui/models/words.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <utility>
#include <vector>

namespace crosswalk::ui {
namespace {

using Row = std::pair<QString, QString>; ///< keys, and what they do

/// What is not a command.
std::vector<Row> inGraphs()
{
    return {
        {Words::tr("Wheel, Shift+wheel"), Words::tr("scroll vertically, horizontally")},
        {Words::tr("Ctrl+wheel, pinch"), Words::tr("zoom at the pointer")},
        {Words::tr("Drag on the background, middle button, Space+drag"), Words::tr("move the graph")},
        {Words::tr("Arrow up, down"), Words::tr("to a producer, to a consumer")},
        {Words::tr("Arrow left, right"), Words::tr("to a neighbour")},
        {Words::tr("Enter"), Words::tr("open a group or a body; go to a node's panel")},
        {Words::tr("Ctrl+Enter"), Words::tr("open a body in a tab")},
        {Words::tr("Backspace"), Words::tr("back to the previous node, then out of the group or body")},
        {Words::tr("Shift+click, Shift+drag, Shift+arrows"), Words::tr("extend the selection")},
        {Words::tr("Double click, click on a group's title"), Words::tr("open a group or a body, close a group")},
        {Words::tr("Esc"), Words::tr("back to the graph; no selection")},
        {Words::tr("Ctrl+P, then 1 and 7"), Words::tr("opset 17, and so on")},
    };
}

std::vector<Row> ofCommands(const QList<QAction*>& commands)
{
    std::vector<Row> rows;
    for (const QAction* command : commands) {
        QStringList keys;
        for (const QKeySequence& sequence : command->shortcuts()) {
            keys.append(sequence.toString(QKeySequence::NativeText));
        }
        if (!keys.isEmpty()) {
            rows.emplace_back(keys.join(QStringLiteral(", ")), plainMenuText(command->text()));
        }
    }
    return rows;
}

QString section(const QString& title, const std::vector<Row>& rows)
{
    QString text = QStringLiteral("<h3>%1</h3><table cellspacing='0' cellpadding='3'>").arg(title.toHtmlEscaped());
    for (const auto& [keys, what] : rows) {
        text += QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;&nbsp;</td><td>%2</td></tr>")
                    .arg(keys.toHtmlEscaped(), what.toHtmlEscaped());
    }
    return text + QStringLiteral("</table>");
}

} // namespace

ShortcutsDialog::ShortcutsDialog(const QList<QAction*>& commands, QWidget* parent)
    : QDialog(parent)
{
    setObjectName(QStringLiteral("shortcutsDialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(Words::tr("Keys and mouse"));
    auto* text = new QTextBrowser(this);
    text->setObjectName(QStringLiteral("shortcutsText"));
    text->setAccessibleName(windowTitle());
    text->setHtml(section(Words::tr("In a graph"), inGraphs()) + section(Words::tr("Commands"), ofCommands(commands)));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(text, 1);
    layout->addWidget(buttons);
    constexpr int wanted = 640;
    resize(wanted, std::min(wanted, parent->height() * 9 / 10));
}

} // namespace crosswalk::ui
