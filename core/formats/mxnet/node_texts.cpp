#include "core/formats/mxnet/node_texts.h"

namespace crosswalk::mxnet {

std::vector<SymbolAttribute> texts(const Node& node)
{
    std::vector<SymbolAttribute> attributes;
    attributes.reserve(node.attributes.size());
    for (const Attribute& attribute : node.attributes) {
        if (const auto* text = std::get_if<std::string>(&attribute.value)) {
            attributes.push_back({attribute.name, *text});
        }
    }
    return attributes;
}

} // namespace crosswalk::mxnet
