#pragma once

#include "core/report/layer_table.h"
#include "core/verify/node_check.h"
#include "ui/document/graph_side.h"

#include <QAbstractTableModel>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace crosswalk::ui {

/// The layers of a model: a row per node. Sorts and filters its rows itself, because a model may have a hundred
/// thousand of them.
class LayersModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        NameColumn,
        OperatorColumn,
        OutputColumn,
        ParametersColumn,
        SizeColumn,
        WorkColumn,
        VerdictColumn,
        ErrorColumn,
        LatencyColumn,
        ColumnCount
    };
    using QAbstractTableModel::QAbstractTableModel;

    /// Both may be null. The table belongs to the graph of the side.
    void setTable(std::shared_ptr<const GraphSide> side, std::shared_ptr<const LayerTable> table);
    /// The errors that a column shows; null: none.
    void setCheck(std::shared_ptr<const NodeCheck> check);
    bool hasErrors() const { return m_check != nullptr; }
    /// The times that a column shows in seconds, by node; empty: none.
    void setLatencies(std::vector<std::optional<double>> latencies);
    bool hasLatencies() const { return !m_latencies.empty(); }
    /// Keeps the rows in which every word of the query occurs in the name, the operator, the output or the verdict.
    void setFilter(const QString& query);
    int layerCount() const { return m_table ? static_cast<int>(m_table->rows.size()) : 0; }

    NodeId nodeAt(int row) const;
    /// -1 for a node that is not listed.
    int rowOf(NodeId node) const;
    /// The rows as tab-separated values, below a line with the headers.
    QString textOf(const std::vector<int>& rows) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    /// By a negative column: in the order of the graph.
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

private:
    const LayerRow& layer(int row) const { return m_table->rows[m_shown[static_cast<std::size_t>(row)]]; }
    std::optional<double> latency(const LayerRow& layer) const;
    bool isShown(int column) const;
    QString text(const LayerRow& layer, int column) const;
    QString toolTip(const LayerRow& layer, int column) const;
    std::string searchText(const LayerRow& layer) const;
    void rebuild();
    void filter(std::vector<std::uint32_t>& shown) const;
    void order();

    std::shared_ptr<const GraphSide> m_side;
    std::shared_ptr<const LayerTable> m_table;
    std::shared_ptr<const NodeCheck> m_check;
    std::vector<std::optional<double>> m_latencies;
    std::vector<std::string> m_words; ///< of the filter
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
    std::vector<std::uint32_t> m_shown; ///< rows of the table, in the order shown
    std::vector<int> m_rowOfNode;       ///< by node; -1: not shown
};

} // namespace crosswalk::ui
