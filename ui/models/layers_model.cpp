#include "ui/models/layers_model.h"

#include "core/onnx/work.h"
#include "ui/models/search_text.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"
#include "ui/theme/icons.h"

#include <QStringList>

#include <algorithm>
#include <limits>
#include <numeric>

namespace crosswalk::ui {
namespace {

bool isNumber(int column)
{
    return column == LayersModel::ParametersColumn || column == LayersModel::SizeColumn ||
           column == LayersModel::WorkColumn || column == LayersModel::ErrorColumn ||
           column == LayersModel::LatencyColumn;
}

QVariant verdictIcon(std::optional<Verdict> verdict)
{
    switch (verdict.value_or(Verdict::Exact)) {
    case Verdict::Exact:
        return {};
    case Verdict::Decomposed:
        return icon(QLatin1String("branches"), IconTint::Decomposed);
    case Verdict::Approximate:
        return icon(QLatin1String("wave"), IconTint::Approximate);
    case Verdict::Unsupported:
        return icon(QLatin1String("cross"), IconTint::Unsupported);
    case Verdict::Folded:
        return icon(QLatin1String("dot"), IconTint::Folded);
    }
    return {};
}

/// Sorts rows by a key, equal ones in their order. Each key is computed once.
template <typename Key>
void sortBy(std::vector<std::uint32_t>& rows, Qt::SortOrder order, Key keyOf)
{
    using Pair = std::pair<decltype(keyOf(0U)), std::uint32_t>;
    std::vector<Pair> pairs;
    pairs.reserve(rows.size());
    for (const std::uint32_t row : rows) {
        pairs.emplace_back(keyOf(row), row);
    }
    if (order == Qt::AscendingOrder) {
        std::ranges::stable_sort(pairs, std::ranges::less(), &Pair::first);
    } else {
        std::ranges::stable_sort(pairs, std::ranges::greater(), &Pair::first);
    }
    std::ranges::transform(pairs, rows.begin(), &Pair::second);
}

} // namespace

void LayersModel::setTable(std::shared_ptr<const GraphSide> side, std::shared_ptr<const LayerTable> table)
{
    beginResetModel();
    m_side = std::move(side);
    m_table = m_side ? std::move(table) : nullptr;
    m_check.reset();
    m_latencies.clear();
    rebuild();
    endResetModel();
}

void LayersModel::setCheck(std::shared_ptr<const NodeCheck> check)
{
    if (check == m_check) {
        return;
    }
    beginResetModel();
    m_check = std::move(check);
    rebuild();
    endResetModel();
}

void LayersModel::setLatencies(std::vector<std::optional<double>> latencies)
{
    if (latencies == m_latencies) {
        return;
    }
    beginResetModel();
    m_latencies = std::move(latencies);
    rebuild();
    endResetModel();
}

std::optional<double> LayersModel::latency(const LayerRow& layer) const
{
    return layer.node.index < m_latencies.size() ? m_latencies[layer.node.index] : std::nullopt;
}

bool LayersModel::isShown(int column) const
{
    return column == ErrorColumn ? hasErrors() : column != LatencyColumn || hasLatencies();
}

void LayersModel::setFilter(const QString& query)
{
    std::vector<std::string> words;
    for (const QString& word : query.split(u' ', Qt::SkipEmptyParts)) {
        words.push_back(searchForm(word.toStdString()));
    }
    if (words == m_words) {
        return;
    }
    // A longer query only narrows what is shown.
    const bool narrows =
        words.size() >= m_words.size() && std::ranges::equal(m_words, std::span(words).first(m_words.size()),
                                                             [](const std::string& before, const std::string& now) {
                                                                 return now.find(before) != std::string::npos;
                                                             });
    beginResetModel();
    m_words = std::move(words);
    if (narrows) {
        filter(m_shown);
        order();
    } else {
        rebuild();
    }
    endResetModel();
}

void LayersModel::sort(int column, Qt::SortOrder order)
{
    if (column == m_sortColumn && order == m_sortOrder) {
        return;
    }
    emit layoutAboutToBeChanged({}, VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<NodeId> nodes;
    std::ranges::transform(before, std::back_inserter(nodes),
                           [this](const auto& index) { return nodeAt(index.row()); });
    m_sortColumn = column;
    m_sortOrder = order;
    if (column < 0) {
        std::ranges::sort(m_shown);
    }
    this->order();
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i) {
        after.append(index(rowOf(nodes[static_cast<std::size_t>(i)]), before[i].column()));
    }
    changePersistentIndexList(before, after);
    emit layoutChanged({}, VerticalSortHint);
}

void LayersModel::rebuild()
{
    m_shown.resize(m_table ? m_table->rows.size() : 0);
    std::iota(m_shown.begin(), m_shown.end(), 0U);
    if (!m_words.empty()) {
        filter(m_shown);
    }
    order();
}

void LayersModel::filter(std::vector<std::uint32_t>& shown) const
{
    std::erase_if(shown, [this](std::uint32_t row) {
        const std::string text = searchText(m_table->rows[row]);
        return !std::ranges::all_of(m_words,
                                    [&](const std::string& word) { return text.find(word) != std::string::npos; });
    });
}

void LayersModel::order()
{
    const auto by = [this](auto keyOf) {
        sortBy(m_shown, m_sortOrder, [&](std::uint32_t row) { return keyOf(m_table->rows[row]); });
    };
    switch (m_sortColumn) {
    case NameColumn:
        by([this](const LayerRow& layer) { return m_side->names.of(layer.node); });
        break;
    case OperatorColumn:
        by([this](const LayerRow& layer) -> std::string_view { return m_side->graph->node(layer.node).op; });
        break;
    case OutputColumn: // by the number of elements
        by([](const LayerRow& layer) {
            return layer.output.shape ? elementCount(*layer.output.shape).value_or(0) : std::int64_t{-1};
        });
        break;
    case ParametersColumn:
        by([](const LayerRow& layer) { return layer.weights.elements; });
        break;
    case SizeColumn:
        by([](const LayerRow& layer) { return layer.weights.bytes; });
        break;
    case WorkColumn:
        by([](const LayerRow& layer) { return layer.multiplyAdds.value_or(-1); });
        break;
    case VerdictColumn:
        by([](const LayerRow& layer) { return layer.verdict ? static_cast<int>(*layer.verdict) : -1; });
        break;
    case ErrorColumn:
        by([this](const LayerRow& layer) { return m_check ? measuredError(*m_check, layer.node).value_or(-1) : -1; });
        break;
    case LatencyColumn:
        by([this](const LayerRow& layer) { return latency(layer).value_or(-1); });
        break;
    default:
        break;
    }
    m_rowOfNode.assign(m_side ? m_side->graph->nodeCount() : 0, -1);
    for (std::size_t i = 0; i < m_shown.size(); ++i) {
        m_rowOfNode[m_table->rows[m_shown[i]].node.index] = static_cast<int>(i);
    }
}

NodeId LayersModel::nodeAt(int row) const
{
    return row >= 0 && row < rowCount() ? layer(row).node : NodeId();
}

int LayersModel::rowOf(NodeId node) const
{
    return node.index < m_rowOfNode.size() ? m_rowOfNode[node.index] : -1;
}

std::string LayersModel::searchText(const LayerRow& layer) const
{
    std::string text = m_side->names.of(layer.node) + '\n' + m_side->graph->node(layer.node).op + '\n' +
                       typeText(layer.output).toStdString();
    if (layer.verdict) {
        text += '\n' + verdictWord(*layer.verdict).toStdString();
    }
    return searchForm(text);
}

QString LayersModel::text(const LayerRow& layer, int column) const
{
    switch (column) {
    case NameColumn:
        return displayText(m_side->names.of(layer.node));
    case OperatorColumn:
        return displayText(m_side->graph->node(layer.node).op);
    case OutputColumn:
        return typeText(layer.output);
    case ParametersColumn:
        return layer.weights.elements > 0 ? countText(layer.weights.elements) : QString();
    case SizeColumn:
        return layer.weights.bytes > 0 ? bytesText(layer.weights.bytes) : QString();
    case WorkColumn:
        return layer.multiplyAdds
                   ? *layer.multiplyAdds > 0 ? countText(static_cast<std::uint64_t>(*layer.multiplyAdds)) : QString()
               : layer.countedAt ? tr("shared")
               : layer.verdict   ? tr("unknown")
                                 : QString();
    case VerdictColumn:
        return layer.verdict ? verdictWord(*layer.verdict) : QString();
    case ErrorColumn: {
        const auto error = m_check ? measuredError(*m_check, layer.node) : std::nullopt;
        return error ? QString::number(*error, 'g', 2) : QString();
    }
    case LatencyColumn: {
        const auto seconds = latency(layer);
        return seconds ? secondsText(*seconds) : QString();
    }
    default:
        return {};
    }
}

QString LayersModel::toolTip(const LayerRow& layer, int column) const
{
    if (column == NameColumn) {
        return text(layer, column);
    }
    if (column == WorkColumn && layer.countedAt) {
        return tr("Counted at %1, which becomes the same ONNX nodes")
            .arg(displayText(m_side->names.of(layer.countedAt)));
    }
    if (column == WorkColumn && !layer.multiplyAdds && layer.verdict) {
        return tr("A shape, a number of iterations or the operator is unknown");
    }
    return column == ParametersColumn && layer.weights.tensors > 0
               ? counted(static_cast<int>(layer.weights.tensors), tr("1 tensor"),
                         tr("%Ln tensors", nullptr, static_cast<int>(layer.weights.tensors)))
               : QString();
}

QString LayersModel::textOf(const std::vector<int>& rows) const
{
    std::vector<int> columns;
    for (int column = 0; column < ColumnCount; ++column) {
        if (isShown(column)) {
            columns.push_back(column);
        }
    }
    QStringList lines;
    QStringList cells;
    for (const int column : columns) {
        cells.append(headerData(column, Qt::Horizontal).toString());
    }
    lines.append(cells.join(u'\t'));
    for (const int row : rows) {
        const LayerRow& layer = this->layer(row);
        cells.clear();
        for (const int column : columns) {
            // A spreadsheet needs all digits.
            cells.append(column == ParametersColumn                   ? QString::number(layer.weights.elements)
                         : column == SizeColumn                       ? QString::number(layer.weights.bytes)
                         : column == WorkColumn && layer.multiplyAdds ? QString::number(*layer.multiplyAdds)
                                                                      : text(layer, column).replace(u'\t', u' '));
        }
        lines.append(cells.join(u'\t'));
    }
    return lines.join(u'\n');
}

int LayersModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int LayersModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant LayersModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const LayerRow& layer = this->layer(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return text(layer, index.column());
    case Qt::ToolTipRole:
        return toolTip(layer, index.column());
    case Qt::DecorationRole:
        return index.column() == VerdictColumn ? verdictIcon(layer.verdict) : QVariant();
    case Qt::TextAlignmentRole:
        return isNumber(index.column()) ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    default:
        return {};
    }
}

QVariant LayersModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return isNumber(section) ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                 : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    }
    if (role == Qt::InitialSortOrderRole) {
        return isNumber(section) || section == OutputColumn ? Qt::DescendingOrder : Qt::AscendingOrder;
    }
    if (role == Qt::ToolTipRole) {
        if (section == WorkColumn && m_table && !m_table->symbolsAsOne.empty()) {
            Work work;
            work.symbolsAsOne = m_table->symbolsAsOne;
            QStringList sizes;
            for (const std::string& size : sizesAsOne(work)) {
                sizes.append(displayText(size));
            }
            return tr("Multiply-adds (MACs) of one run at %1").arg(sizes.join(QStringLiteral(", ")));
        }
        return section == WorkColumn     ? tr("Multiply-adds (MACs) of one run")
               : section == OutputColumn ? tr("Type and shape of the first output; sorted by the number of elements")
               : section == ErrorColumn  ? tr("Largest absolute difference that the check measured")
               : section == LatencyColumn
                   ? tr("Mean time of the ONNX nodes in a run; nodes that several layers share count at the first one")
                   : QVariant();
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case NameColumn:
        return tr("Node");
    case OperatorColumn:
        return tr("Operator");
    case OutputColumn:
        return tr("Output");
    case ParametersColumn:
        return tr("Parameters");
    case SizeColumn:
        return tr("Size");
    case WorkColumn:
        return tr("MACs");
    case VerdictColumn:
        return tr("Verdict");
    case ErrorColumn:
        return tr("Error");
    case LatencyColumn:
        return tr("Latency");
    default:
        return {};
    }
}

} // namespace crosswalk::ui
