#pragma once

#include "ui/document/document_view.h"
#include "ui/models/layers_model.h"

#include <QWidget>

#include <vector>

class QLabel;
class QLineEdit;
class QTreeView;

namespace crosswalk::ui {

/// The layers of the source: a table that can be sorted, filtered and copied. Selecting rows selects their nodes, and
/// the selection of the graphs is selected here. Does nothing while it cannot be seen.
class LayersPanel final : public QWidget {
    Q_OBJECT
public:
    LayersPanel(const DocumentView& document, Selection& selection, QWidget* parent = nullptr);

    /// Whether the panel can be seen: behind another dock, a widget still counts as visible.
    void setSeen(bool isSeen);

signals:
    /// The user selected rows: the canvases must reveal their nodes.
    void activated();
    /// The user wants the table in a file.
    void saveAsked();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    void showCount();
    void select();
    void followSelection();
    void copy();
    void copyNames();
    void showMenu(const QPoint& place);
    std::vector<int> selectedRows() const;

    const DocumentView& m_document;
    Selection& m_selection;
    LayersModel m_model;
    bool m_isSeen = false;
    bool m_isStale = true; ///< the layers changed while the panel could not be seen
    bool m_following = false;
    QLineEdit* m_filter;
    QLabel* m_count;
    QTreeView* m_table;
    QLabel* m_empty;
};

} // namespace crosswalk::ui
