#pragma once

#include "ui/document/document.h"
#include "ui/models/outline_model.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QTabBar;
class QTreeView;

namespace crosswalk::ui {

/// Tree of one side's nodes with a search as one types. Follows the selection, and selects.
class OutlinePanel final : public QWidget {
    Q_OBJECT
public:
    explicit OutlinePanel(Document& document, QWidget* parent = nullptr);

    /// The side that is listed.
    Side side() const { return m_side; }
    void showSide(Side side);
    void focusSearch();
    OutlineModel* model() { return &m_model; }

signals:
    /// The user went to a node here: the canvases bring it into view.
    void activated();

private:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void refresh();
    void filter(const QString& query);
    void followSelection();
    void choose(const QModelIndex& index);

    Document& m_document;
    Side m_side = Side::Source;
    OutlineModel m_model;
    QTabBar* m_sides;
    QLineEdit* m_search;
    QTreeView* m_tree;
    QLabel* m_empty;
    bool m_following = false;
};

} // namespace crosswalk::ui
