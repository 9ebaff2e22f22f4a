#include "ui/models/problems_model.h"

#include "ui/models/choice_roles.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QFont>

#include <algorithm>

namespace crosswalk::ui {
namespace {

QIcon problemIcon(const Diagnostic& problem)
{
    if (problem.code == Code("removed-node")) {
        return icon(QLatin1String("removed"), IconTint::Unsupported);
    }
    if (problem.code == Code("changed-node") || problem.code == Code("changed-model")) {
        return icon(QLatin1String("changed"), IconTint::Approximate);
    }
    if (problem.code == Code("added-node")) {
        return icon(QLatin1String("added"), IconTint::Decomposed);
    }
    switch (problem.severity) {
    case Severity::Error:
        return icon(QLatin1String("cross"), IconTint::Unsupported);
    case Severity::Warning:
        return icon(QLatin1String("warning"), IconTint::Approximate);
    case Severity::Note:
        break;
    }
    return icon(QLatin1String("info"), IconTint::Decomposed);
}

} // namespace

QString actionText(const Diagnostic& problem)
{
    if (problem.code == Code("missing-weight") || problem.code == Code("no-weights-file")) {
        return Words::tr("Choose\u2026");
    }
    if (problem.code == Code("unsupported-operator")) {
        return Words::tr("Map or cut\u2026");
    }
    return problem.code == Code("unknown-shape") ? Words::tr("Give shapes\u2026") : QString();
}

QString choiceText(const Choice& choice)
{
    const QString name = strategyWord(choice.strategy);
    return choice.cost.empty() ? name : QStringLiteral("%1 \u2014 %2").arg(name, displayText(choice.cost));
}

// The index of a top-level row has the id 0, that of a node below its cause the number of the cause plus one.

void ProblemsModel::setProblems(std::vector<Diagnostic> problems)
{
    auto causes = causesOf(problems);
    setProblems(std::move(problems), std::move(causes), nullptr);
}

void ProblemsModel::setProblems(std::vector<Diagnostic> problems, std::vector<ProblemCause> causes,
                                std::shared_ptr<const GraphSide> side)
{
    beginResetModel();
    m_problems = std::move(problems);
    m_causes = std::move(causes);
    m_side = std::move(side);
    endResetModel();
}

void ProblemsModel::setPicked(std::map<std::string, Strategy, std::less<>> picked, Strategy common)
{
    m_picked = std::move(picked);
    m_common = common;
    const auto emitChanged = [this](const QModelIndex& parent) {
        if (const int rows = rowCount(parent); rows > 0) {
            emit dataChanged(index(0, ChoiceColumn, parent), index(rows - 1, ChoiceColumn, parent));
        }
    };
    emitChanged({});
    for (int row = 0; row < rowCount(); ++row) {
        emitChanged(index(row, 0));
    }
}

int ProblemsModel::count(Severity severity) const
{
    return static_cast<int>(std::count_if(m_problems.begin(), m_problems.end(),
                                          [severity](const auto& problem) { return problem.severity == severity; }));
}

const ProblemCause& ProblemsModel::cause(const QModelIndex& index) const
{
    return m_causes[index.internalId() == 0 ? static_cast<std::size_t>(index.row()) : index.internalId() - 1];
}

bool ProblemsModel::isCause(const QModelIndex& index) const
{
    return index.isValid() && index.internalId() == 0 && cause(index).problems.size() > 1;
}

QModelIndex ProblemsModel::causeOf(const QModelIndex& index) const
{
    return index.parent().isValid() ? index.parent() : index.siblingAtColumn(0);
}

std::vector<const Diagnostic*> ProblemsModel::problemsAt(const QModelIndex& index) const
{
    std::vector<const Diagnostic*> found;
    if (!index.isValid()) {
        return found;
    }
    const auto& problems = cause(index).problems;
    if (blockedAt(index)) {
        return found;
    }
    if (index.internalId() != 0) {
        return {&m_problems[problems[static_cast<std::size_t>(index.row())]]};
    }
    std::transform(problems.begin(), problems.end(), std::back_inserter(found),
                   [this](std::size_t i) { return &m_problems[i]; });
    return found;
}

QModelIndex ProblemsModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent)) {
        return {};
    }
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : quintptr{0});
}

QModelIndex ProblemsModel::parent(const QModelIndex& index) const
{
    return !index.isValid() || index.internalId() == 0
               ? QModelIndex()
               : createIndex(static_cast<int>(index.internalId() - 1), 0, quintptr{0});
}

int ProblemsModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid()) {
        return static_cast<int>(m_causes.size());
    }
    return parent.column() == 0 && parent.internalId() == 0
               ? problemRows(parent) + static_cast<int>(cause(parent).blocked.size())
               : 0;
}

int ProblemsModel::problemRows(const QModelIndex& index) const
{
    return isCause(index) ? static_cast<int>(cause(index).problems.size()) : 0;
}

NodeId ProblemsModel::blockedAt(const QModelIndex& index) const
{
    if (!index.isValid() || index.internalId() == 0) {
        return {};
    }
    const ProblemCause& above = cause(index);
    const std::size_t problems = above.problems.size() > 1 ? above.problems.size() : 0;
    const auto row = static_cast<std::size_t>(index.row());
    return row >= problems ? above.blocked[row - problems] : NodeId();
}

int ProblemsModel::columnCount(const QModelIndex& /*parent*/) const
{
    return ColumnCount;
}

QString ProblemsModel::currentChoice(const Diagnostic& problem) const
{
    const auto picked = m_picked.find(problem.node);
    return displayText(strategyName(picked != m_picked.end() ? picked->second : m_common));
}

QString ProblemsModel::commonChoice(const ProblemCause& cause) const
{
    const QString first = currentChoice(m_problems[cause.problems.front()]);
    const bool same = std::all_of(cause.problems.begin(), cause.problems.end(),
                                  [&](std::size_t i) { return currentChoice(m_problems[i]) == first; });
    return same ? first : QString();
}

QString ProblemsModel::causeText(const ProblemCause& cause) const
{
    const Diagnostic& first = m_problems[cause.problems.front()];
    const bool same = std::all_of(cause.problems.begin(), cause.problems.end(),
                                  [&](std::size_t i) { return m_problems[i].message == first.message; });
    return same ? problemText(first) : problemCause(first);
}

QVariant ProblemsModel::causeData(const ProblemCause& cause, int column, int role) const
{
    const auto nodes = static_cast<int>(cause.problems.size());
    switch (role) {
    case ChoicesRole: {
        QStringList choices;
        for (const auto& way : cause.ways) {
            choices.append(displayText(way.choice.strategy));
            QString text = choiceText(way.choice);
            if (way.costsDiffer) {
                text = tr("%1 (for example; the numbers differ by node)").arg(text);
            }
            choices.append(way.nodes == cause.problems.size()
                               ? text
                               : tr("%1 (available for %2 of %3)").arg(text).arg(way.nodes).arg(nodes));
        }
        return choices;
    }
    case CurrentChoiceRole:
        return commonChoice(cause);
    case Qt::FontRole: {
        QFont font;
        font.setWeight(QFont::DemiBold);
        return column == NodeColumn ? QVariant(font) : QVariant();
    }
    case Qt::ToolTipRole:
        return column == MessageColumn ? QVariant(toolTipText(causeText(cause))) : QVariant();
    case Qt::DisplayRole:
        break;
    default:
        // The first is the most severe: its mark, severity and code represent the cause.
        return problemData(m_problems[cause.problems.front()], column, role);
    }
    switch (column) {
    case NodeColumn:
        return counted(nodes, tr("1 node"), tr("%Ln nodes", nullptr, nodes));
    case MessageColumn:
        return causeText(cause);
    case ChoiceColumn: {
        const QString common = commonChoice(cause);
        return cause.ways.empty() ? actionText(m_problems[cause.problems.front()])
               : common.isEmpty() ? tr("Mixed")
                                  : strategyWord(common.toStdString());
    }
    default:
        return problemData(m_problems[cause.problems.front()], column, role);
    }
}

QVariant ProblemsModel::problemData(const Diagnostic& problem, int column, int role) const
{
    switch (role) {
    case SeverityRole:
        return static_cast<int>(problem.severity);
    case CodeRole:
        return displayText(problem.code.text());
    case ActionRole:
        return actionText(problem);
    case CurrentChoiceRole:
        return currentChoice(problem);
    case ChoicesRole: {
        QStringList choices;
        for (const auto& choice : problem.choices) {
            choices.append(displayText(choice.strategy));
            choices.append(choiceText(choice));
        }
        return choices;
    }
    case Qt::ForegroundRole: // a link
        return column == ChoiceColumn && problem.choices.empty() ? QVariant(theme().link) : QVariant();
    case Qt::DecorationRole:
        return column == NodeColumn ? QVariant(problemIcon(problem)) : QVariant();
    case Qt::ToolTipRole:
        return column == MessageColumn ? QVariant(toolTipText(problemText(problem))) : QVariant();
    case Qt::AccessibleDescriptionRole:
        return severityWord(problem.severity);
    case Qt::DisplayRole:
        break;
    default:
        return {};
    }
    switch (column) {
    case NodeColumn:
        return problem.node.empty() ? tr("The whole model") : displayText(problem.node);
    case OperatorColumn:
        return displayText(problem.op);
    case MessageColumn: // the button says what to do
        return actionText(problem).isEmpty() ? problemText(problem) : shortSentence(problem);
    case ChoiceColumn:
        return problem.choices.empty() ? actionText(problem) : strategyWord(currentChoice(problem).toStdString());
    default:
        return {};
    }
}

QVariant ProblemsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    if (const NodeId blocked = blockedAt(index)) {
        return blockedData(blocked, index.column(), role);
    }
    const QVariant own = isCause(index) ? causeData(cause(index), index.column(), role)
                                        : problemData(*problemsAt(index).front(), index.column(), role);
    if (index.internalId() == 0 && index.column() == MessageColumn && role == Qt::DisplayRole) {
        const auto blocked = static_cast<int>(cause(index).blocked.size());
        if (blocked > 0) {
            QString text = own.toString();
            text += text.endsWith(u'.') || text.endsWith(QChar(0x2026)) ? QString() : QStringLiteral(".");
            return text + u' ' +
                   counted(blocked, tr("1 node is blocked by this."),
                           tr("%Ln nodes are blocked by this.", nullptr, blocked));
        }
    }
    return own;
}

QVariant ProblemsModel::blockedData(NodeId node, int column, int role) const
{
    if (role == Qt::DecorationRole && column == NodeColumn) {
        return icon(QLatin1String("dot"), IconTint::Folded);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (column) {
    case NodeColumn:
        return displayText(m_side->names.of(node));
    case OperatorColumn:
        return displayText(m_side->graph->node(node).op);
    case MessageColumn:
        return tr("Blocked: an input is unknown");
    default:
        return {};
    }
}

QVariant ProblemsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case NodeColumn:
        return tr("Node");
    case OperatorColumn:
        return tr("Operator");
    case MessageColumn:
        return tr("Problem");
    case ChoiceColumn:
        return tr("Solution");
    default:
        return {};
    }
}

Qt::ItemFlags ProblemsModel::flags(const QModelIndex& index) const
{
    Qt::ItemFlags flags = QAbstractItemModel::flags(index);
    if (index.isValid() && index.column() == ChoiceColumn && !index.data(ChoicesRole).toStringList().isEmpty()) {
        flags |= Qt::ItemIsEditable;
    }
    return flags;
}

bool ProblemsModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !flags(index).testFlag(Qt::ItemIsEditable)) {
        return false;
    }
    const auto strategy = strategyFromName(value.toString().toStdString());
    if (!strategy) {
        return false;
    }
    if (value.toString() != index.data(CurrentChoiceRole).toString()) {
        emit strategyPicked(isCause(index) ? nodesOffering(cause(index), m_problems, strategyName(*strategy))
                                           : std::vector<std::string>{problemsAt(index).front()->node},
                            *strategy);
    }
    return true;
}

} // namespace crosswalk::ui
