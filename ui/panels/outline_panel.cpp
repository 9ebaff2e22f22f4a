#include "ui/panels/outline_panel.h"

#include "ui/document/box_colours.h"
#include "ui/document/graph_selection.h"
#include "ui/models/words.h"
#include "ui/panels/outline_delegate.h"
#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QTabBar>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace crosswalk::ui {
namespace {

constexpr int bodyTab = 2;          ///< follows the tabs of the two sides
constexpr qsizetype maxRanges = 64; ///< maximum number of selected row ranges

} // namespace

OutlinePanel::OutlinePanel(const DocumentView& document, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_selection(selection)
    , m_sides(new QTabBar(this))
    , m_search(new QLineEdit(this))
    , m_count(new QLabel(this))
    , m_tree(new QTreeView(this))
    , m_empty(new QLabel(this))
{
    setObjectName(QStringLiteral("outlinePanel"));
    m_sides->setObjectName(QStringLiteral("outlineSides"));
    m_sides->setAccessibleName(tr("Side that the outline lists"));
    m_sides->addTab(tr("Source"));
    m_sides->addTab(tr("ONNX"));
    m_sides->setExpanding(false);
    m_search->setObjectName(QStringLiteral("outlineSearch"));
    m_search->setAccessibleName(tr("Search nodes"));
    m_search->setToolTip(
        tr("Search names, operators, tensors, attributes and shapes: kernel=(3,3), 64x56x56, relu stage2"));
    m_search->setPlaceholderText(tr("Search nodes"));
    m_search->setClearButtonEnabled(true);
    m_search->addAction(icon(QLatin1String("search")), QLineEdit::LeadingPosition);
    m_search->installEventFilter(this);
    m_count->setObjectName(QStringLiteral("outlineCount"));
    m_count->setAccessibleName(tr("Found"));
    m_count->setProperty("muted", true);
    m_count->setContentsMargins(12, 0, 12, 4);
    m_tree->setObjectName(QStringLiteral("outlineTree"));
    m_tree->setAccessibleName(tr("Nodes"));
    m_tree->setModel(&m_model);
    m_tree->setFont(rowFont());
    m_tree->setItemDelegate(new OutlineDelegate(m_tree));
    m_tree->setHeaderHidden(true);
    m_tree->setUniformRowHeights(true);
    m_tree->setIndentation(14);
    m_tree->setTextElideMode(Qt::ElideMiddle);
    m_tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_empty->setObjectName(QStringLiteral("outlineEmpty"));
    m_empty->setProperty("muted", true);
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setMargin(16);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_sides);
    auto* searchRow = new QVBoxLayout;
    searchRow->setContentsMargins(8, 8, 8, 6);
    searchRow->addWidget(m_search);
    layout->addLayout(searchRow);
    layout->addWidget(m_count);
    layout->addWidget(m_tree, 1);
    layout->addWidget(m_empty, 1);

    connect(m_sides, &QTabBar::currentChanged, this, [this](int index) {
        m_side = index == 0 ? Side::Source : index == 1 ? Side::Target : m_side;
        refresh();
    });
    connect(m_search, &QLineEdit::textChanged, this, &OutlinePanel::filter);
    connect(&m_model, &OutlineModel::rowsInserted, this, &OutlinePanel::showCount);
    connect(m_tree, &QTreeView::activated, this, &OutlinePanel::choose);
    connect(m_tree, &QTreeView::clicked, this, &OutlinePanel::choose);
    connect(&m_document, &DocumentView::sideChanged, this, [this](Side side) {
        if (side == m_side && !listsBody()) {
            refresh();
        }
    });
    connect(&m_document, &DocumentView::conversionChanged, this, [this] {
        const bool isComparing = m_document.compared() != nullptr;
        m_sides->setTabText(0, isComparing ? tr("Before") : tr("Source"));
        m_sides->setTabText(1, isComparing ? tr("After") : tr("ONNX"));
        showMarks();
    });
    connect(&m_document.colours(), &BoxColours::changed, this, &OutlinePanel::showMarks);
    connect(&m_selection, &Selection::changed, this, &OutlinePanel::followSelection);
    refresh();
}

void OutlinePanel::showSide(Side side)
{
    m_sides->setCurrentIndex(side == Side::Source ? 0 : 1);
}

void OutlinePanel::showBody(std::shared_ptr<const GraphSide> body, const QString& node,
                            std::shared_ptr<const SceneMarks> marks)
{
    m_bodyMarks = std::move(marks);
    if (body == m_body) {
        showMarks();
        return;
    }
    m_body = std::move(body);
    if (!m_body) {
        showSide(m_side); // otherwise the tab bar would choose a side
        m_sides->removeTab(bodyTab);
        return;
    }
    if (m_sides->count() == bodyTab) {
        m_sides->addTab(tr("Body"));
    }
    m_sides->setTabToolTip(bodyTab, node);
    if (listsBody()) {
        refresh();
    }
    m_sides->setCurrentIndex(bodyTab);
}

void OutlinePanel::selectInBody(std::uint32_t box)
{
    if (listsBody() && !m_following) {
        goTo(box);
    }
}

bool OutlinePanel::listsBody() const
{
    return m_body && m_sides->currentIndex() == bodyTab;
}

const std::shared_ptr<const GraphSide>& OutlinePanel::listed() const
{
    return listsBody() ? m_body : m_document.side(m_side);
}

void OutlinePanel::showMarks()
{
    m_model.setMarks(listsBody() ? m_bodyMarks : m_document.colours().marks(m_side));
}

void OutlinePanel::focusSearch()
{
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

void OutlinePanel::refresh()
{
    m_model.setSide(listed());
    showMarks();
    filter(m_search->text());
    followSelection();
}

void OutlinePanel::filter(const QString& query)
{
    if (query != m_model.filter()) {
        m_model.setFilter(query);
    }
    const bool hasRows = m_model.rowCount() > 0;
    m_tree->setVisible(hasRows);
    m_empty->setVisible(!hasRows);
    showCount();
    m_empty->setText(!listed() ? (m_side == Side::Source ? tr("The nodes of the open model are listed here.")
                                                         : tr("There is no ONNX graph yet."))
                               : tr("No node matches. The search covers names, operators, tensors, attributes and "
                                    "shapes: kernel=(3,3), 64x56x56, relu stage2."));
    if (!m_model.isFiltered()) {
        followSelection();
    }
}

void OutlinePanel::showCount()
{
    const int rows = m_model.rowCount();
    m_count->setVisible(m_model.isFiltered() && rows > 0);
    m_count->setText(m_model.isComplete() ? counted(rows, tr("1 node"), tr("%Ln nodes", nullptr, rows))
                                          : tr("%L1+ nodes").arg(rows));
}

void OutlinePanel::followSelection()
{
    const auto& boxes = m_selection.side() == m_side ? m_selection.boxes() : m_selection.counterparts();
    if (m_following || boxes.empty() || listsBody()) {
        return;
    }
    goTo(boxes.front());
    if (boxes.size() == 1) {
        return;
    }
    // A selection of many ranges is slow: merge adjacent rows.
    QItemSelection rows;
    for (std::size_t i = 0; i < boxes.size() && rows.size() < maxRanges; ++i) {
        const QModelIndex row = m_model.indexOf(boxes[i]);
        if (!row.isValid()) {
            continue;
        }
        if (!rows.isEmpty() && rows.last().bottom() + 1 == row.row() && rows.last().parent() == row.parent()) {
            rows.last() = QItemSelectionRange(rows.last().topLeft(), row);
        } else {
            rows.append(QItemSelectionRange(row));
        }
    }
    m_tree->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect);
}

void OutlinePanel::goTo(std::uint32_t box)
{
    m_model.searchUpTo(box);
    const QModelIndex index = m_model.indexOf(box);
    if (index.isValid()) {
        m_following = true;
        m_tree->setCurrentIndex(index);
        m_tree->scrollTo(index);
        m_following = false;
    }
}

void OutlinePanel::choose(const QModelIndex& index)
{
    const auto box = m_model.boxAt(index);
    if (!box) {
        m_tree->setExpanded(index, !m_tree->isExpanded(index));
        return;
    }
    m_following = true;
    if (listsBody()) {
        emit boxInBodyActivated(*box);
    } else {
        m_selection.select(m_side, {*box});
    }
    m_following = false;
    if (!listsBody()) {
        emit activated();
    }
}

bool OutlinePanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_search && event->type() == QEvent::KeyPress) {
        const auto key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Down || key == Qt::Key_Return || key == Qt::Key_Enter) {
            if (m_model.rowCount() > 0) {
                const QModelIndex first = m_model.index(0, 0);
                m_tree->setFocus(Qt::TabFocusReason);
                m_tree->setCurrentIndex(first);
                if (key != Qt::Key_Down && m_model.isFiltered()) {
                    choose(first);
                }
            }
            return true;
        }
        if (key == Qt::Key_Escape && !m_search->text().isEmpty()) {
            m_search->clear();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace crosswalk::ui
