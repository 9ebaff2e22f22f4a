#include "ui/panels/problems_panel.h"

#include "ui/panels/choice_delegate.h"

#include <QHeaderView>
#include <QLabel>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace crosswalk::ui {

ProblemsPanel::ProblemsPanel(Document& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_table(new QTreeView(this))
    , m_empty(new QLabel(this))
{
    setObjectName(QStringLiteral("problemsPanel"));
    m_table->setObjectName(QStringLiteral("problemsTable"));
    m_table->setAccessibleName(tr("Problems"));
    m_table->setModel(&m_model);
    m_table->setRootIsDecorated(false);
    m_table->setUniformRowHeights(true);
    m_table->setEditTriggers(QAbstractItemView::SelectedClicked | QAbstractItemView::EditKeyPressed);
    m_table->setItemDelegateForColumn(ProblemsModel::ChoiceColumn, new ChoiceDelegate(m_table));
    m_table->header()->setStretchLastSection(false);
    m_table->header()->setSectionResizeMode(ProblemsModel::MessageColumn, QHeaderView::Stretch);
    m_table->header()->resizeSection(ProblemsModel::NodeColumn, 200);
    m_table->header()->resizeSection(ProblemsModel::OperatorColumn, 120);
    m_table->header()->resizeSection(ProblemsModel::ChoiceColumn, 130);
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
        } else {
            go(index.row());
        }
    });
    connect(m_table, &QTreeView::activated, this, [this](const QModelIndex& index) { go(index.row()); });
    connect(&m_model, &ProblemsModel::strategyPicked, &m_document, &Document::setStrategy);
    connect(&m_document, &Document::problemsChanged, this, &ProblemsPanel::refresh);
    connect(&m_document, &Document::optionsChanged, this,
            [this] { m_model.setPicked(m_document.options().strategies, m_document.options().recurrent); });
    connect(&m_document, &Document::conversionChanged, this, &ProblemsPanel::refresh);
    refresh();
}

void ProblemsPanel::refresh()
{
    const int current = m_table->currentIndex().row();
    m_model.setPicked(m_document.options().strategies, m_document.options().recurrent);
    m_model.setProblems(m_document.problems());
    if (current >= 0 && current < m_model.rowCount()) {
        m_table->setCurrentIndex(m_model.index(current, 0));
    }
    const bool hasRows = m_model.rowCount() > 0;
    m_table->setVisible(hasRows);
    m_table->setColumnHidden(ProblemsModel::ChoiceColumn,
                             std::none_of(m_document.problems().begin(), m_document.problems().end(),
                                          [](const auto& p) { return !p.choices.empty(); }));
    m_empty->setVisible(!hasRows);
    m_empty->setText(!m_document.isOpen()     ? tr("What reading and converting find is listed here.")
                     : m_document.converted() ? tr("No problems: every operator has an exact ONNX form.")
                                              : QString());
}

void ProblemsPanel::step(int direction)
{
    const int rows = m_model.rowCount();
    if (rows == 0) {
        return;
    }
    const int current = m_table->currentIndex().isValid() ? m_table->currentIndex().row() : (direction > 0 ? -1 : rows);
    go((current + direction + rows) % rows);
}

void ProblemsPanel::go(int row)
{
    m_table->setCurrentIndex(m_model.index(row, 0));
    const Diagnostic problem = m_model.problem(row);
    const auto& source = m_document.side(Side::Source);
    if (!source) {
        return;
    }
    if (problem.nodeIndex && *problem.nodeIndex < source->graph->nodeCount()) {
        m_document.selectNode(Side::Source, NodeId{*problem.nodeIndex});
    } else if (const auto node = source->names.find(problem.node); node && !problem.node.empty()) {
        m_document.selectNode(Side::Source, *node);
    } else {
        return;
    }
    emit activated();
}

} // namespace crosswalk::ui
