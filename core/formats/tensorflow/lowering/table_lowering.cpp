// Lookup tables of fixed content: a lookup gets the keys and values of its table as attributes.

#include "core/formats/tensorflow/lowering/model_lowering.h"

#include "core/graph/attributes.h"

#include <set>

namespace crosswalk::tensorflow {
namespace {

/// The number of entries of a table: a key that is repeated counts once.
std::size_t differentKeys(const Tensor& keys)
{
    const auto count = [](const auto& items) { return std::set(items.begin(), items.end()).size(); };
    if (keys.type() == ElementType::String) {
        return count(keys.toStrings());
    }
    return isInteger(keys.type()) ? count(keys.toInts()) : count(keys.toDoubles());
}

} // namespace

/// The outputs of a node that creates or reads a table of known content; nothing for other nodes.
std::optional<std::vector<Lowered>> ModelLowering::tableNode(Region& region, NodeId id)
{
    const Graph& graph = region.source.graph;
    const Node& node = graph.node(id);
    if (node.op == "HashTable" || node.op == "HashTableV2") {
        const bool isFilled = attributeOf<TensorId>(node, "keys") != nullptr && region.source.path.empty();
        return isFilled ? std::optional(std::vector{Lowered{.kind = Lowered::Kind::Table, .node = refOf(region, id)}})
                        : std::nullopt;
    }
    const bool isLookup = node.op.starts_with("LookupTableFind") && node.inputs.size() == 3;
    const bool isSize = node.op.starts_with("LookupTableSize") && node.inputs.size() == 1;
    if (!isLookup && !isSize) {
        return std::nullopt;
    }
    const Lowered table = get(region, node.inputs[0]);
    if (table.kind != Lowered::Kind::Table) {
        return std::nullopt;
    }
    const Node& filled = m_model.node(table.node.node);
    const Tensor& keys = m_model.tensor(*attributeOf<TensorId>(filled, "keys"));
    if (isSize) {
        return std::vector{region.target.constant(
            nameOf(region, id), Tensor::scalar(ElementType::Int64, static_cast<double>(differentKeys(keys))))};
    }
    const Tensor& values = m_model.tensor(*attributeOf<TensorId>(filled, "values"));
    std::vector<Attribute> attributes{{.name = "keys", .value = region.target.graph.addTensor(keys)},
                                      {.name = "values", .value = region.target.graph.addTensor(values)}};
    return emit(region, id, node.op, {get(region, node.inputs[1]), get(region, node.inputs[2])}, std::move(attributes),
                {graph.value(node.outputs[0]).type});
}

} // namespace crosswalk::tensorflow
