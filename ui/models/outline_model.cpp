#include "ui/models/outline_model.h"

#include "ui/models/box_title.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"

#include <algorithm>

namespace crosswalk::ui {
namespace {

// A view lays out all existing rows, and a single letter matches nearly every node: further matches are searched for
// when the user scrolls to the end.
constexpr std::size_t listedAtFirst = 1000;
constexpr std::size_t minShared = 8; ///< letters; a shorter common prefix is not worth eliding

} // namespace

// An index contains the scope of which it is a row; the rows of the flat list belong to the root.

void OutlineModel::setSide(std::shared_ptr<const GraphSide> side)
{
    beginResetModel();
    m_side = std::move(side);
    m_marks.reset();
    markScopes();
    m_found = {};
    search();
    endResetModel();
}

void OutlineModel::setMarks(std::shared_ptr<const SceneMarks> marks)
{
    m_marks = std::move(marks);
    markScopes();
    if (m_side && rowCount() > 0) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, 0), {VerdictRole, IsChangeRole, BadgesRole, ProvenRole});
    }
}

void OutlineModel::markScopes()
{
    m_scopeMarks.clear();
    if (!m_side || !m_marks) {
        return;
    }
    const auto forScopesOf = [this](std::uint32_t box, auto mark) {
        const bool isListed = box < m_side->outline.boxCount();
        for (auto scope = isListed ? m_side->outline.placeOf(box).first : 0; scope != 0;
             scope = m_side->outline.scope(scope).parent) {
            mark(m_scopeMarks[scope]);
        }
    };
    for (const auto box : m_marks->alarms) {
        forScopesOf(box, [verdict = m_marks->verdicts[box]](ScopeMarks& marks) {
            if (marks.verdict != Verdict::Unsupported) {
                marks.verdict = verdict;
            }
        });
    }
    for (const auto& [box, badges] : m_marks->badges) {
        forScopesOf(box, [&badges = badges](ScopeMarks& marks) { addBadges(marks.badges, badges); });
    }
}

void OutlineModel::setFoldedShown(bool shown)
{
    if (shown != m_foldedShown) {
        beginResetModel();
        m_foldedShown = shown;
        endResetModel();
    }
}

void OutlineModel::setFilter(const QString& query)
{
    beginResetModel();
    // A longer query matches fewer boxes: earlier mismatches stay mismatches.
    const bool isLess = m_side && m_filtered && query.startsWith(m_query);
    m_query = query;
    m_filtered = !query.trimmed().isEmpty();
    if (isLess) {
        m_side->outline.narrow(query.toStdString(), m_found);
    } else {
        m_found = {};
    }
    search();
    endResetModel();
}

void OutlineModel::search()
{
    if (m_side && m_filtered) {
        m_side->outline.find(m_query.toStdString(), m_found, listedAtFirst);
    }
    refreshShared();
}

void OutlineModel::refreshShared()
{
    m_shared = 0;
    if (m_found.boxes.size() < 2) {
        return;
    }
    // Names as in the file: disambiguating equal names takes longer than the rest of the search.
    const auto nameOf = [this](std::uint32_t box) -> std::string_view {
        const SceneNode& node = m_side->box(box);
        return node.kind == SceneNode::Kind::Operator ? m_side->graph->node(node.node).name
                                                      : m_side->graph->value(node.value).name;
    };
    std::string_view shared = nameOf(m_found.boxes.front());
    for (const auto box : m_found.boxes) {
        const std::string_view name = nameOf(box);
        const auto end = std::mismatch(shared.begin(), shared.end(), name.begin(), name.end()).first;
        shared = shared.substr(0, static_cast<std::size_t>(end - shared.begin()));
        if (shared.size() < minShared) {
            return;
        }
    }
    // Only whole scopes: "layer1" and "layer12" do not share a scope.
    shared = shared.substr(0, shared.find_last_of("/._:") + 1);
    m_shared = shared.size() < minShared ? 0 : static_cast<int>(displayText(shared).size());
}

bool OutlineModel::canFetchMore(const QModelIndex& parent) const
{
    return m_side && m_filtered && !parent.isValid() && m_found.next < m_side->outline.boxCount();
}

void OutlineModel::fetchMore(const QModelIndex& parent)
{
    if (canFetchMore(parent)) {
        searchOn(2 * std::max(m_found.boxes.size(), listedAtFirst));
    }
}

void OutlineModel::searchOn(std::size_t matches)
{
    Outline::Found found = m_found;
    m_side->outline.find(m_query.toStdString(), found, matches);
    const bool isMore = found.boxes.size() > m_found.boxes.size();
    if (isMore) {
        beginInsertRows({}, static_cast<int>(m_found.boxes.size()), static_cast<int>(found.boxes.size()) - 1);
    }
    m_found = std::move(found);
    refreshShared();
    if (isMore) {
        endInsertRows();
    }
}

void OutlineModel::searchUpTo(std::uint32_t box)
{
    while (m_filtered && m_found.next <= box && canFetchMore({})) {
        fetchMore({});
    }
}

std::uint32_t OutlineModel::scopeNumber(const QModelIndex& index) const
{
    return m_side->outline.scope(static_cast<std::uint32_t>(index.internalId()))
        .children[static_cast<std::size_t>(index.row())]
        .index;
}

QModelIndex OutlineModel::indexOf(std::uint32_t box) const
{
    if (!m_side || box >= m_side->scene->nodes.size()) {
        return {};
    }
    if (m_filtered) {
        const auto found = std::lower_bound(m_found.boxes.begin(), m_found.boxes.end(), box);
        return found != m_found.boxes.end() && *found == box
                   ? createIndex(static_cast<int>(found - m_found.boxes.begin()), 0, quintptr{0})
                   : QModelIndex();
    }
    const auto [scope, row] = m_side->outline.placeOf(box);
    return createIndex(static_cast<int>(row), 0, quintptr{scope});
}

std::optional<std::uint32_t> OutlineModel::boxAt(const QModelIndex& index) const
{
    if (!index.isValid() || !m_side) {
        return std::nullopt;
    }
    const auto row = static_cast<std::size_t>(index.row());
    if (m_filtered) {
        return m_found.boxes[row];
    }
    const auto& child = m_side->outline.scope(static_cast<std::uint32_t>(index.internalId())).children[row];
    return child.isScope ? std::nullopt : std::optional(child.index);
}

std::optional<NodeId> OutlineModel::foldedAt(const QModelIndex& index) const
{
    if (m_filtered) {
        return std::nullopt;
    }
    const auto& child = m_side->outline.scope(static_cast<std::uint32_t>(index.internalId()))
                            .children[static_cast<std::size_t>(index.row())];
    return child.folded ? std::optional(child.folded) : std::nullopt;
}

QVariant OutlineModel::foldedData(NodeId id, std::uint32_t box, int role) const
{
    const Node& node = m_side->graph->node(id);
    switch (role) {
    case Qt::DisplayRole:
        return displayText(m_side->names.of(id));
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
        return tr("%1, %2, drawn as weights of %3")
            .arg(displayText(m_side->names.of(id)), displayText(node.op), displayText(m_side->label(box)));
    case BoxRole:
        return box;
    case OperatorRole:
        return displayText(node.op);
    case VerdictRole:
        return static_cast<int>(Verdict::Folded);
    default:
        return {};
    }
}

const Outline::Scope* OutlineModel::scopeAt(const QModelIndex& index) const
{
    if (!m_side) {
        return nullptr;
    }
    if (!index.isValid()) {
        return &m_side->outline.scope(0);
    }
    if (m_filtered) {
        return nullptr;
    }
    const auto& child = m_side->outline.scope(static_cast<std::uint32_t>(index.internalId()))
                            .children[static_cast<std::size_t>(index.row())];
    return child.isScope ? &m_side->outline.scope(child.index) : nullptr;
}

QStringList OutlineModel::badges(std::uint32_t box) const
{
    if (!m_marks) {
        return {};
    }
    const auto found = m_marks->badges.find(box);
    return found != m_marks->badges.end() ? found->second : QStringList();
}

QString OutlineModel::badgesText(QStringList badges)
{
    const QString changed = badges.removeAll(shapeBadge()) > 0 ? tr(", shape changed") : QString();
    return changed +
           (badges.isEmpty() ? QString() : tr(", not expressible in ONNX: %1").arg(badges.join(QStringLiteral(", "))));
}

QString OutlineModel::reason(std::uint32_t box) const
{
    return m_filtered ? displayText(m_side->outline.reason(m_query.toStdString(), box)) : QString();
}

QModelIndex OutlineModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent)) {
        return {};
    }
    if (!parent.isValid()) {
        return createIndex(row, column, quintptr{0});
    }
    const auto& child = m_side->outline.scope(static_cast<std::uint32_t>(parent.internalId()))
                            .children[static_cast<std::size_t>(parent.row())];
    return createIndex(row, column, quintptr{child.index});
}

QModelIndex OutlineModel::parent(const QModelIndex& index) const
{
    if (!index.isValid() || m_filtered || index.internalId() == 0 || !m_side) {
        return {};
    }
    const auto& scope = m_side->outline.scope(static_cast<std::uint32_t>(index.internalId()));
    return createIndex(static_cast<int>(scope.row), 0, quintptr{scope.parent});
}

int OutlineModel::rowCount(const QModelIndex& parent) const
{
    if (parent.column() > 0) {
        return 0;
    }
    if (m_filtered) {
        return parent.isValid() ? 0 : static_cast<int>(m_found.boxes.size());
    }
    const auto* scope = scopeAt(parent);
    return scope == nullptr ? 0 : static_cast<int>(m_foldedShown ? scope->children.size() : scope->shown);
}

int OutlineModel::columnCount(const QModelIndex& /*parent*/) const
{
    return 1;
}

QVariant OutlineModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || !m_side) {
        return {};
    }
    if (const auto* scope = scopeAt(index)) {
        const int boxes = static_cast<int>(scope->boxes);
        const auto found = m_scopeMarks.find(scopeNumber(index));
        const ScopeMarks marks = found != m_scopeMarks.end() ? found->second : ScopeMarks();
        switch (role) {
        case Qt::DisplayRole:
            return displayText(scope->name);
        case CountRole:
            return scope->boxes;
        case Qt::AccessibleTextRole:
            return QStringLiteral("%1, %2").arg(displayText(scope->name),
                                                counted(boxes, tr("1 node"), tr("%Ln nodes", nullptr, boxes))) +
                   badgesText(marks.badges);
        case VerdictRole:
            return static_cast<int>(marks.verdict);
        case IsChangeRole:
            return m_marks && m_marks->areChanges;
        case BadgesRole:
            return marks.badges;
        default:
            return {};
        }
    }
    if (const auto folded = foldedAt(index)) {
        return foldedData(*folded, *boxAt(index), role);
    }
    const auto box = *boxAt(index);
    const SceneNode& node = m_side->box(box);
    switch (role) {
    case Qt::DisplayRole:
        return displayText(m_side->label(box));
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole: {
        const QString why = reason(box);
        return QStringLiteral("%1, %2").arg(displayText(m_side->label(box)), boxTitle(node)) +
               (why.isEmpty() ? QString() : QStringLiteral(", ") + why) + badgesText(badges(box)) +
               (m_marks && m_marks->isProven(box) ? tr(", matches the recorded tensors") : QString());
    }
    case BadgesRole:
        return badges(box);
    case SharedRole:
        return m_filtered ? QVariant(m_shared) : QVariant();
    case ReasonRole:
        return reason(box);
    case BoxRole:
        return box;
    case OperatorRole:
        return boxTitle(node);
    case VerdictRole:
        return m_marks && box < m_marks->verdicts.size() ? static_cast<int>(m_marks->verdicts[box]) : 0;
    case ProvenRole:
        return m_marks && m_marks->isProven(box);
    case IsChangeRole:
        return m_marks && m_marks->areChanges;
    default:
        return {};
    }
}

} // namespace crosswalk::ui
