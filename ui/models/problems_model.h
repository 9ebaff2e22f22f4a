#pragma once

#include "core/base/diagnostic.h"
#include "core/convert/options.h"

#include <QAbstractTableModel>

#include <map>

namespace crosswalk::ui {

/// Findings about the open model, one row each, the gravest first. Editing the last column picks a strategy.
class ProblemsModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { NodeColumn, OperatorColumn, MessageColumn, ChoiceColumn, ColumnCount };
    enum Role { SeverityRole = Qt::UserRole, CodeRole };
    using QAbstractTableModel::QAbstractTableModel;

    void setProblems(std::vector<Diagnostic> problems);
    /// The strategies that the user has picked, by node.
    void setPicked(std::map<std::string, Strategy, std::less<>> picked, Strategy common);
    const Diagnostic& problem(int row) const { return m_problems[static_cast<std::size_t>(row)]; }
    int count(Severity severity) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

signals:
    void strategyPicked(const std::string& node, crosswalk::Strategy strategy);

private:
    QString currentChoice(const Diagnostic& problem) const;

    std::vector<Diagnostic> m_problems;
    std::map<std::string, Strategy, std::less<>> m_picked;
    Strategy m_common = Strategy::Exact;
};

/// "Exact (about 3 x slower)": a choice as lists and buttons show it.
QString choiceText(const Choice& choice);

} // namespace crosswalk::ui
