#pragma once

#include "core/graph/graph.h"

#include <variant>
#include <vector>

namespace crosswalk {

/// Calls `use` with every value that a node of `graph` reads, those that its bodies take from outside included; a value
/// that is read twice comes twice.
template <typename Use>
void forEachRead(const Graph& graph, const Node& node, Use&& use)
{
    const auto captured = [&](SubgraphId body) {
        for (const Graph::Capture& capture : graph.subgraph(body).captures) {
            use(capture.outer);
        }
    };
    for (const ValueId input : node.inputs) {
        if (input) {
            use(input);
        }
    }
    for (const Attribute& attribute : node.attributes) {
        if (const auto* body = std::get_if<SubgraphId>(&attribute.value)) {
            captured(*body);
        } else if (const auto* bodies = std::get_if<std::vector<SubgraphId>>(&attribute.value)) {
            for (const SubgraphId one : *bodies) {
                captured(one);
            }
        }
    }
}

} // namespace crosswalk
