#include "ui/collection/collection_table.h"

#include "core/formats/format_reader.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

namespace crosswalk::ui {
namespace {

bool isNumber(int column)
{
    return column == CollectionTable::SizeColumn || column == CollectionTable::TimeColumn;
}

QString nameOf(const CollectionTable::Row& row)
{
    return fromUtf8(row.found.model.name.generic_string());
}

} // namespace

QString formatName(const std::string& format)
{
    for (const FormatReader& reader : formatReaders()) {
        if (reader.format == format) {
            return fromUtf8(reader.name);
        }
    }
    return displayText(format);
}

QString problemsText(const ModelOutcome& outcome)
{
    if (outcome.problems.empty()) {
        return {};
    }
    const auto worst = std::ranges::max_element(outcome.problems, {}, &ReportedProblem::severity);
    const QString text = capitalised(messageText(worst->message).simplified());
    const auto more = static_cast<int>(outcome.problems.size()) - 1;
    return more == 0 ? text : Words::tr("%1 (and %Ln more)", nullptr, more).arg(text);
}

void CollectionTable::setModels(std::vector<FoundModel> models)
{
    beginResetModel();
    m_rows.clear();
    m_rowOfName.clear();
    m_groups.clear();
    for (FoundModel& model : models) {
        m_rows.push_back({std::move(model), 0, std::nullopt});
        m_rowOfName.insert(nameOf(m_rows.back()), static_cast<int>(m_rows.size()) - 1);
    }
    endResetModel();
}

void CollectionTable::add(const std::vector<FinishedModel>& finished)
{
    std::set<int, std::greater<>> weights;
    for (const FinishedModel& model : finished) {
        const int row = m_rowOfName.value(fromUtf8(model.outcome.model), -1);
        if (row < 0) {
            continue; // removed as the weights of another model
        }
        m_rows[static_cast<std::size_t>(row)].weightsBytes = model.weightsBytes;
        m_rows[static_cast<std::size_t>(row)].outcome = model.outcome;
        if (!model.outcome.weights.empty() && model.outcome.weights != model.outcome.model) {
            if (const int other = m_rowOfName.value(fromUtf8(model.outcome.weights), -1); other >= 0) {
                weights.insert(other);
            }
        }
    }
    for (const int row : weights) { // from the last one on
        beginRemoveRows({}, row, row);
        m_rows.erase(m_rows.begin() + row);
        endRemoveRows();
    }
    if (!weights.empty()) {
        m_rowOfName.clear();
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            m_rowOfName.insert(nameOf(m_rows[i]), static_cast<int>(i));
        }
    }
    groupArchitectures();
    if (!m_rows.empty()) { // the groups of other rows change as well
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    }
}

void CollectionTable::forgetOutcomes()
{
    for (Row& row : m_rows) {
        row.outcome.reset();
    }
    groupArchitectures();
    if (!m_rows.empty()) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    }
}

void CollectionTable::groupArchitectures()
{
    m_groups.clear();
    QStringList hashes; // in the order of their first models
    for (const Row& row : m_rows) {
        if (row.outcome && !row.outcome->architecture.empty()) {
            const QString hash = fromUtf8(row.outcome->architecture);
            if (++m_groups[hash].models == 1) {
                hashes.append(hash);
            }
        }
    }
    std::ranges::stable_sort(hashes, std::greater(), [this](const QString& hash) { return m_groups[hash].models; });
    int number = 0;
    for (const QString& hash : std::as_const(hashes)) {
        Group& group = m_groups[hash];
        group.number = group.models > 1 ? ++number : 0;
    }
}

std::vector<CollectionModel> CollectionTable::models() const
{
    std::vector<CollectionModel> models;
    std::ranges::transform(m_rows, std::back_inserter(models), [](const Row& row) { return row.found.model; });
    return models;
}

std::vector<CollectionModel> CollectionTable::uncheckedModels() const
{
    std::vector<CollectionModel> models;
    for (const Row& row : m_rows) {
        if (!row.outcome) {
            models.push_back(row.found.model);
        }
    }
    return models;
}

CollectionReport CollectionTable::report() const
{
    CollectionReport report;
    for (const Row& row : m_rows) {
        report.models.push_back(row.outcome.value_or(
            ModelOutcome{.model = row.found.model.name.generic_string(), .outcome = Outcome::Cancelled}));
    }
    return report;
}

QString CollectionTable::searchText(int row) const
{
    QString words;
    for (const int column : {NameColumn, FormatColumn, VerdictColumn}) {
        words += text(at(row), column) + u'\n';
    }
    if (const auto& outcome = at(row).outcome) {
        for (const ReportedProblem& problem : outcome->problems) {
            words += displayText(problem.op) + u'\n' + messageText(problem.message) + u'\n';
        }
    }
    return words.toLower();
}

CollectionTable::Group CollectionTable::groupOf(const Row& row) const
{
    return row.outcome ? m_groups.value(fromUtf8(row.outcome->architecture)) : Group();
}

int CollectionTable::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int CollectionTable::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString CollectionTable::text(const Row& row, int column) const
{
    switch (column) {
    case NameColumn:
        return displayText(nameOf(row));
    case FormatColumn:
        return row.outcome ? formatName(row.outcome->format) : QString();
    case SizeColumn:
        return bytesText(row.found.bytes + row.weightsBytes);
    case VerdictColumn:
        return modelVerdictWord(modelVerdict(row.outcome));
    case ProblemsColumn:
        return row.outcome ? problemsText(*row.outcome) : QString();
    case ArchitectureColumn: {
        const Group group = groupOf(row);
        return group.number == 0 ? QString() : tr("%L1 (%Ln models)", nullptr, group.models).arg(group.number);
    }
    case TimeColumn:
        return row.outcome ? secondsText(row.outcome->seconds) : QString();
    default:
        return {};
    }
}

QVariant CollectionTable::sortKey(const Row& row, int column) const
{
    switch (column) {
    case SizeColumn:
        return static_cast<quint64>(row.found.bytes + row.weightsBytes);
    case VerdictColumn:
        return static_cast<int>(modelVerdict(row.outcome));
    case ArchitectureColumn: {
        const int number = groupOf(row).number;
        return number == 0 ? std::numeric_limits<int>::max() : number;
    }
    case TimeColumn:
        return row.outcome ? row.outcome->seconds : -1.0;
    default:
        return text(row, column);
    }
}

QString CollectionTable::toolTip(const Row& row, int column) const
{
    switch (column) {
    case SizeColumn:
        return row.weightsBytes == 0 ? QString()
                                     : tr("%1, and %2 of weights in %3")
                                           .arg(bytesText(row.found.bytes), bytesText(row.weightsBytes),
                                                displayText(row.outcome->weights));
    case VerdictColumn:
        return row.outcome && !row.outcome->output.empty() ? tr("Converted to %1").arg(displayText(row.outcome->output))
                                                           : QString();
    case ArchitectureColumn:
        return groupOf(row).number == 0 ? QString() : tr("These models differ in their weights only");
    case TimeColumn:
        return row.outcome && row.outcome->peakBytes > 0 ? tr("Memory: %1").arg(bytesText(row.outcome->peakBytes))
                                                         : QString();
    default:
        return {}; // the view shows texts that are elided
    }
}

QVariant CollectionTable::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const Row& row = at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return text(row, index.column());
    case SortRole:
        return sortKey(row, index.column());
    case Qt::ToolTipRole: {
        const QString tip = toolTip(row, index.column());
        return tip.isEmpty() ? text(row, index.column()) : tip;
    }
    case Qt::DecorationRole:
        return index.column() == VerdictColumn ? QVariant(modelVerdictIcon(modelVerdict(row.outcome))) : QVariant();
    case Qt::TextAlignmentRole:
        return isNumber(index.column()) ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    default:
        return {};
    }
}

QVariant CollectionTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return isNumber(section) ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                 : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    }
    if (role == Qt::InitialSortOrderRole) {
        return isNumber(section) || section == VerdictColumn ? Qt::DescendingOrder : Qt::AscendingOrder;
    }
    if (role == Qt::ToolTipRole) {
        return section == ArchitectureColumn ? tr("Groups of models whose graphs are equal up to the weights")
               : section == SizeColumn       ? tr("With the weights file")
               : section == TimeColumn       ? tr("Time of the process that checked or converted the model")
                                             : QVariant();
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case NameColumn:
        return tr("Model");
    case FormatColumn:
        return tr("Format");
    case SizeColumn:
        return tr("Size");
    case VerdictColumn:
        return tr("Verdict");
    case ProblemsColumn:
        return tr("Problems");
    case ArchitectureColumn:
        return tr("Architecture");
    case TimeColumn:
        return tr("Time");
    default:
        return {};
    }
}

} // namespace crosswalk::ui
