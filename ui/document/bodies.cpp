#include "ui/document/bodies.h"

#include "ui/models/shape_text.h"

#include <algorithm>

namespace crosswalk::ui {

std::vector<Subgraph> subgraphsOf(const Graph& graph, const Node& node)
{
    std::vector<Subgraph> bodies;
    for (const Attribute& attribute : node.attributes) {
        const QString name = fromUtf8(attribute.name);
        if (const auto* body = std::get_if<SubgraphId>(&attribute.value)) {
            bodies.push_back({name, graph.subgraphs[body->index]});
        } else if (const auto* several = std::get_if<std::vector<SubgraphId>>(&attribute.value)) {
            for (std::size_t i = 0; i < several->size(); ++i) {
                bodies.push_back({QStringLiteral("%1 %2").arg(name).arg(i + 1), graph.subgraphs[(*several)[i].index]});
            }
        }
    }
    return bodies;
}

std::vector<Subgraph> subgraphsOf(const GraphSide& side, std::uint32_t box)
{
    const NodeId node = side.box(box).node;
    return node ? subgraphsOf(*side.graph, side.graph->node(node)) : std::vector<Subgraph>();
}

std::vector<BodyLevel> levelsAlong(const GraphSide& home, const BodyPath& path)
{
    std::vector<BodyLevel> levels;
    const Graph* graph = home.graph.get();
    for (const BodyStep& step : path) {
        const std::string written = step.node.toStdString();
        const auto node = graph == home.graph.get() ? home.names.find(written) : NodeNames(*graph).find(written);
        auto bodies = node ? subgraphsOf(*graph, graph->node(*node)) : std::vector<Subgraph>();
        if (step.body >= bodies.size()) {
            return {};
        }
        levels.push_back({step.node, std::move(bodies), step.body});
        graph = levels.back().body().graph.get();
    }
    return levels;
}

BodyPath pathOf(const std::vector<BodyLevel>& levels)
{
    BodyPath path;
    std::transform(levels.begin(), levels.end(), std::back_inserter(path), [](const BodyLevel& level) {
        return BodyStep{level.node, level.shown};
    });
    return path;
}

} // namespace crosswalk::ui
