#pragma once

#include "core/graph/channel_statistics.h"

#include <QAbstractTableModel>

#include <vector>

namespace crosswalk::ui {

/// Statistics of the channels of a tensor, one per row.
class ChannelsModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        ChannelColumn,
        MinimumColumn,
        MaximumColumn,
        MeanColumn,
        DeviationColumn,
        ZeroColumn,
        NotFiniteColumn,
        OutlierColumn,
        ColumnCount
    };
    static constexpr int sortRole = Qt::UserRole; ///< a number; invalid where there is none

    using QAbstractTableModel::QAbstractTableModel;

    void setChannels(std::vector<ChannelStatistics> channels);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    std::vector<ChannelStatistics> m_channels;
};

} // namespace crosswalk::ui
