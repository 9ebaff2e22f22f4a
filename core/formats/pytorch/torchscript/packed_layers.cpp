#include "core/formats/pytorch/torchscript/packed_layers.h"

#include "core/formats/pytorch/torchscript/quantized_functions.h"

#include <algorithm>

namespace crosswalk::pytorch {

const ObjectCell* quantizedIn(Interpreter& script, const ScriptValue& value)
{
    const auto* ref = std::get_if<ObjectRef>(&value);
    return ref != nullptr && script.object(*ref).type == quantizedType ? &script.object(*ref) : nullptr;
}

ScriptValue attributeOf(const ObjectCell& object, std::string_view name)
{
    const auto found = object.attributes.find(name);
    return found != object.attributes.end() ? found->second : ScriptValue();
}

void refuseLayout()
{
    Interpreter::unsupported("the packed weights have an unknown layout");
}

PackedLayer unpack(Interpreter& script, const ScriptValue& value)
{
    const auto* ref = std::get_if<ObjectRef>(&value);
    const ScriptValue state = ref != nullptr ? attributeOf(script.object(*ref), packedState) : ScriptValue();
    if (!std::holds_alternative<std::shared_ptr<const TupleValue>>(state)) {
        refuseLayout();
    }
    Interpreter::Arguments items = script.itemsOf(state);
    PackedLayer layer;
    const auto take = [&](const ScriptValue& weight) {
        if (quantizedIn(script, weight) == nullptr && !std::holds_alternative<TensorRef>(weight)) {
            refuseLayout();
        }
        layer.weight = weight;
    };
    if (items.size() == 2) { // of a linear layer
        take(items[0]);
        layer.bias = items[1];
        return layer;
    }
    if (items.size() != 3) {
        refuseLayout();
    }
    // Of a convolution: the layout's version, its settings and weight, and its bias.
    const Interpreter::Arguments tensors = script.itemsOf(items[1]);
    const Interpreter::Arguments optional = script.itemsOf(items[2]);
    const auto* settings = tensors.size() == 2 ? std::get_if<TensorRef>(tensors.data()) : nullptr;
    const Graph& model = script.graphs.model();
    const Tensor* stored =
        settings != nullptr ? model.tensorOf(script.heap.tensors[settings->index].value.id) : nullptr;
    if (stored == nullptr || optional.empty()) {
        refuseLayout();
    }
    layer.settings = stored->toInts();
    take(tensors[1]);
    layer.bias = optional[0];
    return layer;
}

void addWeight(Interpreter& script, ScriptArguments& operands, const std::string& prefix, const PackedLayer& packed)
{
    const ObjectCell* weight = quantizedIn(script, packed.weight);
    operands.emplace_back(prefix + "weight", weight != nullptr ? attributeOf(*weight, "numbers") : packed.weight);
    if (weight != nullptr) {
        operands.emplace_back(prefix + "scale", attributeOf(*weight, "scale"));
        operands.emplace_back(prefix + "zero_point", attributeOf(*weight, "zero_point"));
    }
    operands.emplace_back(prefix + "bias", packed.bias);
}

Interpreter::Arguments argumentsFrom(const Interpreter::Arguments& arguments, const ScriptArguments& named,
                                     std::size_t first, std::span<const std::string_view> names)
{
    Interpreter::Arguments values;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto given =
            std::ranges::find_if(named, [&](const auto& argument) { return argument.first == names[i]; });
        values.push_back(first + i < arguments.size() ? arguments[first + i]
                         : given != named.end()       ? given->second
                                                      : ScriptValue());
    }
    return values;
}

} // namespace crosswalk::pytorch
