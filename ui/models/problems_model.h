#pragma once

#include "crosswalk/options.h"
#include "ui/document/graph_side.h"
#include "ui/document/problem_causes.h"

#include <QAbstractItemModel>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace crosswalk::ui {

/// Problems of the open model, the most severe first, grouped below their cause if it affects several nodes. Editing
/// the last column selects a strategy for one node or for all of a cause.
class ProblemsModel final : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { NodeColumn, OperatorColumn, MessageColumn, ChoiceColumn, ColumnCount };
    /// ActionRole: the text of the button that resolves the problem; empty if there is none.
    enum Role { SeverityRole = Qt::UserRole, CodeRole, ActionRole };
    using QAbstractItemModel::QAbstractItemModel;

    void setProblems(std::vector<Diagnostic> problems);
    /// The same with the blocked nodes of the causes; `side` has their names.
    void setProblems(std::vector<Diagnostic> problems, std::vector<ProblemCause> causes,
                     std::shared_ptr<const GraphSide> side);
    /// The strategies that the user selected, by node.
    void setPicked(std::map<std::string, Strategy, std::less<>> picked, Strategy common);
    int count(Severity severity) const;

    /// The problems of a row: one, or all of its cause.
    std::vector<const Diagnostic*> problemsAt(const QModelIndex& index) const;
    /// Whether the row represents several problems.
    bool isCause(const QModelIndex& index) const;
    /// The rows of single problems below a row.
    int problemRows(const QModelIndex& index) const;
    /// The node of a row for a blocked node; invalid for any other row.
    NodeId blockedAt(const QModelIndex& index) const;
    /// The nodes that a top-level row blocks.
    const std::vector<NodeId>& blockedBy(const QModelIndex& index) const { return cause(index).blocked; }
    /// The row of the cause that a row belongs to: the row itself if it is a top-level row.
    QModelIndex causeOf(const QModelIndex& index) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

signals:
    void strategyPicked(const std::vector<std::string>& nodes, crosswalk::Strategy strategy);

private:
    const ProblemCause& cause(const QModelIndex& index) const;
    QVariant causeData(const ProblemCause& cause, int column, int role) const;
    QVariant problemData(const Diagnostic& problem, int column, int role) const;
    QString currentChoice(const Diagnostic& problem) const;
    QString commonChoice(const ProblemCause& cause) const;
    QString causeText(const ProblemCause& cause) const;
    QVariant blockedData(NodeId node, int column, int role) const;

    std::vector<Diagnostic> m_problems;
    std::vector<ProblemCause> m_causes;
    std::shared_ptr<const GraphSide> m_side; ///< null without blocked nodes
    std::map<std::string, Strategy, std::less<>> m_picked;
    Strategy m_common = Strategy::Exact;
};

/// What a button for the problem does: "Choose…" for missing weights, "Give shapes…", "Map or cut…" for an operator
/// that is not converted; empty if there is none.
QString actionText(const Diagnostic& problem);

/// "Exact (about 3 x slower)": a choice as lists and buttons show it.
QString choiceText(const Choice& choice);

} // namespace crosswalk::ui
