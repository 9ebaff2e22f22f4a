#include "ui/collection/collection_filter.h"

#include <algorithm>
#include <utility>

namespace crosswalk::ui {

CollectionFilter::CollectionFilter(CollectionTable* table, QObject* parent)
    : QSortFilterProxyModel(parent)
    , m_table(table)
{
    setSortRole(CollectionTable::SortRole);
    setSortCaseSensitivity(Qt::CaseInsensitive);
    setSourceModel(table);
}

void CollectionFilter::setQuery(const QString& query)
{
    m_words = query.toLower().split(u' ', Qt::SkipEmptyParts);
    invalidateFilter();
}

void CollectionFilter::setVerdict(std::optional<ModelVerdict> verdict)
{
    m_verdict = verdict;
    invalidateFilter();
}

void CollectionFilter::setReason(std::optional<Reason> reason)
{
    m_reason = std::move(reason);
    invalidateFilter();
}

void CollectionFilter::setArchitecture(std::string architecture)
{
    m_architecture = std::move(architecture);
    invalidateFilter();
}

bool CollectionFilter::filterAcceptsRow(int row, const QModelIndex& /*parent*/) const
{
    const auto& outcome = m_table->at(row).outcome;
    if (m_verdict && m_table->verdict(row) != *m_verdict) {
        return false;
    }
    if (!m_architecture.empty() && (!outcome || outcome->architecture != m_architecture)) {
        return false;
    }
    const auto isReason = [this](const ReportedProblem& problem) {
        return problem.severity == Severity::Error && problem.code == m_reason->first && problem.op == m_reason->second;
    };
    if (m_reason &&
        (!outcome || outcome->outcome == Outcome::Converted || std::ranges::none_of(outcome->problems, isReason))) {
        return false;
    }
    if (m_words.isEmpty()) {
        return true;
    }
    const QString text = m_table->searchText(row);
    return std::ranges::all_of(m_words, [&](const QString& word) { return text.contains(word); });
}

} // namespace crosswalk::ui
