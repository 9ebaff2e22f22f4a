#include "ui/panels/tensor_panel.h"

#include "core/layout/constants.h"
#include "ui/document/npy_file.h"
#include "ui/models/shape_text.h"
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
#include <QStackedLayout>
#include <QTableView>

#include <algorithm>
#include <utility>

namespace crosswalk::ui {
namespace {

constexpr std::size_t bins = 48;
constexpr int minPanelHeight = 176; ///< pixels: two rows of values and a readable histogram
constexpr int overviewWidth = 300;

} // namespace

TensorPanel::TensorPanel(Document& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_measuring(tr("Reading values"), this)
    , m_writing(tr("Writing values"), this)
    , m_choice(new QComboBox)
    , m_type(new QLabel)
    , m_statistics(new QLabel)
    , m_histogram(new HistogramView)
    , m_export(new QPushButton(tr("Save as .npy\u2026")))
    , m_slice(new SlicePicker)
    , m_table(new QTableView)
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
    m_table->horizontalHeader()->setDefaultSectionSize(92);
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
    auto* values = new QVBoxLayout;
    values->setSpacing(0);
    values->addWidget(m_slice);
    values->addWidget(m_table, 1);
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
    connect(m_slice, &SlicePicker::picked, &m_model, &TensorValuesModel::setSlice);
    connect(m_export, &QPushButton::clicked, this, &TensorPanel::askExport);
    connect(&m_document, &Document::selectionChanged, this, &TensorPanel::refresh);
    refresh();
    choose();
}

void TensorPanel::refresh()
{
    m_values.clear();
    m_graph.reset();
    const auto& side = m_document.side(m_document.selectedSide());
    const auto& boxes = m_document.selection();
    QStringList names;
    if (side && boxes.size() == 1 && side->box(boxes.front()).node) {
        m_graph = side->graph;
        const auto add = [&](ValueId stored) {
            m_values.push_back(stored);
            names.append(fromUtf8(m_graph->value(stored).name));
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
    m_tensor = at >= 0 && m_graph ? storedTensor(*m_graph, m_values[static_cast<std::size_t>(at)]) : nullptr;
    m_measured = nullptr;
    m_measuring.cancel();
    m_model.setTensor(m_tensor != nullptr ? *m_tensor : Tensor());
    m_slice->setDims(m_model.leadingDims());
    showStatistics(std::nullopt);
    if (m_tensor != nullptr) {
        m_type->setText(QStringLiteral("%1   %2").arg(typeText({m_tensor->type(), shapeOf(m_tensor->dims())}),
                                                      bytesText(m_tensor->bytes())));
        m_choice->setToolTip(m_choice->currentText());
    }
    if (m_isSeen) {
        measure();
    }
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
    if (m_tensor == nullptr || m_measured == m_tensor) {
        return;
    }
    m_measured = m_tensor;
    m_statistics->setText(tr("Reading the values\u2026"));
    m_measuring.run(
        this, [tensor = *m_tensor](const std::stop_token& stop) { return statisticsOf(tensor, bins, stop); },
        [this](const std::optional<TensorStatistics>& statistics) {
            showStatistics(statistics);
            if (!statistics) {
                m_statistics->setText(tr("Values of this type are not shown."));
            }
        });
}

void TensorPanel::showStatistics(const std::optional<TensorStatistics>& statistics)
{
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
    m_statistics->setText(words.join(QStringLiteral(",  ")));
    m_histogram->setBins(statistics->finite() > 0 ? statistics->histogram : std::vector<std::int64_t>(),
                         statistics->minimum, statistics->maximum);
}

void TensorPanel::askExport()
{
    if (m_tensor == nullptr) {
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
    connect(dialog, &QFileDialog::fileSelected, this, [this, tensor = *m_tensor](const QString& path) {
        m_writing.run(
            this, [tensor, path](const std::stop_token&) { return writeNpy(tensor, path); },
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
