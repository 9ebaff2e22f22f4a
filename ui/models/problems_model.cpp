#include "ui/models/problems_model.h"

#include "ui/models/choice_roles.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"
#include "ui/theme/icons.h"

#include <algorithm>

namespace crosswalk::ui {
namespace {

QIcon severityIcon(Severity severity)
{
    switch (severity) {
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

QString choiceText(const Choice& choice)
{
    const QString name = capitalised(fromUtf8(choice.strategy));
    return choice.cost.empty() ? name : QStringLiteral("%1 \u2014 %2").arg(name, fromUtf8(choice.cost));
}

void ProblemsModel::setProblems(std::vector<Diagnostic> problems)
{
    beginResetModel();
    m_problems = std::move(problems);
    endResetModel();
}

void ProblemsModel::setPicked(std::map<std::string, Strategy, std::less<>> picked, Strategy common)
{
    m_picked = std::move(picked);
    m_common = common;
    if (!m_problems.empty()) {
        emit dataChanged(index(0, ChoiceColumn), index(rowCount() - 1, ChoiceColumn));
    }
}

int ProblemsModel::count(Severity severity) const
{
    return static_cast<int>(std::count_if(m_problems.begin(), m_problems.end(),
                                          [severity](const auto& problem) { return problem.severity == severity; }));
}

int ProblemsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_problems.size());
}

int ProblemsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int{ColumnCount};
}

QString ProblemsModel::currentChoice(const Diagnostic& problem) const
{
    const auto picked = m_picked.find(problem.node);
    return fromUtf8(strategyName(picked != m_picked.end() ? picked->second : m_common));
}

QVariant ProblemsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const Diagnostic& problem = m_problems[static_cast<std::size_t>(index.row())];
    switch (role) {
    case SeverityRole:
        return static_cast<int>(problem.severity);
    case CodeRole:
        return fromUtf8(problem.code.text());
    case CurrentChoiceRole:
        return currentChoice(problem);
    case ChoicesRole: {
        QStringList choices;
        for (const auto& choice : problem.choices) {
            choices.append(fromUtf8(choice.strategy));
            choices.append(choiceText(choice));
        }
        return choices;
    }
    case Qt::DecorationRole:
        return index.column() == NodeColumn ? QVariant(severityIcon(problem.severity)) : QVariant();
    case Qt::ToolTipRole:
        return index.column() == MessageColumn
                   ? QVariant(QStringLiteral("<p>%1</p>").arg(problemText(problem).toHtmlEscaped()))
                   : QVariant();
    case Qt::AccessibleDescriptionRole:
        return capitalised(fromUtf8(severityName(problem.severity)));
    case Qt::DisplayRole:
        break;
    default:
        return {};
    }
    switch (index.column()) {
    case NodeColumn:
        return problem.node.empty() ? tr("The whole model") : fromUtf8(problem.node);
    case OperatorColumn:
        return fromUtf8(problem.op);
    case MessageColumn:
        return problemText(problem);
    case ChoiceColumn:
        return problem.choices.empty() ? QString() : capitalised(currentChoice(problem));
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
        return tr("What and why");
    case ChoiceColumn:
        return tr("Strategy");
    default:
        return {};
    }
}

Qt::ItemFlags ProblemsModel::flags(const QModelIndex& index) const
{
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.isValid() && index.column() == ChoiceColumn && !problem(index.row()).choices.empty()) {
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
    if (value.toString() != currentChoice(problem(index.row()))) {
        emit strategyPicked(problem(index.row()).node, *strategy);
    }
    return true;
}

} // namespace crosswalk::ui
