#pragma once

#include "ui/document/document.h"
#include "ui/models/problems_model.h"

#include <QWidget>

class QLabel;
class QMenu;
class QTreeView;

namespace crosswalk::ui {

/// What reading and converting found, by cause. A click or Enter goes to the node, or to all of a cause; the last
/// column, F2 and the context menu pick another strategy, for one node or for all of the cause.
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
    /// The same, of a node in a body.
    void bodyActivated(const crosswalk::GraphPath& path, crosswalk::NodeId node);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    void go(const QModelIndex& index);
    void editStrategy(const QModelIndex& index);
    void showMenu(const QPoint& place);
    void addStrategies(QMenu& menu, const QModelIndex& index, const QString& title);
    std::optional<std::uint32_t> boxOf(const Diagnostic& problem) const;

    Document& m_document;
    ProblemsModel m_model;
    QTreeView* m_table;
    QLabel* m_empty;
};

} // namespace crosswalk::ui
