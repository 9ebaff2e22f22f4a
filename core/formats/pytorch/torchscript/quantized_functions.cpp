// Quantized tensors are kept as the floating numbers that they stand for. An operator computes with these, and its
// result is rounded to the scale and the zero point that the program gives it.

#include "core/formats/pytorch/torchscript/quantized_functions.h"

#include "core/formats/pytorch/torchscript/packed_layers.h"
#include "core/formats/pytorch/torchscript/quantized_recurrence.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace crosswalk::pytorch {
namespace {

using Arguments = Interpreter::Arguments;

constexpr std::int64_t signedBytes = 12; ///< qint8, as a scalar type
constexpr std::int64_t unsignedBytes = 13;

/// The floating numbers of a quantized tensor; any other value unchanged.
ScriptValue floating(Interpreter& script, const ScriptValue& value)
{
    const ObjectCell* object = quantizedIn(script, value);
    if (object == nullptr) {
        return value;
    }
    if (ScriptValue known = attributeOf(*object, "value"); !isNone(known)) {
        return known;
    }
    const ScriptValue axis = attributeOf(*object, "axis");
    const bool isPerChannel = !isNone(axis);
    ScriptArguments operands{{"input", attributeOf(*object, "numbers")},
                             {isPerChannel ? "scales" : "scale", attributeOf(*object, "scale")},
                             {isPerChannel ? "zero_points" : "zero_point", attributeOf(*object, "zero_point")}};
    if (isPerChannel) {
        operands.emplace_back("axis", axis);
    }
    return script.newTensor(script.emit(isPerChannel ? "quantized_decomposed::dequantize_per_channel"
                                                     : "quantized_decomposed::dequantize_per_tensor",
                                        "", operands, 1)[0]);
}

ScriptValue quantized(Interpreter& script, const ScriptValue& value, const ScriptValue& scale,
                      const ScriptValue& zeroPoint, const ScriptValue& type)
{
    ObjectCell made{.type = std::string(quantizedType), .path = {}};
    made.attributes = {{"value", value}, {"scale", scale}, {"zero_point", zeroPoint}, {"dtype", type}};
    return script.heap.add(std::move(made));
}

/// Rounds floating numbers to steps of a scale, within the range of the type.
ScriptValue rounded(Interpreter& script, const ScriptValue& value, const ScriptValue& scale,
                    const ScriptValue& zeroPoint, const ScriptValue& type)
{
    if (type != ScriptValue(signedBytes) && type != ScriptValue(unsignedBytes)) {
        Interpreter::unsupported("quantized tensors of types other than qint8 and quint8 are not supported");
    }
    const bool isSigned = type == ScriptValue(signedBytes);
    const ScriptValue steps = script.callSignature(
        "aten::fake_quantize_per_tensor_affine",
        {value, scale, zeroPoint, std::int64_t{isSigned ? -128 : 0}, std::int64_t{isSigned ? 127 : 255}});
    return quantized(script, steps, scale, zeroPoint, type);
}

/// Settings are the number of dimensions, then for each: strides, paddings, dilations and output paddings; then the
/// groups and whether it is a transposed convolution.
ScriptValue convolved(Interpreter& script, const ScriptValue& x, const PackedLayer& layer)
{
    const auto dims = layer.settings.empty() ? 0U : static_cast<std::size_t>(layer.settings[0]);
    constexpr std::size_t lists = 4;
    if (dims < 1 || dims > 3 || layer.settings.size() < 1 + lists * dims + 2 ||
        layer.settings[1 + lists * dims + 1] != 0) {
        Interpreter::unsupported("the packed weights are those of a layer that is not supported");
    }
    const auto list = [&](std::size_t index) {
        Arguments numbers;
        for (std::size_t i = 0; i < dims; ++i) {
            numbers.emplace_back(layer.settings[1 + index * dims + i]);
        }
        return script.newList(std::move(numbers));
    };
    return script.callSignature(
        fmt::format("aten::conv{}d", dims),
        {x, floating(script, layer.weight), layer.bias, list(0), list(1), list(2), layer.settings[1 + lists * dims]});
}

ScriptValue relu(Interpreter& script, const ScriptValue& x)
{
    return script.callSignature("aten::relu", {x});
}

/// Operators whose result has the scale and the zero point that their last arguments are.
std::optional<ScriptValue> layer(Interpreter& script, std::string_view name, const Arguments& arguments,
                                 const ScriptArguments& named)
{
    if (arguments.size() < 2) {
        return std::nullopt;
    }
    const bool hasRelu = name.ends_with("_relu");
    const std::string_view base = hasRelu ? name.substr(0, name.size() - std::string_view("_relu").size()) : name;
    const ScriptValue x = floating(script, arguments[0]);
    ScriptValue value;
    constexpr auto outputNames = std::to_array<std::string_view>({"output_scale", "output_zero_point"});
    constexpr auto linearNames = std::to_array<std::string_view>({"Y_scale_i", "Y_zero_point_i"});
    constexpr auto sumNames = std::to_array<std::string_view>({"scale", "zero_point"});
    std::span<const std::string_view> names = outputNames;
    if (base == "linear") {
        const PackedLayer packed = unpack(script, arguments[1]);
        value = script.callSignature("aten::linear", {x, floating(script, packed.weight), packed.bias});
        names = linearNames;
    } else if (base == "conv1d" || base == "conv2d" || base == "conv3d") {
        value = convolved(script, x, unpack(script, arguments[1]));
    } else if (base == "add" || base == "mul") {
        value = script.callSignature("aten::" + std::string(base), {x, floating(script, arguments[1])});
        names = sumNames;
    } else {
        return std::nullopt;
    }
    const ScriptValue type = quantizedIn(script, arguments[0]) != nullptr
                                 ? attributeOf(*quantizedIn(script, arguments[0]), "dtype")
                                 : ScriptValue(unsignedBytes);
    const Arguments parameters = argumentsFrom(arguments, named, 2, names);
    return rounded(script, hasRelu ? relu(script, value) : value, parameters[0], parameters[1], type);
}

std::optional<ScriptValue> dynamicLayer(Interpreter& script, std::string_view name, const Arguments& arguments,
                                        const ScriptArguments& named)
{
    const bool hasRelu = name == "linear_relu_dynamic" || name == "linear_relu_dynamic_fp16";
    if ((name != "linear_dynamic" && name != "linear_dynamic_fp16" && !hasRelu) || arguments.size() < 2) {
        return std::nullopt;
    }
    const PackedLayer packed = unpack(script, arguments[1]);
    ScriptValue value;
    if (quantizedIn(script, packed.weight) == nullptr) {
        value = script.callSignature("aten::linear", {arguments[0], packed.weight, packed.bias});
    } else {
        constexpr auto names = std::to_array<std::string_view>({"reduce_range"});
        const ScriptValue reduce = argumentsFrom(arguments, named, 2, names)[0];
        ScriptArguments operands{{"self", arguments[0]},
                                 {"reduce_range", isNone(reduce) ? ScriptValue(false) : reduce}};
        addWeight(script, operands, "", packed);
        value = script.newTensor(script.emit("quantized::linear_dynamic", "", operands, 1)[0]);
    }
    return hasRelu ? relu(script, value) : value;
}

/// Operators on one quantized tensor whose result has the same scale and zero point: those that only move or select
/// elements, and those that compute others, which are rounded.
std::optional<ScriptValue> unary(Interpreter& script, const std::string& op, const Arguments& arguments,
                                 const ScriptArguments& named)
{
    static constexpr auto selecting = std::to_array<std::string_view>({"aten::clone",
                                                                       "aten::contiguous",
                                                                       "aten::dropout",
                                                                       "aten::flatten",
                                                                       "aten::max_pool1d",
                                                                       "aten::max_pool2d",
                                                                       "aten::narrow",
                                                                       "aten::permute",
                                                                       "aten::relu",
                                                                       "aten::reshape",
                                                                       "aten::select",
                                                                       "aten::slice",
                                                                       "aten::squeeze",
                                                                       "aten::transpose",
                                                                       "aten::unsqueeze",
                                                                       "aten::unflatten",
                                                                       "aten::upsample_nearest2d",
                                                                       "aten::view",
                                                                       "aten::channel_shuffle",
                                                                       "aten::relu_"});
    static constexpr auto computing = std::to_array<std::string_view>(
        {"aten::adaptive_avg_pool1d", "aten::adaptive_avg_pool2d", "aten::avg_pool1d", "aten::avg_pool2d",
         "aten::clamp", "aten::hardtanh", "aten::leaky_relu", "aten::mean", "aten::upsample_bilinear2d"});
    const bool selects = std::ranges::find(selecting, op) != selecting.end();
    const ObjectCell* source = quantizedIn(script, arguments[0]);
    if (source == nullptr || (!selects && std::ranges::find(computing, op) == computing.end())) {
        return std::nullopt;
    }
    const ScriptValue scale = attributeOf(*source, "scale");
    const ScriptValue zeroPoint = attributeOf(*source, "zero_point");
    const ScriptValue type = attributeOf(*source, "dtype");
    Arguments operands = arguments;
    operands[0] = floating(script, arguments[0]);
    const ScriptValue value =
        script.callSignature(op == "aten::relu_" ? std::string("aten::relu") : op, operands, named);
    return selects ? quantized(script, value, scale, zeroPoint, type) : rounded(script, value, scale, zeroPoint, type);
}

ScriptValue concatenated(Interpreter& script, const Arguments& arguments, const ScriptArguments& named)
{
    Arguments parts;
    const Arguments given = script.itemsOf(arguments[0]);
    for (const ScriptValue& part : given) {
        parts.push_back(floating(script, part));
    }
    const ObjectCell* first = given.empty() ? nullptr : quantizedIn(script, given[0]);
    if (first == nullptr) {
        Interpreter::unsupported("quantized::cat of tensors that are not quantized");
    }
    constexpr auto names = std::to_array<std::string_view>({"dim", "scale", "zero_point"});
    Arguments settings = argumentsFrom(arguments, named, 1, names);
    const ScriptValue type = attributeOf(*first, "dtype");
    settings[1] = isNone(settings[1]) ? attributeOf(*first, "scale") : settings[1];
    settings[2] = isNone(settings[2]) ? attributeOf(*first, "zero_point") : settings[2];
    const ScriptValue joined = script.callSignature("aten::cat", {script.newList(std::move(parts)), settings[0]});
    return rounded(script, joined, settings[1], settings[2], type);
}

} // namespace

std::optional<ScriptValue> callQuantized(Interpreter& script, const std::string& op, const Arguments& arguments,
                                         const ScriptArguments& named)
{
    if (arguments.empty()) {
        return std::nullopt;
    }
    if (op == "aten::quantize_per_tensor") {
        constexpr auto names = std::to_array<std::string_view>({"scale", "zero_point", "dtype"});
        const Arguments settings = argumentsFrom(arguments, named, 1, names);
        return rounded(script, arguments[0], settings[0], settings[1], settings[2]);
    }
    if (auto value = callQuantizedRecurrence(script, op, arguments, named)) {
        return value;
    }
    constexpr std::string_view space = "quantized::";
    if (op.starts_with(space)) {
        const std::string_view name = std::string_view(op).substr(space.size());
        if (name == "cat") {
            return concatenated(script, arguments, named);
        }
        if (auto value = dynamicLayer(script, name, arguments, named)) {
            return value;
        }
        return layer(script, name, arguments, named);
    }
    const ObjectCell* source = quantizedIn(script, arguments[0]);
    if (source == nullptr) {
        return std::nullopt;
    }
    if (op == "aten::dequantize") {
        return floating(script, arguments[0]);
    }
    if (op == "aten::q_scale" || op == "aten::q_zero_point") {
        return attributeOf(*source, op == "aten::q_scale" ? "scale" : "zero_point");
    }
    if (auto value = unary(script, op, arguments, named)) {
        return value;
    }
    Interpreter::unsupported(fmt::format("{} of a quantized tensor is not supported", op));
}

} // namespace crosswalk::pytorch
