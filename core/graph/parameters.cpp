#include "core/graph/parameters.h"

#include "core/graph/attributes.h"

namespace crosswalk {

const Tensor* parameterOf(const Graph& graph, ValueId id)
{
    const Value& value = graph.value(id);
    if (value.producer && value.role != Role::Parameter) {
        return nullptr;
    }
    if (value.tensor || !value.producer) {
        return graph.tensorOf(id);
    }
    const auto* content = attributeOf<TensorId>(graph.node(value.producer), "value");
    return content != nullptr ? &graph.tensor(*content) : nullptr;
}

ParameterCount countParameters(const Graph& graph)
{
    ParameterCount count;
    for (std::uint32_t i = 0; i < graph.valueCount(); ++i) {
        if (const Tensor* tensor = parameterOf(graph, ValueId{i})) {
            ++count.tensors;
            count.elements += static_cast<std::uint64_t>(tensor->elements());
            count.bytes += tensor->bytes();
        }
    }
    return count;
}

} // namespace crosswalk
