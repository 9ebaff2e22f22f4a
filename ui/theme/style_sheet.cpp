// Styles that Fusion's palette cannot express: flat docks and tabs, one primary button, quiet headers.

#include "ui/theme/theme.h"

#include <QString>

namespace crosswalk::ui {
namespace {

const char16_t* const sheet = uR"(
QMainWindow::separator { background: @line; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: @accent; }
QMenuBar { background: @window; padding: 2px 4px; border-bottom: 1px solid @line; }
QMenuBar::item { padding: 4px 9px; border-radius: 5px; background: transparent; }
QMenuBar::item:selected { background: @accentSoft; }
QMenu { background: @raised; border: 1px solid @strongLine; padding: 5px; }
QMenu::item { padding: 5px 26px 5px 10px; border-radius: 4px; }
QMenu::item:selected { background: @accentSoft; color: @text; }
QMenu::item:disabled { color: @disabledText; }
QMenu::separator { height: 1px; background: @line; margin: 5px 4px; }
QMenu::icon { padding-left: 6px; }
QToolBar { background: @window; border: none; border-bottom: 1px solid @line; padding: 5px 8px; spacing: 4px; }
QToolBar::separator { background: @line; width: 1px; margin: 4px 6px; }
QToolButton { border: 1px solid transparent; border-radius: 6px; padding: 5px 8px; background: transparent; }
QToolButton:hover { background: @hoverGround; }
QToolButton:pressed, QToolButton:checked { background: @accentSoft; }
QToolButton:focus { border-color: @accent; }
QToolButton:disabled { color: @disabledText; }
QToolButton[compact="true"] { padding: 3px; }
QToolButton[link="true"] { padding: 0; color: @link; }
QToolButton#qt_toolbar_ext_button { padding: 0; qproperty-icon: url(:/icons/more-@shade.svg); }
QDockWidget > QWidget { background: @panel; }
#strategyTable, #problemCard { border-radius: 6px; background: @softInfo; }
#problemCard[severity="warning"] { background: @softWarning; }
#problemCard[severity="error"] { background: @softError; }
QPushButton { border: 1px solid @strongLine; border-radius: 6px; padding: 5px 13px; background: @raised; }
QPushButton:hover { background: @hoverGround; }
QPushButton:pressed { background: @accentSoft; }
QPushButton:focus { border-color: @accent; }
QPushButton:disabled { color: @disabledText; border-color: @line; }
QPushButton[primary="true"], QToolButton[primary="true"] { background: @accent; color: @accentText; border: 1px solid @accent;
    font-weight: 600; padding: 5px 14px; }
QPushButton[primary="true"]:hover, QToolButton[primary="true"]:hover { background: @accentHover; }
QPushButton[primary="true"]:focus, QToolButton[primary="true"]:focus { border: 1px solid @text; }
QPushButton[primary="true"]:disabled, QToolButton[primary="true"]:disabled { background: @line; border-color: @line;
    color: @mutedText; }
QLineEdit, QComboBox, QSpinBox { background: @field; border: 1px solid @strongLine; border-radius: 6px; padding: 4px 7px;
    selection-background-color: @accent; selection-color: @accentText; }
QLineEdit:focus, QComboBox:focus, QSpinBox:focus { border-color: @accent; }
QLineEdit[invalid="true"] { border: 1px solid @unsupported; background: @softError; }
QAbstractItemView QLineEdit, QAbstractItemView QComboBox { border-radius: 3px; padding: 0px 4px; }
QRadioButton::indicator { width: 12px; height: 12px; border: 1px solid @mutedText; border-radius: 7px; background: @field; }
QRadioButton::indicator:checked { width: 6px; height: 6px; border: 4px solid @accent; background: @accentText; }
QRadioButton:focus, QCheckBox:focus { color: @link; }
QCheckBox { spacing: 8px; }
QCheckBox::indicator { width: 14px; height: 14px; border: 1px solid @mutedText; border-radius: 4px; background: @field; }
QCheckBox::indicator:checked { border-color: @accent; background: @accent; image: url(:/icons/tick.svg); }
QComboBox::drop-down { border: none; width: 20px; }
QComboBox::down-arrow { image: url(:/icons/combo-@shade.svg); width: 16px; height: 16px; }
QComboBox QAbstractItemView { background: @raised; border: 1px solid @strongLine; }
QDockWidget { titlebar-close-icon: none; titlebar-normal-icon: none; }
QTabBar { background: @panel; qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: @mutedText; padding: 6px 12px; border: none; border-bottom: 2px solid transparent; }
QTabBar::tab:hover { color: @text; }
QTabBar::tab:selected { color: @text; border-bottom: 2px solid @accent; }
QTabBar::tab:focus { color: @link; }
QTabBar[closable="true"] { background: @window; border-bottom: 1px solid @line; }
QTabBar[closable="true"]::tab { max-width: 280px; padding: 7px 6px 7px 12px; border-right: 1px solid @line; }
QTabBar[closable="true"]::tab:selected { background: @panel; }
QTreeView, QTableView, QListView, QTextBrowser, QScrollArea { background: @panel; border: none; outline: 0;
    alternate-background-color: @panel; }
QTreeView, QTableView, QListView { border: 1px solid @panel; }
QTreeView:focus, QTableView:focus, QListView:focus { border-color: @accent; }
QTreeView::item, QListView::item { padding: 3px 2px; border: none; }
QTableView::item { padding: 2px 6px; border: none; }
QTreeView::item:hover, QListView::item:hover, QTableView::item:hover { background: @hoverGround; }
QTreeView::item:selected, QListView::item:selected, QTableView::item:selected { background: @accentSoft; color: @text; }
QHeaderView { background: @panel; border: none; }
QHeaderView::section { background: @panel; color: @mutedText; border: none; border-bottom: 1px solid @line; padding: 5px 6px; }
#colourLegend { background: @raised; border: 1px solid @line; border-radius: 8px; }
#toast { background: @raised; border: 1px solid @strongLine; border-radius: 8px; }
#colourLegend QToolButton { padding: 1px 6px; }
#commandPalette { background: @raised; border: 1px solid @strongLine; border-radius: 10px; }
#commandList { background: transparent; border: none; }
QStatusBar { background: @window; border-top: 1px solid @line; }
QStatusBar::item { border: none; }
QStatusBar QLabel { color: @mutedText; padding: 2px 5px; border: 1px solid @window; border-radius: 4px; }
QStatusBar QLabel:focus { border-color: @accent; }
QSplitter::handle { background: @line; }
QSplitter::handle:hover { background: @accent; }
QToolTip { background: @raised; color: @text; border: 1px solid @strongLine; padding: 5px 7px; }
QScrollBar:vertical { background: transparent; width: 11px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 11px; margin: 0; }
QScrollBar::handle { background: @strongLine; border-radius: 3px; margin: 2px 3px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; margin: 3px 2px; }
QScrollBar::handle:hover { background: @mutedText; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QProgressBar { border: none; border-radius: 2px; background: @line; max-height: 4px; }
QProgressBar::chunk { background: @accent; border-radius: 2px; }
QLabel[muted="true"] { color: @mutedText; }
QLabel[alarming="true"] { color: @errorText; }
)";

} // namespace

QString Theme::styleSheet() const
{
    const std::pair<const char*, QColor> names[] = {
        {"@accentText", accentText},
        {"@accentHover", accentHover},
        {"@accentSoft", accentSoft},
        {"@accent", accent},
        {"@strongLine", strongLine},
        {"@line", line},
        {"@window", window},
        {"@panel", panel},
        {"@field", field},
        {"@raised", raised},
        {"@mutedText", mutedText},
        {"@disabledText", disabledText},
        {"@errorText", errorText},
        {"@text", text},
        {"@link", link},
        {"@unsupported", unsupported},
        {"@softError", softError},
        {"@softWarning", softWarning},
        {"@softInfo", softInfo},
        {"@hoverGround", mix(window, text, isDark ? 0.10 : 0.06)},
    };
    QString result = QString::fromUtf16(sheet);
    // A style sheet cannot tint an image: there is one image per theme, in its muted text colour.
    result.replace(QLatin1String("@shade"), isDark ? QLatin1String("dark") : QLatin1String("light"));
    for (const auto& [name, color] : names) {
        result.replace(QLatin1String(name), color.name());
    }
    return result;
}

} // namespace crosswalk::ui
