#pragma once

#include "ui/document/document.h"
#include "ui/models/problems_model.h"

#include <QWidget>

class QLabel;
class QTreeView;

namespace crosswalk::ui {

/// What reading and converting found. A click goes to the node, the last column picks another strategy.
class ProblemsPanel final : public QWidget {
    Q_OBJECT
public:
    explicit ProblemsPanel(Document& document, QWidget* parent = nullptr);

    ProblemsModel* model() { return &m_model; }
    /// Goes to the next (1) or previous (-1) problem, round and round, and selects its node.
    void step(int direction);

signals:
    /// The user went to a problem: the canvases bring its node into view.
    void activated();

private:
    void refresh();
    void go(int row);

    Document& m_document;
    ProblemsModel m_model;
    QTreeView* m_table;
    QLabel* m_empty;
};

} // namespace crosswalk::ui
