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
    return countParameters(graph, std::vector<bool>(graph.valueCount(), true));
}

ParameterCount countParameters(const Graph& graph, const std::vector<bool>& needed)
{
    ParameterCount count;
    for (std::uint32_t i = 0; i < graph.valueCount(); ++i) {
        if (const Tensor* tensor = needed[i] ? parameterOf(graph, ValueId{i}) : nullptr) {
            ++count.tensors;
            count.elements += static_cast<std::uint64_t>(tensor->elements());
            count.bytes += tensor->bytes();
        }
    }
    return count;
}

} // namespace crosswalk
