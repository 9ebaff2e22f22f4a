#include "ui/main_window/shortcuts_dialog.h"

#include "ui/models/words.h"

#include <QMessageBox>

#include <utility>

namespace crosswalk::ui {

void showShortcuts(QWidget* parent)
{
    const std::pair<QString, QString> rows[] = {
        {Words::tr("Wheel, Shift+wheel"), Words::tr("scroll vertically, horizontally")},
        {Words::tr("Ctrl+wheel, pinch"), Words::tr("zoom at the pointer")},
        {Words::tr("Drag on the background, middle button, Space+drag"), Words::tr("move the graph")},
        {Words::tr("Arrow up, down"), Words::tr("to a producer, to a consumer")},
        {Words::tr("Arrow left, right"), Words::tr("to a neighbour")},
        {Words::tr("Enter"), Words::tr("open a group or a body; go to a node's panel")},
        {Words::tr("Ctrl+Enter"), Words::tr("open a body in a tab")},
        {Words::tr("Backspace"), Words::tr("back to the previous node, then out of the group or body")},
        {Words::tr("Alt+Left, Alt+Right, mouse buttons"), Words::tr("back and forward through the selections")},
        {Words::tr("Shift+click, Shift+drag, Shift+arrows"), Words::tr("extend the selection")},
        {Words::tr("U, D, P, O"), Words::tr("select upstream, downstream, paths between; go to the counterpart")},
        {Words::tr("B, Ctrl+B, Ctrl+Shift+B"), Words::tr("bookmark, to the next one, to the one before")},
        {Words::tr("Double click, click on a group's title"), Words::tr("open a group or a body, close a group")},
        {Words::tr("E, C, Shift+E, Shift+C"), Words::tr("open a group, close it, open all, close all")},
        {Words::tr("F, 1, Z"), Words::tr("fit, 100 %, zoom to the selection")},
        {Words::tr("S, L"), Words::tr("show or hide the shapes on edges, the legend of the colours")},
        {Words::tr("Ctrl+Alt+1 to Ctrl+Alt+8"),
         Words::tr("colour by operator family, parameters, size, work, type, verdict, latency")},
        {Words::tr("Ctrl+F, Ctrl+K"), Words::tr("find a node, run a command")},
        {Words::tr("F6, Shift+F6, Esc"), Words::tr("to the next pane, the one before, back to the graph")},
        {Words::tr("Alt+1 to Alt+7"), Words::tr("show or hide a panel")},
        {Words::tr("F8, Shift+F8"), Words::tr("next, previous problem")},
        {Words::tr("F7, Shift+F7"), Words::tr("next, previous difference of two models")},
        {Words::tr("Ctrl+O, Ctrl+Shift+F, Ctrl+Shift+M"), Words::tr("open a file, a folder, a folder as a collection")},
        {Words::tr("Ctrl+T, Ctrl+W, Ctrl+Tab"), Words::tr("new tab, close tab, next tab")},
        {Words::tr("Ctrl+E, Ctrl+R"), Words::tr("export, verify")},
        {Words::tr("Ctrl+1, Ctrl+2, Ctrl+3"), Words::tr("show the source, both graphs, ONNX")},
        {Words::tr("Ctrl+J, M"), Words::tr("collapse or open the panels below the graphs, show the graphs alone")},
        {Words::tr("Ctrl+L, Ctrl+Shift+L"), Words::tr("link the panes, stack them")},
        {Words::tr("Ctrl+P, then 1 and 7"), Words::tr("opset 17, and so on")},
        {Words::tr("Ctrl+,"), Words::tr("settings")},
        {Words::tr("Ctrl+Z"), Words::tr("undo an edit or a choice")},
    };
    QString table = QStringLiteral("<table cellspacing='0' cellpadding='3'>");
    for (const auto& [keys, what] : rows) {
        table += QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;&nbsp;</td><td>%2</td></tr>")
                     .arg(keys.toHtmlEscaped(), what.toHtmlEscaped());
    }
    auto* box = new QMessageBox(QMessageBox::NoIcon, Words::tr("Keys and mouse"), table + QStringLiteral("</table>"),
                                QMessageBox::Ok, parent);
    box->setTextFormat(Qt::RichText);
    box->setObjectName(QStringLiteral("shortcutsDialog"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

} // namespace crosswalk::ui
