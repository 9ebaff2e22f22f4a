#pragma once

#include "ui/collection/collection_job.h"
#include "ui/collection/model_verdict.h"

#include <QAbstractTableModel>
#include <QHash>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace crosswalk::ui {

/// The models of a collection, one row each.
class CollectionTable final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        NameColumn,
        FormatColumn,
        SizeColumn,
        VerdictColumn,
        ProblemsColumn,
        ArchitectureColumn,
        TimeColumn,
        ColumnCount
    };
    enum Role { SortRole = Qt::UserRole };
    struct Row {
        FoundModel found;
        std::uint64_t weightsBytes = 0;
        std::optional<ModelOutcome> outcome;
    };
    using QAbstractTableModel::QAbstractTableModel;

    void setModels(std::vector<FoundModel> models);
    /// Sets or replaces the outcomes of models. A file that is only the weights of another model loses its row.
    void add(const std::vector<FinishedModel>& finished);
    /// All models are unchecked again.
    void forgetOutcomes();

    const Row& at(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    ModelVerdict verdict(int row) const { return modelVerdict(at(row).outcome); }
    std::vector<CollectionModel> models() const;
    std::vector<CollectionModel> uncheckedModels() const;
    /// Unchecked models count as cancelled.
    CollectionReport report() const;
    /// What a filter searches: name, format, verdict and problems, in lower case.
    QString searchText(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    struct Group {
        int number = 0; ///< by descending number of models; 0 for a single model
        int models = 0;
    };
    Group groupOf(const Row& row) const;
    QString text(const Row& row, int column) const;
    QVariant sortKey(const Row& row, int column) const;
    QString toolTip(const Row& row, int column) const;
    void groupArchitectures();

    std::vector<Row> m_rows;
    QHash<QString, int> m_rowOfName;
    QHash<QString, Group> m_groups; ///< by architecture
};

/// The display name of a format.
QString formatName(const std::string& format);
/// The first problem that matters most, and how many more there are.
QString problemsText(const ModelOutcome& outcome);

} // namespace crosswalk::ui
