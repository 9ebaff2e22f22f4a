#pragma once

#include "ui/document/graph_side.h"

#include <QAbstractItemModel>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>

namespace crosswalk::ui {

/// The tree of the scopes and boxes of one graph, or the flat list of search results.
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
        ReasonRole ///< why a search matched, if not by the name or the operator
    };
    using QAbstractItemModel::QAbstractItemModel;

    /// Null clears the model.
    void setSide(std::shared_ptr<const GraphSide> side);
    /// Whether the tree lists nodes that are drawn as weights of others; not by default.
    void setFoldedShown(bool shown);
    void setMarks(std::shared_ptr<const SceneMarks> marks);
    /// An empty query shows the tree.
    void setFilter(const QString& query);
    const QString& filter() const { return m_query; }
    bool isFiltered() const { return m_filtered; }
    /// Whether all matches are listed.
    bool isComplete() const { return !canFetchMore({}); }
    /// Continues the search until it has reached a box.
    void searchUpTo(std::uint32_t box);
    /// The index of a box, if it is in the tree or among the results.
    QModelIndex indexOf(std::uint32_t box) const;
    /// For a folded node, the box that contains it.
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
    /// The badges as text for screen readers.
    static QString badgesText(QStringList badges);
    void markScopes();
    /// The scope of a row that represents one.
    std::uint32_t scopeNumber(const QModelIndex& index) const;
    QString reason(std::uint32_t box) const;
    /// The folded node that a row of the tree represents, if any.
    std::optional<NodeId> foldedAt(const QModelIndex& index) const;
    QVariant foldedData(NodeId id, std::uint32_t box, int role) const;
    const Outline::Scope* scopeAt(const QModelIndex& index) const;

    std::shared_ptr<const GraphSide> m_side;
    /// The marks of a scope, summarizing its boxes.
    struct ScopeMarks {
        Verdict verdict = Verdict::Exact; ///< the verdict of a box with an alarm
        QStringList badges;
    };
    std::shared_ptr<const SceneMarks> m_marks;
    std::unordered_map<std::uint32_t, ScopeMarks> m_scopeMarks;
    QString m_query;
    bool m_filtered = false;
    bool m_foldedShown = false;
    Outline::Found m_found; ///< the search results listed
    int m_shared = 0;       ///< length of the common prefix of all listed names
};

} // namespace crosswalk::ui
