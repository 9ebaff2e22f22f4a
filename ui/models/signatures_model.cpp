#include "ui/models/signatures_model.h"

#include "ui/models/shape_text.h"
#include "ui/theme/icons.h"

#include <QFont>

#include <algorithm>

namespace crosswalk::ui {
namespace {

QString listed(const std::vector<std::string>& keys)
{
    QStringList names;
    for (const std::string& key : keys) {
        names.append(displayText(key));
    }
    return names.isEmpty() ? QStringLiteral("\u2013") : names.join(QStringLiteral(", "));
}

} // namespace

void SignaturesModel::setSignatures(List signatures)
{
    beginResetModel();
    m_signatures = std::move(signatures);
    endResetModel();
}

int SignaturesModel::usedRow() const
{
    const auto used = std::ranges::find_if(m_signatures, [](const auto& signature) { return signature.isUsed; });
    return used != m_signatures.end() ? static_cast<int>(used - m_signatures.begin()) : -1;
}

int SignaturesModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_signatures.size());
}

int SignaturesModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int{ColumnCount};
}

QVariant SignaturesModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const auto& signature = m_signatures[static_cast<std::size_t>(index.row())];
    const QString texts[] = {displayText(signature.name), listed(signature.inputs), listed(signature.outputs)};
    switch (role) {
    case Qt::DisplayRole:
        return texts[index.column()];
    case Qt::ToolTipRole:
        return QStringLiteral("%1\n%2 \u2192 %3\n%4")
            .arg(texts[NameColumn], texts[InputsColumn], texts[OutputsColumn],
                 signature.isUsed ? tr("In use") : tr("Click or press Enter to use it"));
    case Qt::AccessibleTextRole:
        return index.column() == NameColumn && signature.isUsed ? tr("%1, in use").arg(texts[NameColumn])
                                                                : texts[index.column()];
    case Qt::DecorationRole:
        return index.column() == NameColumn && signature.isUsed
                   ? QVariant(icon(QLatin1String("check"), IconTint::Exact))
                   : QVariant();
    case Qt::FontRole: {
        QFont font;
        font.setWeight(signature.isUsed ? QFont::DemiBold : QFont::Normal);
        return index.column() == NameColumn ? QVariant(font) : QVariant();
    }
    default:
        return {};
    }
}

QVariant SignaturesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    return section == NameColumn ? tr("Signature") : section == InputsColumn ? tr("Inputs") : tr("Outputs");
}

} // namespace crosswalk::ui
