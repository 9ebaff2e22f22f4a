#include "ui/panels/layers_panel.h"

#include "ui/document/box_colours.h"
#include "ui/document/graph_selection.h"
#include "ui/document/verifier.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"
#include "ui/panels/fitted_columns.h"
#include "ui/theme/icons.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace crosswalk::ui {
namespace {

constexpr int widthOfFilter = 320;
constexpr int leastName = 110; ///< width of the column of names

} // namespace

LayersPanel::LayersPanel(const DocumentView& document, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_selection(selection)
    , m_filter(new QLineEdit(this))
    , m_count(new QLabel(this))
    , m_table(new QTreeView(this))
    , m_empty(new QLabel(this))
{
    setObjectName(QStringLiteral("layersPanel"));
    m_filter->setObjectName(QStringLiteral("layersFilter"));
    m_filter->setAccessibleName(tr("Filter the layers"));
    m_filter->setPlaceholderText(tr("Filter"));
    m_filter->setToolTip(tr("Filter by name, operator, output or verdict: conv 64, lstm decomposed"));
    m_filter->setClearButtonEnabled(true);
    m_filter->addAction(icon(QLatin1String("search")), QLineEdit::LeadingPosition);
    m_filter->setMaximumWidth(widthOfFilter);
    m_filter->installEventFilter(this);
    m_count->setObjectName(QStringLiteral("layersCount"));
    m_count->setAccessibleName(tr("Number of layers"));
    m_count->setProperty("muted", true);
    auto* save = new QPushButton(tr("Save as CSV\u2026"), this);
    save->setObjectName(QStringLiteral("layersSave"));
    save->setToolTip(tr("Save all layers as comma-separated values"));
    m_table->setObjectName(QStringLiteral("layersTable"));
    m_table->setAccessibleName(tr("Layers"));
    m_table->setModel(&m_model);
    m_table->setRootIsDecorated(false);
    m_table->setUniformRowHeights(true);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->header()->setSortIndicator(-1, Qt::AscendingOrder);
    m_table->header()->setSortIndicatorClearable(true);
    m_table->setSortingEnabled(true);
    m_table->setColumnHidden(LayersModel::ErrorColumn, true);
    m_table->setColumnHidden(LayersModel::LatencyColumn, true);
    new FittedColumns(m_table, LayersModel::NameColumn, leastName);
    auto* copying = new QAction(tr("Copy"), m_table);
    copying->setShortcut(QKeySequence::Copy);
    copying->setShortcutContext(Qt::WidgetShortcut);
    m_table->addAction(copying);
    m_empty->setObjectName(QStringLiteral("layersEmpty"));
    m_empty->setProperty("muted", true);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 6, 8, 4);
    row->setSpacing(10);
    row->addWidget(m_filter, 1);
    row->addWidget(m_count);
    row->addStretch(1);
    row->addWidget(save);
    layout->addLayout(row);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_empty, 1);

    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& query) {
        m_model.setFilter(query);
        showCount();
        followSelection();
    });
    connect(save, &QPushButton::clicked, this, &LayersPanel::saveAsked);
    connect(copying, &QAction::triggered, this, &LayersPanel::copy);
    connect(m_table, &QWidget::customContextMenuRequested, this, &LayersPanel::showMenu);
    connect(m_table, &QTreeView::activated, this, &LayersPanel::select);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &LayersPanel::select);
    connect(&m_document, &DocumentView::conversionChanged, this, &LayersPanel::refresh);
    connect(&m_document.colours(), &BoxColours::changed, this, &LayersPanel::refresh);
    connect(&m_selection, &Selection::changed, this, &LayersPanel::followSelection);
    refresh();
}

void LayersPanel::setSeen(bool isSeen)
{
    m_isSeen = isSeen;
    if (isSeen && m_isStale) {
        refresh();
    } else if (isSeen) {
        followSelection();
    }
}

void LayersPanel::refresh()
{
    m_isStale = !m_isSeen && m_document.isOpen();
    if (m_isStale) {
        return;
    }
    m_following = true;
    const auto& converted = m_document.converted();
    m_model.setTable(m_document.side(Side::Source), converted ? converted->layers : nullptr);
    m_model.setCheck(m_document.verifier().check());
    m_table->setColumnHidden(LayersModel::ErrorColumn, !m_model.hasErrors());
    m_model.setLatencies(m_document.verifier().layerLatencies());
    m_table->setColumnHidden(LayersModel::LatencyColumn, !m_model.hasLatencies());
    m_following = false;
    showCount();
    followSelection();
}

void LayersPanel::showCount()
{
    const int rows = m_model.rowCount();
    const int all = m_model.layerCount();
    m_count->setText(rows == all ? counted(all, tr("1 layer"), tr("%Ln layers", nullptr, all))
                                 : tr("%L1 of %L2 layers").arg(rows).arg(all));
    m_count->setVisible(all > 0);
    m_table->setVisible(rows > 0);
    m_empty->setVisible(rows == 0);
    m_empty->setText(all > 0 ? tr("No layer matches.") : tr("The layers of the open model are listed here."));
}

std::vector<int> LayersPanel::selectedRows() const
{
    std::vector<int> rows;
    for (const QItemSelectionRange& range : m_table->selectionModel()->selection()) {
        for (int row = range.top(); row <= range.bottom(); ++row) {
            rows.push_back(row);
        }
    }
    std::ranges::sort(rows);
    return rows;
}

void LayersPanel::select()
{
    const auto& side = m_document.side(Side::Source);
    if (m_following || !side) {
        return;
    }
    std::vector<std::uint32_t> boxes;
    for (const int row : selectedRows()) {
        if (const auto box = side->boxOf(m_model.nodeAt(row))) {
            boxes.push_back(*box);
        }
    }
    m_following = true;
    m_selection.select(Side::Source, std::move(boxes));
    m_following = false;
    emit activated();
}

void LayersPanel::followSelection()
{
    const auto& side = m_document.side(Side::Source);
    if (m_following || !m_isSeen || m_isStale || !side) {
        return;
    }
    const auto& boxes = m_selection.side() == Side::Source ? m_selection.boxes() : m_selection.counterparts();
    std::vector<int> rows;
    for (const std::uint32_t box : boxes) {
        if (const int row = side->box(box).node ? m_model.rowOf(side->box(box).node) : -1; row >= 0) {
            rows.push_back(row);
        }
    }
    std::ranges::sort(rows);
    // A selection of many ranges is slow: merge adjacent rows.
    QItemSelection ranges;
    for (std::size_t i = 0; i < rows.size();) {
        std::size_t end = i + 1;
        while (end < rows.size() && rows[end] <= rows[end - 1] + 1) {
            ++end;
        }
        ranges.append(
            QItemSelectionRange(m_model.index(rows[i], 0), m_model.index(rows[end - 1], LayersModel::ColumnCount - 1)));
        i = end;
    }
    m_following = true;
    if (!rows.empty()) {
        m_table->selectionModel()->setCurrentIndex(m_model.index(rows.front(), 0), QItemSelectionModel::NoUpdate);
        m_table->scrollTo(m_model.index(rows.front(), 0));
    }
    m_table->selectionModel()->select(ranges, QItemSelectionModel::ClearAndSelect);
    m_following = false;
}

void LayersPanel::copy()
{
    if (const auto rows = selectedRows(); !rows.empty()) {
        QApplication::clipboard()->setText(m_model.textOf(rows));
    }
}

void LayersPanel::copyNames()
{
    QStringList names;
    for (const int row : selectedRows()) {
        names.append(m_model.index(row, LayersModel::NameColumn).data().toString());
    }
    QApplication::clipboard()->setText(names.join(u'\n'));
}

void LayersPanel::showMenu(const QPoint& place)
{
    auto* menu = new QMenu(m_table);
    menu->setObjectName(QStringLiteral("layersMenu"));
    menu->setAccessibleName(tr("Layers"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [this](QMenu* to, const QString& name, const QString& text, auto run) {
        auto* action = to->addAction(text);
        action->setObjectName(name);
        connect(action, &QAction::triggered, this, run);
        return action;
    };
    const bool hasRows = m_table->selectionModel()->hasSelection();
    add(menu, QStringLiteral("layersCopy"), tr("&Copy"), [this] { copy(); })->setEnabled(hasRows);
    add(menu, QStringLiteral("layersCopyNames"), tr("Copy &names"), [this] { copyNames(); })->setEnabled(hasRows);
    menu->addSeparator();
    auto* sorting = menu->addMenu(tr("&Sort by"));
    sorting->setObjectName(QStringLiteral("layersSort"));
    const auto sort = [this, sorting, &add](int column, const QString& text) {
        auto* action = add(sorting, QStringLiteral("layersSort%1").arg(column), text, [this, column] {
            const QVariant order = m_model.headerData(column, Qt::Horizontal, Qt::InitialSortOrderRole);
            m_table->sortByColumn(column, static_cast<Qt::SortOrder>(order.toInt()));
        });
        action->setCheckable(true);
        action->setChecked(m_table->header()->sortIndicatorSection() == column);
    };
    sort(-1, tr("Order of the graph"));
    for (int column = 0; column < LayersModel::ColumnCount; ++column) {
        if (!m_table->isColumnHidden(column)) {
            sort(column, m_model.headerData(column, Qt::Horizontal).toString());
        }
    }
    add(menu, QStringLiteral("layersSaveAs"), tr("Save as CS&V\u2026"), [this] { emit saveAsked(); });
    menu->popup(m_table->viewport()->mapToGlobal(place));
}

bool LayersPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_filter && event->type() == QEvent::KeyPress) {
        const auto key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Down || key == Qt::Key_Return || key == Qt::Key_Enter) {
            if (m_model.rowCount() > 0) {
                m_table->setFocus(Qt::TabFocusReason);
                m_table->setCurrentIndex(m_model.index(0, 0));
            }
            return true;
        }
        if (key == Qt::Key_Escape && !m_filter->text().isEmpty()) {
            m_filter->clear();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace crosswalk::ui
