#include "core/layout/attribute_rows.h"

#include "core/graph/attribute_text.h"
#include "core/graph/operator_info.h"

namespace crosswalk {

std::vector<std::string> attributeRows(const Node& node, const Graph& graph)
{
    const OperatorInfo& info = operatorInfo(graph, node);
    std::vector<std::string> rows;
    for (const Attribute& attribute : node.attributes) {
        const std::string value = attributeText(attribute, graph);
        if (!info.isOmitted(node, attribute, value)) {
            rows.push_back(attribute.name + " " + value);
        }
    }
    return rows;
}

} // namespace crosswalk
