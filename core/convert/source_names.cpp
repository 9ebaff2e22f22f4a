#include "core/convert/source_names.h"

namespace crosswalk {
namespace {

std::vector<SubgraphId> bodiesOf(const Node& node)
{
    std::vector<SubgraphId> bodies;
    for (const Attribute& attribute : node.attributes) {
        if (const auto* body = std::get_if<SubgraphId>(&attribute.value)) {
            bodies.push_back(*body);
        } else if (const auto* several = std::get_if<std::vector<SubgraphId>>(&attribute.value)) {
            bodies.insert(bodies.end(), several->begin(), several->end());
        }
    }
    return bodies;
}

} // namespace

SourceNames::SourceNames(const Graph& model)
    : m_model(model)
{
}

const NodeNames& SourceNames::names(const Graph& graph) const
{
    return m_names.try_emplace(&graph, graph).first->second;
}

std::string SourceNames::of(const NodeRef& node) const
{
    std::string name;
    GraphPath path;
    for (const BodyStep& step : node.path) {
        name += names(*graphAt(m_model, path)).of(NodeId{step.node}) + "/";
        path.push_back(step);
    }
    return name + names(*graphAt(m_model, path)).of(node.node);
}

std::optional<NodeRef> SourceNames::find(std::string_view written) const
{
    return findIn(m_model, {}, written);
}

std::optional<NodeRef> SourceNames::findIn(const Graph& graph, const GraphPath& path, std::string_view written) const
{
    if (const auto id = names(graph).find(written)) {
        return NodeRef{path, *id};
    }
    for (auto slash = written.find('/'); slash != std::string_view::npos; slash = written.find('/', slash + 1)) {
        const auto outer = names(graph).find(written.substr(0, slash));
        if (!outer) {
            continue;
        }
        for (const SubgraphId body : bodiesOf(graph.node(*outer))) {
            GraphPath inner = path;
            inner.push_back({outer->index, body.index});
            if (auto found = findIn(graph.subgraph(body), inner, written.substr(slash + 1))) {
                return found;
            }
        }
    }
    return std::nullopt;
}

void SourceNames::locate(Diagnostic& problem, const NodeRef& node) const
{
    if (!problem.node.empty()) {
        return;
    }
    problem.node = of(node);
    problem.nodeIndex = node.path.empty() ? node.node.index : node.path.front().node;
    problem.path = node.path;
    problem.indexInBody = node.path.empty() ? 0 : node.node.index;
    problem.op = graphAt(m_model, node.path)->node(node.node).op;
}

} // namespace crosswalk
