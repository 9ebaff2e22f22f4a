#include "ui/document/bodies.h"

#include "ui/models/shape_text.h"

#include <algorithm>

namespace crosswalk::ui {

namespace {

void addFunction(std::vector<Subgraph>& bodies, const QString& name, std::string_view function, const Graph& model)
{
    const auto found = std::ranges::find(model.functions, function, &Graph::Function::name);
    if (found != model.functions.end()) {
        bodies.push_back({name, model.subgraphs[found->body.index], found->body});
    }
}

} // namespace

std::vector<Subgraph> subgraphsOf(const Graph& graph, const Node& node, const Graph& model)
{
    std::vector<Subgraph> bodies;
    addFunction(bodies, QStringLiteral("body"), node.op, model); // a function call by name
    for (const Attribute& attribute : node.attributes) {
        if (const auto* body = std::get_if<SubgraphId>(&attribute.value)) {
            bodies.push_back({displayText(attribute.name), graph.subgraphs[body->index], *body});
        } else if (const auto* several = std::get_if<std::vector<SubgraphId>>(&attribute.value)) {
            for (std::size_t i = 0; i < several->size(); ++i) {
                const SubgraphId id = (*several)[i];
                bodies.push_back({QStringLiteral("%1 %2").arg(displayText(attribute.name)).arg(i + 1),
                                  graph.subgraphs[id.index], id});
            }
        } else if (const auto* function = std::get_if<Boxed<FunctionReference>>(&attribute.value)) {
            addFunction(bodies, displayText(attribute.name), (*function)->name, model);
        }
    }
    return bodies;
}

std::vector<Subgraph> subgraphsOf(const GraphSide& side, std::uint32_t box, const Graph& model)
{
    const NodeId node = side.box(box).node;
    return node ? subgraphsOf(*side.graph, side.graph->node(node), model) : std::vector<Subgraph>();
}

std::vector<BodyLevel> levelsAlong(const GraphSide& home, const BodyPath& path)
{
    std::vector<BodyLevel> levels;
    const Graph* graph = home.graph.get();
    for (const BodyStep& step : path) {
        const std::string written = step.node.toStdString();
        const auto node = graph == home.graph.get() ? home.names.find(written) : NodeNames(*graph).find(written);
        auto bodies = node ? subgraphsOf(*graph, graph->node(*node), *home.graph) : std::vector<Subgraph>();
        if (step.body >= bodies.size()) {
            return {};
        }
        levels.push_back({step.node, *node, std::move(bodies), step.body});
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

GraphPath graphPathOf(const std::vector<BodyLevel>& levels)
{
    GraphPath path;
    for (const BodyLevel& level : levels) {
        path.push_back({level.id.index, level.body().id.index});
    }
    return path;
}

BodyPath bodyPathOf(const Graph& model, const GraphPath& path)
{
    BodyPath written;
    const Graph* graph = &model;
    for (const crosswalk::BodyStep& step : path) {
        const NodeId node{step.node};
        if (node.index >= graph->nodeCount()) {
            return {};
        }
        const auto bodies = subgraphsOf(*graph, graph->node(node), model);
        const auto body = std::ranges::find(bodies, SubgraphId{step.subgraph}, &Subgraph::id);
        if (body == bodies.end()) {
            return {};
        }
        written.push_back({displayText(NodeNames(*graph).of(node)), static_cast<std::size_t>(body - bodies.begin())});
        graph = body->graph.get();
    }
    return written;
}

} // namespace crosswalk::ui
