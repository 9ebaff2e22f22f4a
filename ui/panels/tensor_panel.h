#pragma once

#include "core/graph/channel_statistics.h"
#include "core/graph/tensor_statistics.h"
#include "ui/document/document_view.h"
#include "ui/jobs/job_runner.h"
#include "ui/models/channels_model.h"
#include "ui/models/tensor_values_model.h"

#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QPushButton;
class QSortFilterProxyModel;
class QStackedLayout;
class QStackedWidget;
class QTabBar;
class QTableView;

namespace crosswalk::ui {

class HeatMapView;
class HistogramView;
class SlicePicker;

/// The stored tensors of the selected node: type, size, statistics, histogram, outliers; the values of any slice as a
/// table and as a heat map; statistics per channel. A weight that the other side stores as well can be replaced by that
/// one or by the difference. Reads weights only while it is visible.
class TensorPanel final : public QWidget {
    Q_OBJECT
public:
    explicit TensorPanel(const DocumentView& document, QWidget* parent = nullptr);

    /// The stored tensors of the selected node, and their names.
    const std::vector<ValueId>& tensors() const { return m_values; }
    const QStringList& names() const { return m_names; }
    bool hasTensor() const { return !m_values.empty(); }
    /// Shows this tensor of the selected node.
    void showTensor(ValueId value);
    /// Whether the panel can be seen: behind another dock, a widget still counts as visible.
    void setSeen(bool isSeen);
    /// Asks for a file name and writes the shown tensor to it.
    void askExport();

signals:
    void exported(const QString& path);
    void exportFailed(const QString& problem);
    void copyRefused(const QString& why);
    void internalErrorOccurred(const QString& activity, const QString& what);

private:
    void refresh();
    void fill();
    void choose();
    void measure();
    void showStatistics(const std::optional<TensorStatistics>& statistics);
    /// The stored tensor of the other side that corresponds to a value of this side.
    std::optional<Tensor> counterpartOf(ValueId value) const;
    void fillVersions(ValueId value);
    void showVersion();
    void show(const Tensor& tensor);
    void showSlice(const std::vector<std::int64_t>& indices);
    void showHeatMap();
    void measureChannels();
    void showOutliers(const TensorChannels& channels);

    const DocumentView& m_document;
    JobRunner m_measuring;
    JobRunner m_writing;
    std::shared_ptr<const Graph> m_graph; ///< keeps the graph of the shown tensor alive
    std::vector<ValueId> m_values;        ///< stored values of the selected node
    QStringList m_names;                  ///< names of m_values
    bool m_isSeen = false;
    bool m_isStale = false;           ///< the values changed while the panel was hidden, and it shows none of them
    const Tensor* m_tensor = nullptr; ///< the chosen tensor, part of m_graph
    std::optional<Tensor> m_other;    ///< the same weight on the other side
    Tensor m_shown;                   ///< m_tensor, m_other, or their difference
    bool m_isMeasured = false;
    std::optional<TensorStatistics> m_measures; ///< of m_shown
    JobRunner m_subtracting;
    JobRunner m_channelling;
    TensorValuesModel m_model;
    ChannelsModel m_channels;

    QComboBox* m_choice;
    QLabel* m_type;
    QLabel* m_statistics;
    HistogramView* m_histogram;
    QPushButton* m_export;
    SlicePicker* m_slice;
    QTableView* m_table;
    QComboBox* m_version;
    QTabBar* m_views;
    HeatMapView* m_heatMap;
    QTableView* m_channelTable;
    QComboBox* m_axis;
    QLabel* m_outliers;
    QStackedWidget* m_viewPages;
    QWidget* m_content;
    QLabel* m_empty;
    QStackedLayout* m_pages;
};

} // namespace crosswalk::ui
