#pragma once

#include "ui/document/document_view.h"
#include "ui/models/problems_model.h"

#include <QWidget>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

class QLabel;
class QMenu;
class QTreeView;

namespace crosswalk::ui {

/// The problems found while reading and converting, grouped by cause. A click or Enter reveals the node, or all nodes
/// of a cause. The last column, F2 and the context menu select another strategy for one node or for all of the cause.
class ProblemsPanel final : public QWidget {
    Q_OBJECT
public:
    ProblemsPanel(const DocumentView& document, Selection& selection, QWidget* parent = nullptr);

    ProblemsModel* model() { return &m_model; }
    /// Selects the node of the next (1) or previous (-1) problem, wrapping around.
    void step(int direction);

signals:
    /// The user selected a problem: the canvases must reveal its node.
    void activated();
    /// The same for a node in a body.
    void bodyActivated(const crosswalk::GraphPath& path, crosswalk::NodeId node);
    /// The button of a problem: the user wants to choose the weights, or to give the shapes of the inputs.
    void weightsAsked();
    void shapesAsked();
    /// From the menu of an unsupported operator: map it to a custom operator, or cut the model in front of the selected
    /// nodes.
    void customOperatorAsked(const crosswalk::Diagnostic& problem);
    void cutAsked();
    void strategyPicked(const std::vector<std::string>& nodes, crosswalk::Strategy strategy);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    void go(const QModelIndex& index);
    /// Does what the button of a row is for; returns false if it has none.
    bool act(const QModelIndex& index);
    void editStrategy(const QModelIndex& index);
    void showMenu(const QPoint& place);
    QMenu* makeMenu();
    void showOperatorMenu(const QModelIndex& index);
    void addOperatorActions(QMenu& menu, const QModelIndex& index);
    void addStrategies(QMenu& menu, const QModelIndex& index, const QString& title);
    std::optional<std::uint32_t> boxOf(const Diagnostic& problem) const;

    const DocumentView& m_document;
    Selection& m_selection;
    ProblemsModel m_model;
    QTreeView* m_table;
    QLabel* m_empty;
};

} // namespace crosswalk::ui
