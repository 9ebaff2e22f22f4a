#pragma once

#include "core/formats/read_model.h"

#include <QAbstractTableModel>

#include <cstddef>
#include <string>

namespace crosswalk::ui {

/// The signatures of a model with their inputs and outputs. The one in use is marked.
class SignaturesModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { NameColumn, InputsColumn, OutputsColumn, ColumnCount };
    using List = decltype(LoadedModel::signatures);
    using QAbstractTableModel::QAbstractTableModel;

    void setSignatures(List signatures);
    const std::string& name(int row) const { return m_signatures[static_cast<std::size_t>(row)].name; }
    /// -1 if none is in use.
    int usedRow() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    List m_signatures;
};

} // namespace crosswalk::ui
