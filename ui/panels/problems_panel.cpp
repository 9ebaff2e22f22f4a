#include "ui/panels/problems_panel.h"

#include "ui/document/comparison.h"
#include "ui/document/graph_selection.h"
#include "ui/models/choice_roles.h"
#include "ui/panels/choice_delegate.h"
#include "ui/panels/fitted_columns.h"
#include "ui/panels/reason_delegate.h"

#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace crosswalk::ui {
namespace {

constexpr std::size_t maxWrapped =
    300; ///< problems; longer lists use one row height for all rows, which avoids measuring

Side sideOf(const Diagnostic& problem)
{
    return problem.code == addedNode ? Side::Target : Side::Source;
}

} // namespace

ProblemsPanel::ProblemsPanel(const DocumentView& document, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_selection(selection)
    , m_table(new QTreeView(this))
    , m_empty(new QLabel(this))
{
    setObjectName(QStringLiteral("problemsPanel"));
    m_table->setObjectName(QStringLiteral("problemsTable"));
    m_table->setAccessibleName(tr("Problems"));
    m_table->setModel(&m_model);
    m_table->setIndentation(16);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->installEventFilter(this);
    m_table->setItemDelegateForColumn(ProblemsModel::ChoiceColumn, new ChoiceDelegate(m_table));
    new ReasonDelegate(m_table, ProblemsModel::MessageColumn);
    new FittedColumns(m_table, ProblemsModel::MessageColumn);
    m_empty->setObjectName(QStringLiteral("problemsEmpty"));
    m_empty->setProperty("muted", true);
    m_empty->setAlignment(Qt::AlignCenter);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_table);
    layout->addWidget(m_empty);

    connect(m_table, &QTreeView::clicked, this, [this](const QModelIndex& index) {
        if (index.flags().testFlag(Qt::ItemIsEditable)) {
            m_table->edit(index);
        } else if (index.column() != ProblemsModel::ChoiceColumn || !act(index)) {
            go(index);
        }
    });
    connect(m_table, &QTreeView::activated, this, [this](const QModelIndex& index) {
        if (!act(index)) {
            go(index);
        }
    });
    connect(m_table, &QWidget::customContextMenuRequested, this, &ProblemsPanel::showMenu);
    connect(&m_model, &ProblemsModel::strategyPicked, this, &ProblemsPanel::strategyPicked);
    connect(&m_document, &DocumentView::problemsChanged, this, &ProblemsPanel::refresh);
    connect(&m_document, &DocumentView::optionsChanged, this,
            [this] { m_model.setPicked(m_document.options().strategies, m_document.options().recurrent); });
    connect(&m_document, &DocumentView::conversionChanged, this, &ProblemsPanel::refresh);
    refresh();
}

void ProblemsPanel::refresh()
{
    const QModelIndex current = m_table->currentIndex();
    const int row = m_model.causeOf(current).row();
    const int child = current.parent().isValid() ? current.row() : -1;
    std::vector<int> unfolded;
    for (int i = 0; i < m_model.rowCount(); ++i) {
        if (m_table->isExpanded(m_model.index(i, 0))) {
            unfolded.push_back(i);
        }
    }
    m_model.setPicked(m_document.options().strategies, m_document.options().recurrent);
    m_table->setUniformRowHeights(m_document.problems().size() > maxWrapped);
    m_model.setProblems(m_document.problems(), m_document.causes(), m_document.side(Side::Source));
    for (const int i : unfolded) {
        m_table->expand(m_model.index(i, 0));
    }
    if (row >= 0 && row < m_model.rowCount()) {
        const QModelIndex cause = m_model.index(row, 0);
        const QModelIndex node = m_model.index(child, 0, cause);
        m_table->setCurrentIndex(node.isValid() ? node : cause);
    }
    const bool hasRows = m_model.rowCount() > 0;
    m_table->setVisible(hasRows);
    const auto& causes = m_document.causes();
    m_table->setColumnHidden(ProblemsModel::ChoiceColumn,
                             std::ranges::all_of(causes, [this](const ProblemCause& cause) {
                                 const Diagnostic& first = m_document.problems()[cause.problems.front()];
                                 return cause.ways.empty() && actionText(first).isEmpty();
                             }));
    m_table->setRootIsDecorated(
        std::ranges::any_of(causes, [](const auto& c) { return c.problems.size() > 1 || !c.blocked.empty(); }));
    m_empty->setVisible(!hasRows);
    m_empty->setText(!m_document.isOpen()     ? tr("Problems found while reading and converting are listed here.")
                     : m_document.compared()  ? tr("The two models are equal.")
                     : m_document.converted() ? tr("No problems: every node converts exactly.")
                                              : QString());
}

void ProblemsPanel::step(int direction)
{
    const int rows = m_model.rowCount();
    if (rows == 0) {
        return;
    }
    // A cause that affects several nodes is stepped through node by node.
    const auto first = [this](int row) {
        const QModelIndex cause = m_model.index(row, 0);
        return m_model.isCause(cause) ? m_model.index(0, 0, cause) : cause;
    };
    const auto last = [this](int row) {
        const QModelIndex cause = m_model.index(row, 0);
        return m_model.isCause(cause) ? m_model.index(m_model.problemRows(cause) - 1, 0, cause) : cause;
    };
    const QModelIndex current = m_table->currentIndex().siblingAtColumn(0);
    if (!current.isValid()) {
        go(direction > 0 ? first(0) : last(rows - 1));
    } else if (const QModelIndex sibling = current.siblingAtRow(current.row() + direction);
               current.parent().isValid() && sibling.isValid() && !m_model.blockedAt(sibling) &&
               !m_model.blockedAt(current)) {
        go(sibling);
    } else if (m_model.isCause(current) && direction > 0) {
        go(first(current.row()));
    } else {
        const int row = (m_model.causeOf(current).row() + direction + rows) % rows;
        go(direction > 0 ? first(row) : last(row));
    }
}

std::optional<std::uint32_t> ProblemsPanel::boxOf(const Diagnostic& problem) const
{
    const auto& side = m_document.side(sideOf(problem));
    if (!side || problem.node.empty()) {
        return std::nullopt;
    }
    if (problem.nodeIndex && *problem.nodeIndex < side->graph->nodeCount()) {
        return side->boxOf(NodeId{*problem.nodeIndex});
    }
    const auto node = side->names.find(problem.node);
    return node ? side->boxOf(*node) : std::nullopt;
}

void ProblemsPanel::go(const QModelIndex& index)
{
    m_table->setCurrentIndex(index.siblingAtColumn(0));
    std::vector<std::uint32_t> boxes;
    Side side = Side::Source;
    if (const NodeId blocked = m_model.blockedAt(index)) {
        m_selection.selectNode(Side::Source, blocked);
        emit activated();
        return;
    }
    for (const auto* problem : m_model.problemsAt(index)) {
        side = sideOf(*problem); // all problems of a cause are on one side
        if (const auto box = boxOf(*problem)) {
            boxes.push_back(*box);
        }
    }
    if (boxes.empty()) {
        return;
    }
    m_selection.select(side, std::move(boxes));
    const auto problems = m_model.problemsAt(index);
    const Diagnostic& first = *problems.front();
    if (problems.size() == 1 && !first.path.empty()) {
        emit bodyActivated(GraphPath(first.path), NodeId{first.indexInBody});
    } else {
        emit activated();
    }
}

bool ProblemsPanel::act(const QModelIndex& index)
{
    if (index.siblingAtColumn(0).data(ProblemsModel::ActionRole).toString().isEmpty()) {
        return false;
    }
    const QString code = index.siblingAtColumn(0).data(ProblemsModel::CodeRole).toString();
    if (code == QLatin1String("unknown-shape")) {
        emit shapesAsked();
    } else if (code == QLatin1String("unsupported-operator")) {
        showOperatorMenu(index);
    } else {
        emit weightsAsked();
    }
    return true;
}

QMenu* ProblemsPanel::makeMenu()
{
    auto* menu = new QMenu(m_table);
    menu->setObjectName(QStringLiteral("problemMenu"));
    menu->setAccessibleName(tr("What to do about it"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    return menu;
}

void ProblemsPanel::showOperatorMenu(const QModelIndex& index)
{
    go(index);
    auto* menu = makeMenu();
    addOperatorActions(*menu, index);
    const QRect cell = m_table->visualRect(index.siblingAtColumn(ProblemsModel::ChoiceColumn));
    menu->popup(m_table->viewport()->mapToGlobal(cell.bottomLeft()));
}

void ProblemsPanel::addOperatorActions(QMenu& menu, const QModelIndex& index)
{
    auto* map = menu.addAction(tr("Map to a custom operator\u2026"));
    map->setObjectName(QStringLiteral("problemMap"));
    connect(map, &QAction::triggered, this, [this, at = QPersistentModelIndex(index)] {
        if (const auto problems = m_model.problemsAt(at); !problems.empty()) {
            emit customOperatorAsked(Diagnostic(*problems.front()));
        }
    });
    auto* cut = menu.addAction(tr("Cut the model here"));
    cut->setObjectName(QStringLiteral("problemCut"));
    connect(cut, &QAction::triggered, this, [this, at = QPersistentModelIndex(index)] {
        go(at); // selects what the cut is in front of
        emit cutAsked();
    });
}

void ProblemsPanel::editStrategy(const QModelIndex& index)
{
    const QModelIndex cell = index.siblingAtColumn(ProblemsModel::ChoiceColumn);
    if (cell.flags().testFlag(Qt::ItemIsEditable)) {
        m_table->edit(cell);
    }
}

void ProblemsPanel::addStrategies(QMenu& menu, const QModelIndex& index, const QString& title)
{
    const QModelIndex cell = index.siblingAtColumn(ProblemsModel::ChoiceColumn);
    const QStringList choices = cell.data(ChoicesRole).toStringList();
    if (choices.isEmpty()) {
        return;
    }
    menu.addSection(title);
    const QString current = cell.data(CurrentChoiceRole).toString();
    for (qsizetype i = 0; i + 1 < choices.size(); i += 2) {
        auto* action = menu.addAction(choices[i + 1]);
        action->setObjectName((m_model.isCause(index) ? QStringLiteral("all-") : QStringLiteral("one-")) + choices[i]);
        action->setCheckable(true);
        action->setChecked(choices[i] == current);
        connect(action, &QAction::triggered, this,
                [this, at = QPersistentModelIndex(cell), strategy = choices[i]] { m_model.setData(at, strategy); });
    }
}

void ProblemsPanel::showMenu(const QPoint& place)
{
    const QModelIndex at = m_table->indexAt(place);
    const QModelIndex index = (at.isValid() ? at : m_table->currentIndex()).siblingAtColumn(0);
    if (!index.isValid()) {
        return;
    }
    m_table->setCurrentIndex(index);
    auto* menu = makeMenu();
    auto* show = menu->addAction(m_model.isCause(index) ? tr("Select the nodes") : tr("Go to the node"));
    show->setObjectName(QStringLiteral("problemGo"));
    connect(show, &QAction::triggered, this, [this, at = QPersistentModelIndex(index)] { go(at); });
    const QString action = index.data(ProblemsModel::ActionRole).toString();
    if (index.data(ProblemsModel::CodeRole).toString() == QLatin1String("unsupported-operator")) {
        addOperatorActions(*menu, index);
    } else if (!action.isEmpty()) {
        auto* solve = menu->addAction(action);
        solve->setObjectName(QStringLiteral("problemSolve"));
        connect(solve, &QAction::triggered, this, [this, at = QPersistentModelIndex(index)] { act(at); });
    }
    if (!m_model.blockedBy(m_model.causeOf(index)).empty()) {
        auto* effects = menu->addAction(tr("Select the blocked nodes"));
        effects->setObjectName(QStringLiteral("problemBlocked"));
        connect(effects, &QAction::triggered, this, [this, at = QPersistentModelIndex(m_model.causeOf(index))] {
            const auto& side = m_document.side(Side::Source);
            std::vector<std::uint32_t> boxes;
            for (const NodeId node : m_model.blockedBy(at)) {
                if (const auto box = side->boxOf(node)) {
                    boxes.push_back(*box);
                }
            }
            m_selection.select(Side::Source, std::move(boxes));
            emit activated();
        });
    }
    const QModelIndex cause = m_model.causeOf(index);
    if (m_model.problemsAt(index).size() == 1 && !m_model.isCause(index)) {
        addStrategies(*menu, index, tr("Strategy of this node"));
    }
    if (m_model.isCause(cause)) {
        addStrategies(*menu, cause, tr("Strategy of all %1").arg(m_model.problemRows(cause)));
    }
    menu->popup(m_table->viewport()->mapToGlobal(place));
}

bool ProblemsPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_F2 || (key->key() == Qt::Key_Down && key->modifiers() == Qt::AltModifier)) {
            editStrategy(m_table->currentIndex());
            return true;
        }
        // Moving through the list by keyboard reveals the nodes of each row, as a click does.
        const QPersistentModelIndex before = m_table->currentIndex().siblingAtColumn(0);
        static_cast<QObject*>(m_table)->event(event);
        if (const QModelIndex now = m_table->currentIndex(); now.isValid() && now.siblingAtColumn(0) != before) {
            go(now);
        }
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace crosswalk::ui
