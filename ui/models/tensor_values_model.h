#pragma once

#include "core/graph/tensor.h"

#include <QAbstractTableModel>

namespace crosswalk::ui {

/// One slice of a tensor as a grid: its last two axes, with an index for each axis before. A vector is one column.
/// Values are read from the file as they are shown.
class TensorValuesModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    /// Of very long axes only the beginning is shown.
    static constexpr std::int64_t mostRows = 1'000'000;
    static constexpr std::int64_t mostColumns = 20'000;

    using QAbstractTableModel::QAbstractTableModel;

    void setTensor(Tensor tensor);
    /// The axes before the last two.
    const std::vector<std::int64_t>& leadingDims() const { return m_leading; }
    /// An index for each of them.
    void setSlice(std::vector<std::int64_t> indices);

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
    mutable std::vector<double> m_readValues; ///< of that row
};

} // namespace crosswalk::ui
