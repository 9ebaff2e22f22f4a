#include "core/formats/tensorflow/lookup_tables.h"

#include "core/graph/attributes.h"

#include <algorithm>

namespace crosswalk::tensorflow {
namespace {

bool isTable(const Node& node)
{
    const std::string_view op = node.op;
    return op.find("HashTable") != std::string_view::npos && attributeOf<ElementType>(node, "key_dtype") != nullptr;
}

/// The name of the file whose path a value holds; empty if the graph computes the path.
std::string fileAt(const Graph& graph, ValueId path, std::span<const AssetFileDef> assets)
{
    const Value& value = graph.value(path);
    if (!value.producer) {
        return {};
    }
    const Node& holder = graph.node(value.producer);
    const auto isPath = [&](const AssetFileDef& asset) {
        return asset.tensor == value.name || asset.tensor == holder.name;
    };
    if (const auto asset = std::ranges::find_if(assets, isPath); asset != assets.end()) {
        return std::string(asset->filename);
    }
    const auto* content = attributeOf<TensorId>(holder, "value");
    const Tensor* text = content != nullptr ? &graph.tensor(*content) : nullptr;
    if (text == nullptr || text->type() != ElementType::String || text->elements() != 1) {
        return {};
    }
    const std::string& whole = text->toStrings().front();
    return whole.substr(whole.rfind('/') + 1);
}

} // namespace

std::vector<LookupTable> lookupTables(const Graph& graph, std::span<const AssetFileDef> assets)
{
    std::vector<LookupTable> tables;
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i) {
        const Node& node = graph.node(NodeId{i});
        if (!isTable(node)) {
            continue;
        }
        const auto* values = attributeOf<ElementType>(node, "value_dtype");
        tables.push_back({.node = node.name,
                          .nodeIndex = i,
                          .keys = *attributeOf<ElementType>(node, "key_dtype"),
                          .values = values != nullptr ? *values : ElementType::Undefined});
    }
    for (const Node& node : graph.nodes()) {
        if (!node.op.starts_with("InitializeTableFromTextFile") || node.inputs.size() != 2 || !node.inputs[0] ||
            !node.inputs[1]) {
            continue;
        }
        const NodeId filled = graph.value(node.inputs[0]).producer;
        const auto table = std::ranges::find(tables, filled.index, &LookupTable::nodeIndex);
        if (filled && table != tables.end()) {
            table->file = fileAt(graph, node.inputs[1], assets);
        }
    }
    return tables;
}

} // namespace crosswalk::tensorflow
