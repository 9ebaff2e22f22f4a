#pragma once

#include <QString>

class QWidget;

namespace crosswalk::ui {

/// Sets the style sheet of all windows, those that are created later included. A window, or a part of one that is
/// styled apart, which is hidden now gets it when it is next shown. The first call is made before any widget exists.
void setStyleSheet(const QString& sheet);

/// Styles a part of a window apart from the rest of it. The hundreds of widgets of one open model take Qt 30 ms or
/// more: a window with many models in tabs would stall if all were styled at once.
void styleApart(QWidget& part);

} // namespace crosswalk::ui
