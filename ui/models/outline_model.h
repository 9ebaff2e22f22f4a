#pragma once

#include "ui/document/graph_side.h"

#include <QAbstractItemModel>

#include <unordered_map>

namespace crosswalk::ui {

/// Tree of the scopes and boxes of one graph, or the flat list of what a search found.
class OutlineModel final : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Role {
        BoxRole = Qt::UserRole,
        OperatorRole,
        VerdictRole,
        IsChangeRole,
        CountRole,
        BadgesRole,
        SharedRole,
        ProvenRole,
        ReasonRole ///< why a search found it, where its name and operator do not say so
    };
    using QAbstractItemModel::QAbstractItemModel;

    /// Null for nothing.
    void setSide(std::shared_ptr<const GraphSide> side);
    void setMarks(std::shared_ptr<const SceneMarks> marks);
    /// Empty shows the tree.
    void setFilter(const QString& query);
    const QString& filter() const { return m_query; }
    bool isFiltered() const { return m_filtered; }
    /// Whether there is no more to find than what is listed.
    bool isComplete() const { return !canFetchMore({}); }
    /// Searches on until it has come to a box.
    void searchUpTo(std::uint32_t box);
    /// Where a box is, if it is in the tree or among the found.
    QModelIndex indexOf(std::uint32_t box) const;
    /// Of a folded node the box that it is drawn in.
    std::optional<std::uint32_t> boxAt(const QModelIndex& index) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    void search();
    void searchOn(std::size_t matches);
    void refreshShared();
    QStringList badges(std::uint32_t box) const;
    /// As said to who cannot see them.
    static QString badgesText(QStringList badges);
    void markScopes();
    /// Of a row that is a scope.
    std::uint32_t scopeNumber(const QModelIndex& index) const;
    QString reason(std::uint32_t box) const;
    /// The folded node that a row of the tree stands for, if it does.
    std::optional<NodeId> foldedAt(const QModelIndex& index) const;
    QVariant foldedData(NodeId id, std::uint32_t box, int role) const;
    const Outline::Scope* scopeAt(const QModelIndex& index) const;

    std::shared_ptr<const GraphSide> m_side;
    /// What a scope shows of the boxes in it and below.
    struct ScopeMarks {
        Verdict verdict = Verdict::Exact; ///< of one that alarms
        QStringList badges;
    };
    std::shared_ptr<const SceneMarks> m_marks;
    std::unordered_map<std::uint32_t, ScopeMarks> m_scopeMarks;
    QString m_query;
    bool m_filtered = false;
    Outline::Found m_found; ///< what is listed of a search
    int m_shared = 0;       ///< letters that the names of all that is listed begin with
};

} // namespace crosswalk::ui
