#pragma once

#include "core/graph/tensor.h"

#include <QAbstractTableModel>

#include <cstdint>
#include <vector>

namespace crosswalk::ui {

/// One slice of a tensor as a table: its last two axes, with an index for each preceding axis. A vector is one column.
/// Values are read from the file on demand.
class TensorValuesModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    /// Very long axes are truncated.
    static constexpr std::int64_t maxRows = 1'000'000;
    static constexpr std::int64_t maxColumns = 20'000;

    using QAbstractTableModel::QAbstractTableModel;

    void setTensor(Tensor tensor);
    /// The sizes of the axes before the last two.
    const std::vector<std::int64_t>& leadingDims() const { return m_leading; }
    /// An index for each leading axis.
    void setSlice(std::vector<std::int64_t> indices);

    /// All rows and columns of the slice.
    Tensor slice() const;
    bool isTruncated() const { return m_rows > maxRows || m_columns > maxColumns; }
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    Tensor m_tensor;
    std::vector<std::int64_t> m_leading;
    std::int64_t m_rows = 0;
    std::int64_t m_columns = 0;
    std::int64_t m_offset = 0; ///< of the slice's first element
    mutable std::int64_t m_readRow = -1;
    mutable Tensor m_readValues; ///< values of the cached row, in memory
};

} // namespace crosswalk::ui
