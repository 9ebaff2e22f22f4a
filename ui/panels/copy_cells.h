#pragma once

#include <QString>

#include <functional>

class QAbstractItemView;

namespace crosswalk::ui {

/// Adds an action for Ctrl+C and the context menu to a table. It copies all selected cells, in lines with tabs between
/// cells, where Qt's own copies only the current one. Calls `refuse` with the number of cells if they are too many for
/// the clipboard.
void addCopyAction(QAbstractItemView& table, const QString& text, const std::function<void(qint64)>& refuse);

} // namespace crosswalk::ui
