#pragma once

#include "ui/collection/collection_table.h"

#include <QSortFilterProxyModel>
#include <QStringList>

#include <optional>
#include <string>
#include <utility>

namespace crosswalk::ui {

/// The rows of a collection that pass all filters, sorted.
class CollectionFilter final : public QSortFilterProxyModel {
    Q_OBJECT
public:
    /// The code and operator of a problem that keeps models from being converted.
    using Reason = std::pair<std::string, std::string>;

    CollectionFilter(CollectionTable* table, QObject* parent);

    /// Every word must occur in the name, the format, the verdict or a problem.
    void setQuery(const QString& query);
    void setVerdict(std::optional<ModelVerdict> verdict);
    void setReason(std::optional<Reason> reason);
    /// As in ModelOutcome; empty for all.
    void setArchitecture(std::string architecture);
    const std::string& architecture() const { return m_architecture; }
    const std::optional<Reason>& reason() const { return m_reason; }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    CollectionTable* m_table;
    QStringList m_words;
    std::optional<ModelVerdict> m_verdict;
    std::optional<Reason> m_reason;
    std::string m_architecture;
};

} // namespace crosswalk::ui
