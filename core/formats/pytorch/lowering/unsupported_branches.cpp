#include "core/formats/pytorch/lowering/unsupported_branches.h"

#include "core/graph/attributes.h"

#include <algorithm>

namespace crosswalk::pytorch {

bool hasUnsupportedBranch(const Graph& graph)
{
    return std::ranges::any_of(graph.nodes(), [&](const Node& node) {
        const auto* isUnsupported = attributeOf<bool>(node, "is_unsupported");
        return (isUnsupported != nullptr && *isUnsupported) || hasUnsupportedBranch(graph, node);
    });
}

bool hasUnsupportedBranch(const Graph& graph, const Node& node)
{
    return std::ranges::any_of(node.attributes, [&](const Attribute& attribute) {
        const auto* body = std::get_if<SubgraphId>(&attribute.value);
        return body != nullptr && hasUnsupportedBranch(graph.subgraph(*body));
    });
}

} // namespace crosswalk::pytorch
