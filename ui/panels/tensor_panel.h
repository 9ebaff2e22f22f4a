#pragma once

#include "core/graph/tensor_statistics.h"
#include "ui/document/document.h"
#include "ui/models/tensor_values_model.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QStackedLayout;
class QTableView;

namespace crosswalk::ui {

class HistogramView;
class SlicePicker;

/// The stored tensors of the selected node: type, size, statistics, histogram, and the values of any slice. Reads
/// weights only while it is visible.
class TensorPanel final : public QWidget {
    Q_OBJECT
public:
    explicit TensorPanel(Document& document, QWidget* parent = nullptr);

    /// Shows this tensor of the selected node.
    void showTensor(ValueId value);
    /// Whether the panel can be seen: behind another dock, a widget still counts as visible.
    void setSeen(bool isSeen);
    /// Asks for a file name and writes the shown tensor to it.
    void askExport();

signals:
    void exported(const QString& path);
    void exportFailed(const QString& problem);

private:
    void refresh();
    void fill();
    void choose();
    void measure();
    void showStatistics(const std::optional<TensorStatistics>& statistics);

    Document& m_document;
    JobRunner m_measuring;
    JobRunner m_writing;
    std::shared_ptr<const Graph> m_graph; ///< keeps the graph of the shown tensor alive
    std::vector<ValueId> m_values;        ///< stored values of the selected node
    QStringList m_names;                  ///< names of m_values
    bool m_isSeen = false;
    bool m_isStale = false;           ///< the values changed while the panel was hidden, and it shows none of them
    const Tensor* m_tensor = nullptr; ///< the shown tensor, part of m_graph
    const Tensor* m_measured = nullptr;
    TensorValuesModel m_model;

    QComboBox* m_choice;
    QLabel* m_type;
    QLabel* m_statistics;
    HistogramView* m_histogram;
    QPushButton* m_export;
    SlicePicker* m_slice;
    QTableView* m_table;
    QWidget* m_content;
    QLabel* m_empty;
    QStackedLayout* m_pages;
};

} // namespace crosswalk::ui
