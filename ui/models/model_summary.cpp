// The summary of the open model: the contents of the file and of the export.

#include "ui/document/conversion_marks.h"
#include "ui/models/difference_details.h"
#include "ui/models/node_details.h"
#include "ui/models/shape_text.h"
#include "ui/models/words.h"
#include "ui/theme/icons.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace crosswalk::ui {
namespace {

std::vector<std::uint32_t> boxesOf(const GraphSide& side, const std::vector<NodeId>& nodes)
{
    std::vector<std::uint32_t> boxes;
    for (const NodeId node : nodes) {
        if (const auto box = side.boxOf(node)) {
            boxes.push_back(*box);
        }
    }
    std::ranges::sort(boxes);
    boxes.erase(std::unique(boxes.begin(), boxes.end()), boxes.end());
    return boxes;
}

/// A row per operator; activating it selects its nodes.
DetailSection operators(const QString& title, const std::shared_ptr<const GraphSide>& side, bool isOtherSide)
{
    DetailSection section{title, {}};
    const double most = side->counts.operators.empty() ? 1 : static_cast<double>(side->counts.operators.front().second);
    for (const auto& [op, count] : side->counts.operators) {
        const auto boxes = [side, op = op] {
            std::vector<NodeId> nodes;
            for (std::uint32_t i = 0; i < side->graph->nodeCount(); ++i) {
                if (side->graph->node(NodeId{i}).op == op) {
                    nodes.push_back(NodeId{i});
                }
            }
            return boxesOf(*side, nodes);
        };
        section.details.push_back({.name = displayText(op),
                                   .value = QStringLiteral("%L1").arg(count),
                                   .toolTip = Words::tr("Click to select these nodes"),
                                   .otherSide = isOtherSide,
                                   .boxes = boxes,
                                   .share = static_cast<double>(count) / most});
    }
    return section;
}

/// Empty for a folder.
QString sizeOfFile(const std::filesystem::path& path)
{
    std::error_code failed;
    const auto size = std::filesystem::file_size(path, failed);
    return failed ? QString() : bytesText(size);
}

DetailSection largestLayers(const GraphSide& side)
{
    DetailSection section{Words::tr("Largest layers"), {}};
    constexpr double leastShare = 0.005; // of all weights: rounds to 1 %
    for (const LayerSize& layer : side.counts.largest) {
        const double all = static_cast<double>(std::max<std::uint64_t>(side.counts.parameters.bytes, 1));
        const double share = std::min(1.0, static_cast<double>(layer.weights.bytes) / all);
        const QString name = displayText(side.names.of(layer.node));
        section.details.push_back(
            {.name = name,
             .value = share < leastShare
                          ? Words::tr("%1, < 1 %").arg(bytesText(layer.weights.bytes))
                          : Words::tr("%1, %2 %").arg(bytesText(layer.weights.bytes)).arg(std::lround(share * 100)),
             .toolTip = Words::tr("%1: %2 parameters in %3")
                            .arg(name, countText(layer.weights.elements), bytesText(layer.weights.bytes)),
             .box = side.boxOf(layer.node),
             .share = share});
    }
    return section;
}

DetailSection values(const DocumentView& document, const QString& title, std::span<const ValueId> ids)
{
    DetailSection section{title, {}};
    const auto& side = document.side(Side::Source);
    for (const auto id : ids) {
        section.details.push_back({displayText(side->graph->value(id).name),
                                   typeText(typeOf(document, Side::Source, id)),
                                   {},
                                   {},
                                   side->boxOf(id)});
    }
    return section;
}

DetailSection parameters(const GraphSide& side)
{
    return {Words::tr("Parameters"),
            {{Words::tr("Tensors"), QStringLiteral("%L1").arg(side.counts.parameters.tensors)},
             {Words::tr("Elements"), countText(side.counts.parameters.elements)},
             {Words::tr("Size"), bytesText(side.counts.parameters.bytes)}}};
}

/// Adds rows for the multiply-adds of one run, the sizes assumed for named dimensions, and the number of nodes that are
/// not counted. One row would be elided in a narrow panel.
void addWork(DetailSection& section, const Work& work)
{
    const QString explanation =
        Words::tr("Multiply-adds of one run: a product and its addition count as one, so there are twice as many "
                  "floating-point operations. Pooling, normalisation and elementwise operators count one per element; "
                  "operators that only move data count nothing.");
    if (work.multiplyAdds == 0 && work.unknownNodes > 0) {
        section.details.push_back(
            {Words::tr("Multiply-adds"), Words::tr("unknown: set the shapes of the inputs"), explanation});
        return;
    }
    const QString count = countText(static_cast<std::uint64_t>(work.multiplyAdds));
    section.details.push_back({Words::tr("Multiply-adds"),
                               work.unknownNodes == 0 ? count : Words::tr("at least %1").arg(count), explanation});
    QStringList sizes;
    for (const std::string& size : sizesAsOne(work)) {
        sizes.append(displayText(size));
    }
    if (!sizes.isEmpty()) {
        section.details.push_back({Words::tr("Counted with"), sizes.join(QStringLiteral(", ")),
                                   Words::tr("The sizes that the count takes for named dimensions.")});
    }
    if (const int unknown = static_cast<int>(work.unknownNodes); unknown > 0) {
        section.details.push_back({Words::tr("Not counted"),
                                   counted(unknown, Words::tr("1 node"), Words::tr("%Ln nodes", nullptr, unknown)),
                                   Words::tr("Their sizes depend on the inputs.")});
    }
}

DetailSection conversionSection(const ConvertedModel& converted)
{
    DetailSection section{Words::tr("Conversion"), {}};
    const auto& conversion = converted.conversion;
    section.details.push_back({Words::tr("Opset"), QString::number(conversion.opset)});
    const std::vector<bool> isBlocked = blockedNodes(conversion);
    const auto add = [&](const QString& name, const std::vector<NodeId>& nodes, const QIcon& mark,
                         const QString& toolTip = {}) {
        if (!nodes.empty()) {
            section.details.push_back(
                {.name = name,
                 .value = QStringLiteral("%L1").arg(nodes.size()),
                 .toolTip = toolTip.isEmpty() ? Words::tr("Click to select these nodes") : toolTip,
                 .icon = mark,
                 .boxes = [side = converted.source.side, nodes] { return boxesOf(*side, nodes); }});
        }
    };
    const auto nodesOf = [&](Verdict verdict) {
        std::vector<NodeId> nodes;
        for (std::uint32_t i = 0; i < conversion.verdicts.size(); ++i) {
            if (conversion.verdicts[i] == verdict && !isBlocked[i]) {
                nodes.push_back(NodeId{i});
            }
        }
        return nodes;
    };
    add(Words::tr("Exact"), nodesOf(Verdict::Exact), icon(QLatin1String("check"), IconTint::Exact));
    add(Words::tr("Exact, as several nodes"), nodesOf(Verdict::Decomposed),
        icon(QLatin1String("branches"), IconTint::Decomposed));
    add(Words::tr("Approximate"), nodesOf(Verdict::Approximate), icon(QLatin1String("wave"), IconTint::Approximate));
    add(Words::tr("Not supported"), nodesOf(Verdict::Unsupported), icon(QLatin1String("cross"), IconTint::Unsupported));
    add(Words::tr("Blocked"), conversion.behindGaps, icon(QLatin1String("dot"), IconTint::Folded),
        Words::tr("These convert as soon as the shapes of their inputs are known."));
    add(Words::tr("Folded"), nodesOf(Verdict::Folded), icon(QLatin1String("dot"), IconTint::Folded));
    addWork(section, converted.work);
    for (const auto& [input, output] : conversion.states) {
        section.details.push_back({Words::tr("State"),
                                   QStringLiteral("%1 \u2192 %2").arg(displayText(output), displayText(input)),
                                   Words::tr("To continue a stream, pass this output to that input in the next run.")});
    }
    return section;
}

/// A row per outermost name scope; activating it selects the nodes.
DetailSection unusedParts(const std::shared_ptr<const GraphSide>& side)
{
    DetailSection section{.title = {}, .details = {}, .isCollapsed = true};
    std::size_t all = 0;
    for (const auto& [scope, nodes] : side->counts.unused) {
        const std::size_t count = nodes.size();
        all += count;
        const auto boxes = [side, nodes = nodes] { return boxesOf(*side, nodes); };
        section.details.push_back({.name = displayText(scope),
                                   .value = counted(static_cast<int>(count), Words::tr("1 node"),
                                                    Words::tr("%Ln nodes", nullptr, static_cast<int>(count))),
                                   .toolTip = Words::tr("No output needs these nodes, so they are not converted."),
                                   .boxes = boxes});
    }
    section.title = Words::tr("Unused parts (%1)").arg(countText(all));
    return section;
}

DetailSection functions(const Graph& graph)
{
    DetailSection section{.title = Words::tr("Functions"), .details = {}, .isCollapsed = true};
    for (const Graph::Function& function : graph.functions) {
        const auto count = static_cast<int>(graph.subgraph(function.body).nodeCount());
        section.details.push_back(
            {displayText(function.name), counted(count, Words::tr("1 node"), Words::tr("%Ln nodes", nullptr, count))});
    }
    return section;
}

DetailSection tablesAndAssets(const LoadedModel& loaded, const GraphSide& side)
{
    DetailSection section{Words::tr("Lookup tables and assets"), {}};
    for (const LookupTable& table : loaded.tables) {
        QString value = Words::tr("table, %1 \u2192 %2")
                            .arg(displayText(elementTypeName(table.keys)), displayText(elementTypeName(table.values)));
        value += table.file.empty() ? QString() : Words::tr(", from %1").arg(displayText(table.file));
        section.details.push_back(
            {.name = displayText(table.node), .value = std::move(value), .box = side.boxOf(NodeId{table.nodeIndex})});
    }
    for (const std::string& asset : loaded.assets) {
        section.details.push_back({displayText(asset), Words::tr("file of the model")});
    }
    return section;
}

} // namespace

QString formatText(const Graph& graph)
{
    const auto opset = graph.opsets.find({});
    return graph.format != "onnx"        ? displayText(graph.producer)
           : opset == graph.opsets.end() ? QStringLiteral("ONNX")
                                         : Words::tr("ONNX, opset %1").arg(opset->second);
}

QString modelLine(const DocumentView& document)
{
    const auto& side = document.side(Side::Source);
    if (!side) {
        return {};
    }
    const Graph& graph = *side->graph;
    const auto nodes = static_cast<int>(graph.nodeCount());
    const QString version = graph.format == "onnx" ? QString() : displayText(graph.version);
    return QStringList{version.isEmpty() ? formatText(graph) : QStringLiteral("%1 %2").arg(formatText(graph), version),
                       counted(nodes, Words::tr("1 node"), Words::tr("%Ln nodes", nullptr, nodes)),
                       Words::tr("%1 parameters").arg(countText(side->counts.parameters.elements))}
        .join(QStringLiteral(", "));
}

std::vector<DetailSection> modelSummary(const DocumentView& document)
{
    const auto* loaded = document.loaded();
    const auto& side = document.side(Side::Source);
    if (loaded == nullptr || !side) {
        return {};
    }
    const Graph& graph = *side->graph;
    std::vector<DetailSection> sections;
    DetailSection file{Words::tr("File"), {}};
    const auto add = [&file](const QString& name, const QString& value) {
        if (!value.isEmpty()) {
            file.details.push_back({name, value});
        }
    };
    add(Words::tr("Model"), displayText(loaded->path.filename().string()));
    add(Words::tr("File size"), sizeOfFile(loaded->path));
    add(Words::tr("Weights"), displayText(loaded->weights.filename().string()));
    add(Words::tr("Producer"), displayText(graph.producer));
    add(Words::tr("Version"), displayText(graph.version));
    add(Words::tr("Graph"), displayText(graph.name));
    for (const auto& signature : loaded->signatures) {
        add(Words::tr("Signature"), signature.isUsed ? displayText(signature.name) : QString());
    }
    for (const auto& [domain, version] : graph.opsets) {
        add(domain.empty() ? Words::tr("Opset") : Words::tr("Opset of %1").arg(displayText(domain)),
            QString::number(version));
    }
    for (const auto& [key, value] : graph.metadata) {
        add(displayText(key), displayText(value).left(200));
    }
    std::vector<ValueId> data;
    std::copy_if(graph.inputs.begin(), graph.inputs.end(), std::back_inserter(data),
                 [&graph](ValueId id) { return graph.value(id).role == Role::Data && !graph.value(id).tensor; });
    sections.push_back(values(document, Words::tr("Inputs"), data));
    sections.push_back(values(document, Words::tr("Outputs"), graph.outputs));
    if (document.converted()) {
        const auto& converted = *document.converted();
        sections.push_back(converted.diff ? comparisonSummary(*converted.diff) : conversionSection(converted));
    }
    sections.push_back(parameters(*side));
    sections.push_back(largestLayers(*side));
    sections.push_back(operators(Words::tr("Operators"), side, false));
    const auto& target = document.side(Side::Target);
    const bool isSame = target && graph.format == "onnx" && target->counts.operators == side->counts.operators;
    if (target && !isSame) {
        sections.push_back(operators(Words::tr("ONNX operators"), target, true));
    }
    sections.push_back(std::move(file));
    sections.push_back(tablesAndAssets(*loaded, *side));
    sections.push_back(functions(graph));
    sections.push_back(unusedParts(side));
    return sections;
}

} // namespace crosswalk::ui
