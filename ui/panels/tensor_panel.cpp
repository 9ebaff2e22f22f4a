#include "ui/panels/tensor_panel.h"

#include "core/formats/model_files.h"
#include "core/layout/constants.h"
#include "ui/document/graph_selection.h"
#include "ui/document/npy_file.h"
#include "ui/models/number_text.h"
#include "ui/models/shape_text.h"
#include "ui/panels/copy_cells.h"
#include "ui/panels/heat_map_view.h"
#include "ui/panels/histogram_view.h"
#include "ui/panels/slice_picker.h"
#include "ui/theme/fonts.h"

#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QStackedLayout>
#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <utility>

namespace crosswalk::ui {
namespace {

constexpr std::size_t bins = 48;
constexpr int minPanelHeight = 176; ///< pixels: two rows of values and a readable histogram
constexpr int overviewWidth = 300;

} // namespace

TensorPanel::TensorPanel(const DocumentView& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_measuring(tr("Reading values"), this)
    , m_writing(tr("Writing values"), this)
    , m_subtracting(tr("Comparing values"), this)
    , m_channelling(tr("Measuring channels"), this)
    , m_choice(new QComboBox)
    , m_type(new QLabel)
    , m_statistics(new QLabel)
    , m_histogram(new HistogramView)
    , m_export(new QPushButton(tr("Save as .npy\u2026")))
    , m_slice(new SlicePicker)
    , m_table(new QTableView)
    , m_version(new QComboBox)
    , m_views(new QTabBar)
    , m_heatMap(new HeatMapView)
    , m_channelTable(new QTableView)
    , m_axis(new QComboBox)
    , m_outliers(new QLabel)
    , m_viewPages(new QStackedWidget)
    , m_content(new QWidget(this))
    , m_empty(new QLabel(this))
{
    setObjectName(QStringLiteral("tensorPanel"));
    m_choice->setObjectName(QStringLiteral("tensorChoice"));
    m_choice->setAccessibleName(tr("Tensor of the node"));
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_type->setObjectName(QStringLiteral("tensorType"));
    m_statistics->setObjectName(QStringLiteral("tensorStatistics"));
    m_statistics->setAccessibleName(tr("Statistics of the values"));
    m_statistics->setWordWrap(true);
    m_statistics->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_export->setObjectName(QStringLiteral("tensorExport"));
    m_slice->setObjectName(QStringLiteral("tensorSlice"));
    m_table->setObjectName(QStringLiteral("tensorValues"));
    m_table->setAccessibleName(tr("Values"));
    m_table->setModel(&m_model);
    m_table->setFont(rowFont());
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false); // otherwise Tab would visit every value and never leave
    m_table->horizontalHeader()->setDefaultSectionSize(112);
    m_table->verticalHeader()->setDefaultSectionSize(22);
    m_empty->setObjectName(QStringLiteral("tensorEmpty"));
    m_empty->setProperty("muted", true);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);

    auto* overview = new QWidget(m_content);
    overview->setFixedWidth(overviewWidth);
    auto* column = new QVBoxLayout(overview);
    column->setContentsMargins(12, 8, 12, 8);
    column->setSpacing(6);
    auto* first = new QHBoxLayout;
    first->addWidget(m_type, 1);
    first->addWidget(m_export);
    column->addWidget(m_choice);
    column->addLayout(first);
    column->addWidget(m_statistics);
    column->addWidget(m_histogram, 1);
    m_version->setObjectName(QStringLiteral("tensorVersion"));
    m_version->setAccessibleName(tr("Side of the values"));
    m_views->setObjectName(QStringLiteral("tensorViews"));
    m_views->setAccessibleName(tr("View of the values"));
    m_views->setExpanding(false);
    m_views->setUsesScrollButtons(true); // this panel must not determine the width of the graphs
    m_views->setMinimumWidth(80);
    for (const QString& title : {tr("Values"), tr("Heat map"), tr("Channels")}) {
        m_views->addTab(title);
    }
    m_axis->setObjectName(QStringLiteral("tensorAxis"));
    m_axis->setAccessibleName(tr("Axis of the channels"));
    m_outliers->setObjectName(QStringLiteral("tensorOutliers"));
    m_outliers->setAccessibleName(tr("Outliers"));
    m_outliers->setProperty("muted", true);
    m_outliers->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_outliers->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* sorted = new QSortFilterProxyModel(this);
    sorted->setSourceModel(&m_channels);
    sorted->setSortRole(ChannelsModel::sortRole);
    m_channelTable->setObjectName(QStringLiteral("tensorChannels"));
    m_channelTable->setAccessibleName(tr("Statistics per channel"));
    m_channelTable->setModel(sorted);
    m_channelTable->setSortingEnabled(true);
    m_channelTable->sortByColumn(ChannelsModel::ChannelColumn, Qt::AscendingOrder);
    m_channelTable->setFont(rowFont());
    m_channelTable->setShowGrid(false);
    m_channelTable->setTabKeyNavigation(false);
    m_channelTable->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_channelTable->verticalHeader()->hide();
    m_channelTable->verticalHeader()->setDefaultSectionSize(22);
    m_channelTable->horizontalHeader()->setDefaultSectionSize(92);
    auto* channels = new QWidget;
    auto* channelRow = new QHBoxLayout;
    channelRow->setContentsMargins(8, 4, 8, 4);
    channelRow->addWidget(m_axis);
    channelRow->addWidget(m_outliers, 1);
    auto* channelLayout = new QVBoxLayout(channels);
    channelLayout->setContentsMargins(0, 0, 0, 0);
    channelLayout->setSpacing(0);
    channelLayout->addLayout(channelRow);
    channelLayout->addWidget(m_channelTable, 1);
    m_viewPages->addWidget(m_table);
    m_viewPages->addWidget(m_heatMap);
    m_viewPages->addWidget(channels);

    auto* views = new QHBoxLayout;
    views->setContentsMargins(0, 0, 8, 0);
    views->addWidget(m_views);
    views->addWidget(m_slice, 1);
    views->addWidget(m_version);
    auto* values = new QVBoxLayout;
    values->setSpacing(0);
    values->addLayout(views);
    values->addWidget(m_viewPages, 1);
    auto* content = new QHBoxLayout(m_content);
    content->setContentsMargins(0, 0, 0, 0);
    content->setSpacing(0);
    content->addWidget(overview);
    content->addLayout(values, 1);
    // Reserves the same height for every content: the panels above must not move with the selection.
    m_content->setMinimumHeight(minPanelHeight);
    m_pages = new QStackedLayout(this);
    m_pages->addWidget(m_content);
    m_pages->addWidget(m_empty);

    connect(m_choice, &QComboBox::currentIndexChanged, this, &TensorPanel::choose);
    connect(m_slice, &SlicePicker::picked, this, &TensorPanel::showSlice);
    connect(m_version, &QComboBox::currentIndexChanged, this, &TensorPanel::showVersion);
    connect(m_axis, &QComboBox::currentIndexChanged, this, &TensorPanel::measureChannels);
    connect(m_views, &QTabBar::currentChanged, this, [this](int view) {
        m_viewPages->setCurrentIndex(view);
        measureChannels();
    });
    connect(&m_document, &DocumentView::conversionChanged, this, [this] {
        if (m_isSeen) {
            choose(); // the other side has other weights
        }
    });
    for (auto* job : {&m_measuring, &m_writing, &m_subtracting, &m_channelling}) {
        connect(job, &JobRunner::failed, this,
                [this, job](const QString& what) { emit internalErrorOccurred(job->activity(), what); });
    }
    connect(&m_measuring, &JobRunner::failed, m_statistics, &QLabel::clear);
    connect(&m_subtracting, &JobRunner::failed, m_type, &QLabel::clear);
    const auto refuseCopy = [this](qint64 cells) {
        emit copyRefused(tr("%L1 values are too many for the clipboard. Save them as .npy instead.").arg(cells));
    };
    addCopyAction(*m_table, tr("&Copy"), refuseCopy);
    addCopyAction(*m_channelTable, tr("&Copy"), refuseCopy);
    connect(m_export, &QPushButton::clicked, this, &TensorPanel::askExport);
    connect(&m_document.selection(), &Selection::changed, this, &TensorPanel::refresh);
    refresh();
    choose();
}

void TensorPanel::refresh()
{
    m_values.clear();
    m_graph.reset();
    const auto& side = m_document.side(m_document.selection().side());
    const auto& boxes = m_document.selection().boxes();
    QStringList names;
    if (side && boxes.size() == 1 && side->box(boxes.front()).node) {
        m_graph = side->graph;
        const auto add = [&](ValueId stored) {
            m_values.push_back(stored);
            names.append(displayText(m_graph->value(stored).name));
        };
        const Node& node = m_graph->node(side->box(boxes.front()).node);
        for (const auto value : node.inputs) {
            const auto behind = value ? storedBehind(*m_graph, side->isStoredAlone, value) : std::vector<ValueId>();
            std::ranges::for_each(behind, add);
        }
        for (const auto value : node.outputs) { // outputs of a constant or a variable
            if (value && storedTensor(*m_graph, value) != nullptr) {
                add(value);
            }
        }
    }
    m_pages->setCurrentWidget(m_values.empty() ? m_empty : m_content);
    m_empty->setText(boxes.size() == 1 ? tr("The selected node reads no stored tensor.")
                                       : tr("Select a node to see the values of its weights."));
    m_names = std::move(names);
    if (m_isSeen) {
        fill();
    } else if (!std::exchange(m_isStale, true)) {
        // The panel is hidden: drop its content, because the graph may change before the panel becomes visible.
        m_choice->clear();
    }
}

void TensorPanel::fill()
{
    m_isStale = false;
    {
        const QSignalBlocker quiet(m_choice);
        m_choice->clear();
        m_choice->addItems(m_names);
    }
    choose();
}

void TensorPanel::showTensor(ValueId value)
{
    if (m_isStale) {
        fill();
    }
    const auto found = std::find(m_values.begin(), m_values.end(), value);
    if (found != m_values.end()) {
        m_choice->setCurrentIndex(static_cast<int>(found - m_values.begin()));
    }
}

void TensorPanel::choose()
{
    const int at = m_choice->currentIndex();
    const ValueId value = at >= 0 && m_graph ? m_values[static_cast<std::size_t>(at)] : ValueId{};
    m_tensor = value ? storedTensor(*m_graph, value) : nullptr;
    m_other = m_tensor != nullptr ? counterpartOf(value) : std::nullopt;
    m_choice->setToolTip(m_choice->currentText());
    fillVersions(value);
    showVersion();
}

std::optional<Tensor> TensorPanel::counterpartOf(ValueId value) const
{
    const Side side = m_document.selection().side();
    const auto& other = m_document.side(side == Side::Source ? Side::Target : Side::Source);
    const auto& converted = m_document.converted();
    if (!other || !converted) {
        return std::nullopt;
    }
    // By name, as the conversion or two versions of a model keep it; otherwise the only one with these dimensions.
    const auto& exported = converted->conversion.valueNames;
    std::string name = m_graph->value(value).name;
    if (side == Side::Source && !converted->diff && value.index < exported.size() && !exported[value.index].empty()) {
        name = exported[value.index];
    }
    std::vector<const Tensor*> alike;
    for (const std::uint32_t box : m_document.selection().counterparts()) {
        const NodeId node = other->box(box).node;
        if (!node) {
            continue;
        }
        for (const ValueId input : other->graph->node(node).inputs) {
            const Tensor* stored = input ? storedTensor(*other->graph, input) : nullptr;
            if (stored == nullptr || stored->dims() != m_tensor->dims()) {
                continue;
            }
            if (other->graph->value(input).name == name) {
                return *stored;
            }
            alike.push_back(stored);
        }
    }
    return alike.size() == 1 ? std::optional(*alike.front()) : std::nullopt;
}

void TensorPanel::fillVersions(ValueId value)
{
    const QSignalBlocker quiet(m_version);
    const int before = m_version->currentIndex();
    m_version->clear();
    if (value && m_other) {
        const bool isSource = m_document.selection().side() == Side::Source;
        const bool isCompared = m_document.compared() != nullptr;
        const QString source = isCompared ? tr("Before") : tr("Source");
        const QString target = isCompared ? tr("After") : tr("ONNX");
        m_version->addItems({isSource ? source : target, isSource ? target : source});
        if (isNumeric(m_tensor->type()) && isNumeric(m_other->type())) {
            m_version->addItem(tr("Difference"));
        }
        m_version->setCurrentIndex(before < m_version->count() ? std::max(before, 0) : 0);
    }
    m_version->setVisible(m_version->count() > 0);
}

void TensorPanel::showVersion()
{
    m_subtracting.cancel();
    const int version = m_version->count() > 0 ? m_version->currentIndex() : 0;
    if (m_tensor == nullptr) {
        show(Tensor());
    } else if (version == 1) {
        show(*m_other);
    } else if (version == 2) {
        const bool isSource = m_document.selection().side() == Side::Source;
        show(Tensor());
        m_type->setText(tr("Comparing\u2026"));
        m_subtracting.run(
            this,
            [before = isSource ? *m_tensor : *m_other, after = isSource ? *m_other : *m_tensor](
                const std::stop_token& stop) { return differenceOf(before, after, stop); },
            [this](const std::optional<Tensor>& difference) { show(difference.value_or(Tensor())); });
    } else {
        show(*m_tensor);
    }
}

void TensorPanel::show(const Tensor& tensor)
{
    m_shown = tensor;
    m_isMeasured = false;
    m_measuring.cancel();
    m_channelling.cancel();
    m_channels.setChannels({});
    m_outliers->clear();
    m_model.setTensor(m_shown);
    m_slice->setDims(m_model.leadingDims());
    {
        const QSignalBlocker quiet(m_axis);
        m_axis->clear();
        for (std::size_t axis = 0; axis < m_shown.dims().size(); ++axis) {
            m_axis->addItem(tr("Axis %1 (%L2)").arg(axis).arg(m_shown.dims()[axis]));
        }
    }
    showStatistics(std::nullopt);
    showHeatMap();
    m_type->setText(m_shown.type() == ElementType::Undefined
                        ? QString()
                        : QStringLiteral("%1   %2").arg(typeText({m_shown.type(), shapeOf(m_shown.dims())}),
                                                        bytesText(m_shown.bytes())));
    if (m_isSeen) {
        measure();
    }
}

void TensorPanel::showSlice(const std::vector<std::int64_t>& indices)
{
    m_model.setSlice(indices);
    showHeatMap();
}

void TensorPanel::showHeatMap()
{
    const double limit = m_measures ? std::max(std::abs(m_measures->minimum), std::abs(m_measures->maximum)) : 0.0;
    m_heatMap->setMatrix(m_measures ? m_model.slice() : Tensor(), limit);
}

void TensorPanel::setSeen(bool isSeen)
{
    m_isSeen = isSeen;
    if (isSeen && m_isStale) {
        fill();
    } else if (isSeen) {
        measure();
    }
}

void TensorPanel::measure()
{
    if (m_shown.type() == ElementType::Undefined || m_isMeasured) {
        return;
    }
    m_isMeasured = true;
    m_statistics->setText(tr("Reading the values\u2026"));
    m_measuring.run(
        this, [tensor = m_shown](const std::stop_token& stop) { return statisticsOf(tensor, bins, stop); },
        [this](const std::optional<TensorStatistics>& statistics) {
            showStatistics(statistics);
            showHeatMap();
            measureChannels();
            if (!statistics) {
                m_statistics->setText(tr("Values of this type are not shown."));
            }
        });
}

void TensorPanel::measureChannels()
{
    const int axis = m_axis->currentIndex();
    if (!m_measures || axis < 0 || m_shown.elements() == 0) {
        return;
    }
    m_channelling.run(
        this,
        [tensor = m_shown, axis, measures = *m_measures](const std::stop_token& stop) {
            return channelsOf(tensor, static_cast<std::size_t>(axis), measures.mean, measures.deviation, stop);
        },
        [this](const std::optional<TensorChannels>& channels) {
            if (channels) {
                m_channels.setChannels(channels->channels);
                showOutliers(*channels);
            } else {
                m_channels.setChannels({});
                m_outliers->setText(tr("Statistics are computed for at most %1 channels").arg(countText(mostChannels)));
            }
        });
}

void TensorPanel::showOutliers(const TensorChannels& channels)
{
    const auto count = countText(static_cast<std::uint64_t>(channels.outliers));
    if (channels.outliers == 0) {
        m_outliers->setText(tr("No value is more than %1 deviations from the mean").arg(outlierDeviations));
        m_outliers->setToolTip({});
        return;
    }
    QStringList places;
    for (const Outlier& outlier : channels.farthest) {
        QStringList index;
        for (const std::int64_t i : outlier.index) {
            index.append(QString::number(i));
        }
        places.append(QStringLiteral("[%1] %2").arg(index.join(QStringLiteral(", ")), roundedText(outlier.value)));
    }
    m_outliers->setText(tr("%1 outliers beyond %2 deviations; the farthest: %3")
                            .arg(count)
                            .arg(outlierDeviations)
                            .arg(places.mid(0, 3).join(QStringLiteral(", "))));
    m_outliers->setToolTip(places.join(u'\n'));
}

void TensorPanel::showStatistics(const std::optional<TensorStatistics>& statistics)
{
    m_measures = statistics;
    if (!statistics) {
        m_statistics->clear();
        m_histogram->setBins({}, 0, 0);
        return;
    }
    const auto number = [](double value) { return QLocale().toString(value, 'g', 4); };
    QStringList words{tr("minimum %1").arg(number(statistics->minimum)),
                      tr("maximum %1").arg(number(statistics->maximum)), tr("mean %1").arg(number(statistics->mean)),
                      tr("deviation %1").arg(number(statistics->deviation))};
    if (statistics->finite() == 0) {
        words.clear();
    }
    const auto count = [&words](std::int64_t many, const QString& text) {
        if (many > 0) {
            words.append(text.arg(countText(static_cast<std::uint64_t>(many))));
        }
    };
    count(statistics->zero, tr("%1 zeros"));
    count(statistics->infinite, tr("%1 infinite"));
    words.append(tr("%1 NaN").arg(countText(static_cast<std::uint64_t>(statistics->nan))));
    QString text = words.join(QStringLiteral(",  "));
    if (m_model.isTruncated()) {
        text += u'\n' + tr("The table shows the first %L1 rows and %L2 columns.")
                            .arg(m_model.rowCount())
                            .arg(m_model.columnCount());
    }
    m_statistics->setText(text);
    m_histogram->setBins(statistics->finite() > 0 ? statistics->histogram : Ints(), statistics->minimum,
                         statistics->maximum);
}

void TensorPanel::askExport()
{
    if (m_isStale) {
        fill();
    }
    if (m_shown.type() == ElementType::Undefined) {
        return;
    }
    QString name = m_choice->currentText();
    name.replace(u'/', u'_');
    auto* dialog =
        new QFileDialog(this, tr("Save the tensor"), QString::fromStdString(m_document.path().parent_path().string()),
                        tr("NumPy arrays (*.npy)"));
    dialog->setObjectName(QStringLiteral("tensorDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("npy"));
    dialog->selectFile(name + QStringLiteral(".npy"));
    std::vector<LoadedModel> models{*m_document.loaded()};
    if (const LoadedModel* compared = m_document.compared()) {
        models.push_back(*compared);
    }
    connect(dialog, &QFileDialog::fileSelected, this, [this, tensor = m_shown, models](const QString& path) {
        m_writing.enqueue(
            tr("Writing values"), this,
            [tensor, models, path](const std::stop_token&) {
                std::vector<std::filesystem::path> sources;
                for (const LoadedModel& model : models) {
                    std::ranges::copy(filesOf(model), std::back_inserter(sources));
                }
                return writeNpy(tensor, path, sources);
            },
            [this, path](const QString& problem) {
                if (problem.isEmpty()) {
                    emit exported(path);
                } else {
                    emit exportFailed(problem);
                }
            });
    });
    dialog->open();
}

} // namespace crosswalk::ui
