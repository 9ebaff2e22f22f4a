#include "ui/models/details_model.h"

#include "ui/models/words.h"
#include "ui/theme/theme.h"

#include <QFont>

namespace crosswalk::ui {

// A section's index has the id 0, a detail's index has the number of its section plus one.

void DetailsModel::setSections(std::vector<DetailSection> sections)
{
    beginResetModel();
    m_sections = std::move(sections);
    std::erase_if(m_sections, [](const DetailSection& section) { return section.details.empty(); });
    endResetModel();
}

const Detail* DetailsModel::detail(const QModelIndex& index) const
{
    return index.isValid() && index.internalId() > 0
               ? &m_sections[index.internalId() - 1].details[static_cast<std::size_t>(index.row())]
               : nullptr;
}

QModelIndex DetailsModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent)) {
        return {};
    }
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : quintptr{0});
}

QModelIndex DetailsModel::parent(const QModelIndex& index) const
{
    if (!index.isValid() || index.internalId() == 0) {
        return {};
    }
    return createIndex(static_cast<int>(index.internalId() - 1), 0, quintptr{0});
}

int DetailsModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid()) {
        return static_cast<int>(m_sections.size());
    }
    return parent.internalId() == 0 && parent.column() == 0
               ? static_cast<int>(m_sections[static_cast<std::size_t>(parent.row())].details.size())
               : 0;
}

int DetailsModel::columnCount(const QModelIndex& /*parent*/) const
{
    return 2;
}

QVariant DetailsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) {
        return {};
    }
    if (index.internalId() == 0) {
        const auto& section = m_sections[static_cast<std::size_t>(index.row())];
        if (role == Qt::DisplayRole && index.column() == 0) {
            return section.title;
        }
        if (role == Qt::FontRole) {
            QFont font;
            font.setWeight(QFont::DemiBold);
            return font;
        }
        return {};
    }
    const Detail& detail = *this->detail(index);
    const bool isLink = detail.box || detail.boxes || detail.tensor;
    switch (role) {
    case Qt::DisplayRole:
        return index.column() == 0 ? detail.name : detail.value;
    case Qt::ToolTipRole:
        return toolTipText(detail.toolTip.isEmpty() && index.column() == 1 ? detail.value : detail.toolTip);
    case Qt::DecorationRole:
        return index.column() == 0 && !detail.icon.isNull() ? QVariant(detail.icon) : QVariant();
    case Qt::ForegroundRole:
        if (detail.emphasised) {
            return theme().warningText;
        }
        return index.column() == 0 || detail.isDefault ? theme().mutedText : isLink ? theme().link : theme().text;
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1: %2").arg(detail.name, detail.value);
    case BoxRole:
        return detail.box ? QVariant(*detail.box) : QVariant();
    case TensorRole:
        return detail.tensor ? QVariant(detail.tensor.index) : QVariant();
    case OtherSideRole:
        return detail.otherSide;
    case ShareRole:
        return detail.share;
    case IsNameRole:
        return detail.valueIsName;
    default:
        return {};
    }
}

QVariant DetailsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::DisplayRole) {
        return section == 0 ? tr("Name") : tr("Value");
    }
    return {};
}

} // namespace crosswalk::ui
