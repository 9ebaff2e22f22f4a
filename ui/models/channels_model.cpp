#include "ui/models/channels_model.h"

#include "ui/models/number_text.h"

#include <QLocale>

namespace crosswalk::ui {

void ChannelsModel::setChannels(std::vector<ChannelStatistics> channels)
{
    beginResetModel();
    m_channels = std::move(channels);
    endResetModel();
}

int ChannelsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_channels.size());
}

int ChannelsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ChannelsModel::data(const QModelIndex& index, int role) const
{
    if (role == Qt::TextAlignmentRole) {
        return int{Qt::AlignRight | Qt::AlignVCenter};
    }
    if ((role != Qt::DisplayRole && role != sortRole) || !checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const ChannelStatistics& channel = m_channels[static_cast<std::size_t>(index.row())];
    const auto real = [&](double value) {
        if (channel.finite == 0) {
            return role == sortRole ? QVariant() : QVariant(QStringLiteral("\u2013"));
        }
        return role == sortRole ? QVariant(value) : QVariant(roundedText(value));
    };
    const auto whole = [role](std::int64_t value) {
        return role == sortRole ? QVariant(qint64{value}) : QVariant(QLocale().toString(qint64{value}));
    };
    switch (index.column()) {
    case ChannelColumn:
        return whole(index.row());
    case MinimumColumn:
        return real(channel.minimum);
    case MaximumColumn:
        return real(channel.maximum);
    case MeanColumn:
        return real(channel.mean);
    case DeviationColumn:
        return real(channel.deviation);
    case ZeroColumn:
        return whole(channel.zero);
    case NotFiniteColumn:
        return whole(channel.notFinite);
    case OutlierColumn:
        return whole(channel.outliers);
    default:
        return {};
    }
}

QVariant ChannelsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case ChannelColumn:
        return tr("Channel");
    case MinimumColumn:
        return tr("Minimum");
    case MaximumColumn:
        return tr("Maximum");
    case MeanColumn:
        return tr("Mean");
    case DeviationColumn:
        return tr("Deviation");
    case ZeroColumn:
        return tr("Zeros");
    case NotFiniteColumn:
        return tr("Not finite");
    case OutlierColumn:
        return tr("Outliers");
    default:
        return {};
    }
}

} // namespace crosswalk::ui
