#include "core/formats/pytorch/torchscript/packed_layers.h"

#include "core/formats/pytorch/torchscript/quantized_functions.h"

#include <algorithm>
#include <array>

namespace crosswalk::pytorch {
namespace {

// Attributes of a layer that the program itself packs.
constexpr std::string_view packedWeight = "weight";
constexpr std::string_view packedBias = "bias";
constexpr std::string_view packedSettings = "settings";

Ints constantInts(Interpreter& script, const ScriptValue& list)
{
    Ints numbers;
    for (const ScriptValue& item : script.itemsOf(list)) {
        const auto number = storedNumber(script, item);
        if (!number) {
            Interpreter::unsupported("the settings of a quantized layer are not constant");
        }
        numbers.push_back(static_cast<std::int64_t>(*number));
    }
    return numbers;
}

PackedLayer layerIn(Interpreter& script, const ObjectCell& object)
{
    const ScriptValue settings = attributeOf(object, packedSettings);
    return {attributeOf(object, packedWeight), attributeOf(object, packedBias), constantInts(script, settings)};
}

ScriptValue packed(Interpreter& script, const ScriptValue& weight, const ScriptValue& bias,
                   Interpreter::Arguments settings)
{
    ObjectCell made{.type = "__torch__.torch.classes.quantized.PackedParams", .path = {}};
    made.attributes.insert_or_assign(std::string(packedWeight), weight);
    made.attributes.insert_or_assign(std::string(packedBias), bias);
    made.attributes.insert_or_assign(std::string(packedSettings), script.newList(std::move(settings)));
    return script.heap.add(std::move(made));
}

/// The number of dimensions of "conv2d_prepack"; 0 for any other name.
std::int64_t dimensionsOf(std::string_view name)
{
    if (name == "conv_prepack") {
        return 2;
    }
    constexpr std::string_view convolution = "conv";
    constexpr std::string_view transposed = "conv_transpose";
    const std::string_view kind = name.starts_with(transposed) ? transposed : convolution;
    if (!name.starts_with(kind) || !name.ends_with("d_prepack") || name.size() <= kind.size()) {
        return 0;
    }
    const char digit = name[kind.size()];
    return digit >= '1' && digit <= '3' ? digit - '0' : 0;
}

} // namespace

void refuseLayout()
{
    Interpreter::unsupported("the packed weights have an unknown layout");
}

PackedLayer unpack(Interpreter& script, const ScriptValue& value)
{
    const auto* ref = std::get_if<ObjectRef>(&value);
    if (ref != nullptr && !isNone(attributeOf(script.object(*ref), packedWeight))) {
        return layerIn(script, script.object(*ref));
    }
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

std::optional<ScriptValue> prepacked(Interpreter& script, std::string_view name,
                                     const Interpreter::Arguments& arguments, const ScriptArguments& named)
{
    if (name == "linear_prepack") {
        constexpr auto names = std::to_array<std::string_view>({"W", "B"});
        const Interpreter::Arguments given = argumentsFrom(arguments, named, 0, names);
        return packed(script, given[0], given[1], {});
    }
    const std::int64_t dims = dimensionsOf(name);
    if (dims == 0) {
        return std::nullopt;
    }
    const bool isTransposed = name.starts_with("conv_transpose");
    constexpr auto plain =
        std::to_array<std::string_view>({"weight", "bias", "stride", "padding", "dilation", "groups"});
    constexpr auto transposed = std::to_array<std::string_view>(
        {"weight", "bias", "stride", "padding", "output_padding", "dilation", "groups"});
    const std::span<const std::string_view> order =
        isTransposed ? std::span<const std::string_view>(transposed) : plain;
    const Interpreter::Arguments given = argumentsFrom(arguments, named, 0, order);
    const auto argument = [&](std::string_view wanted) {
        const auto found = std::ranges::find(order, wanted);
        return found != order.end() ? given[static_cast<std::size_t>(found - order.begin())] : ScriptValue();
    };
    Interpreter::Arguments settings{dims};
    for (const std::string_view list : {"stride", "padding", "dilation", "output_padding"}) {
        const ScriptValue numbers = argument(list);
        Interpreter::Arguments items = isNone(numbers)
                                           ? Interpreter::Arguments(static_cast<std::size_t>(dims), std::int64_t{0})
                                           : script.itemsOf(numbers);
        if (items.size() < static_cast<std::size_t>(dims)) {
            refuseLayout();
        }
        items.resize(static_cast<std::size_t>(dims)); // a padded layer of one dimension states two paddings of 0
        settings.insert(settings.end(), items.begin(), items.end());
    }
    settings.push_back(argument("groups"));
    settings.emplace_back(std::int64_t{isTransposed ? 1 : 0});
    return packed(script, given[0], given[1], std::move(settings));
}

} // namespace crosswalk::pytorch
