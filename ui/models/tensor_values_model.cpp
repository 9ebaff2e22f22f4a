#include "ui/models/tensor_values_model.h"

#include "ui/models/number_text.h"

#include <algorithm>
#include <cassert>

namespace crosswalk::ui {

void TensorValuesModel::setTensor(Tensor tensor)
{
    beginResetModel();
    m_tensor = std::move(tensor);
    const auto& dims = m_tensor.dims();
    const bool isShown = isNumeric(m_tensor.type()) && byteSize(m_tensor.type()) != 0 && m_tensor.elements() > 0;
    m_leading.assign(dims.begin(), dims.end() - std::min<std::ptrdiff_t>(2, std::ssize(dims)));
    m_rows = !isShown ? 0 : dims.empty() ? 1 : dims.size() == 1 ? dims[0] : dims[dims.size() - 2];
    m_columns = !isShown ? 0 : dims.size() < 2 ? 1 : dims.back();
    m_offset = 0;
    m_readRow = -1;
    endResetModel();
}

void TensorValuesModel::setSlice(std::vector<std::int64_t> indices)
{
    assert(indices.size() == m_leading.size());
    beginResetModel();
    std::int64_t slice = 0;
    for (std::size_t axis = 0; axis < m_leading.size(); ++axis) {
        slice = slice * m_leading[axis] + indices[axis];
    }
    m_offset = slice * m_rows * m_columns;
    m_readRow = -1;
    endResetModel();
}

int TensorValuesModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(std::min(m_rows, maxRows));
}

int TensorValuesModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(std::min(m_columns, maxColumns));
}

QVariant TensorValuesModel::data(const QModelIndex& index, int role) const
{
    if (role == Qt::TextAlignmentRole) {
        return int{Qt::AlignRight | Qt::AlignVCenter};
    }
    if (role != Qt::DisplayRole || !checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    if (m_readRow != index.row()) {
        m_readRow = index.row();
        const Tensor row = m_tensor.range(m_offset + index.row() * m_columns, {columnCount()});
        m_readValues = Tensor::owned(row.type(), row.dims(), row.toBytes());
    }
    return elementText(m_readValues, index.column());
}

Tensor TensorValuesModel::slice() const
{
    return m_tensor.range(m_offset, {m_rows, m_columns});
}

QVariant TensorValuesModel::headerData(int section, Qt::Orientation /*orientation*/, int role) const
{
    return role == Qt::DisplayRole ? QVariant(section) : QVariant();
}

} // namespace crosswalk::ui
