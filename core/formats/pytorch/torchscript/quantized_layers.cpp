// Layers sum products of steps, which is exact. With the scales of x, the weights w and the result y, a sum is
// (sum + bias / (x w)) (x w / y) steps of the result, in single precision (requantization in fbgemm/QuantUtils).

#include "core/formats/pytorch/torchscript/quantized_layers.h"

#include "core/formats/pytorch/torchscript/packed_layers.h"
#include "core/formats/pytorch/torchscript/quantized_functions.h"
#include "core/formats/pytorch/torchscript/quantized_tensors.h"
#include "core/graph/tensor.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace crosswalk::pytorch {
namespace {

using Arguments = Interpreter::Arguments;

/// A convolution's numbers for each dimension.
struct ConvolutionSettings {
    std::size_t dims = 0;
    std::array<Ints, 4> lists = {}; ///< strides, paddings, dilations, output paddings
    std::int64_t groups = 1;
    bool isTransposed = false;
};

ConvolutionSettings settingsOf(const Ints& settings)
{
    constexpr std::size_t lists = 4;
    ConvolutionSettings read;
    read.dims = settings.empty() ? 0U : static_cast<std::size_t>(settings[0]);
    if (read.dims < 1 || read.dims > 3 || settings.size() < 1 + lists * read.dims + 2) {
        refuseLayout();
    }
    for (std::size_t i = 0; i < lists * read.dims; ++i) {
        read.lists[i / read.dims].push_back(settings[1 + i]);
    }
    read.groups = settings[1 + lists * read.dims];
    read.isTransposed = settings[2 + lists * read.dims] != 0;
    return read;
}

/// The sums of products of steps, and how many axes are behind that of the channels.
struct Sums {
    ScriptValue value;
    std::size_t axesBehind = 0;
};

/// Weights of one dimension are stored with a second one, of size 1 before it.
Sums convolutionSums(Interpreter& script, const ScriptValue& x, const PackedLayer& layer, std::size_t dims,
                     bool isTransposed)
{
    ConvolutionSettings settings = settingsOf(layer.settings);
    const bool isWidened = settings.dims == 2 && dims == 1;
    if (settings.isTransposed != isTransposed || (settings.dims != dims && !isWidened)) {
        refuseLayout();
    }
    ScriptValue weight = stepsOf(script, *quantizedIn(script, layer.weight));
    if (isWidened) {
        constexpr std::int64_t widenedAxis = 2;
        weight = script.callSignature("aten::squeeze", {weight, widenedAxis});
        std::ranges::for_each(settings.lists, [](Ints& list) { list.erase(list.begin()); });
    }
    const auto list = [&](std::size_t index) {
        const Ints& numbers = settings.lists[index];
        return script.newList(Arguments(numbers.begin(), numbers.end()));
    };
    const ScriptValue noBias;
    const Arguments operands = isTransposed
                                   ? Arguments{x, weight, noBias, list(0), list(1), list(3), settings.groups, list(2)}
                                   : Arguments{x, weight, noBias, list(0), list(1), list(2), settings.groups};
    return {script.callSignature(fmt::format("aten::conv{}{}d", isTransposed ? "_transpose" : "", dims), operands),
            dims};
}

/// The path of the layer, which is that of its weight.
std::string pathOf(Interpreter& script, const PackedLayer& layer)
{
    const ScriptValue numbers = attributeOf(*quantizedIn(script, layer.weight), "numbers");
    const auto* stored = std::get_if<TensorRef>(&numbers);
    const std::string name = stored != nullptr ? script.heap.tensors[stored->index].name : std::string();
    const std::size_t end = name.rfind('.');
    return end != std::string::npos ? name.substr(0, end + 1) : std::string();
}

/// One number, or one for each channel of the sums.
ScriptValue channelNumbers(Interpreter& script, const std::vector<float>& numbers, std::size_t axesBehind,
                           const std::string& name)
{
    if (numbers.size() == 1) {
        return static_cast<double>(numbers[0]);
    }
    Ints dims{static_cast<std::int64_t>(numbers.size())};
    dims.insert(dims.end(), axesBehind, 1);
    return script.newTensor(script.graphs.stored(script.graphs.unique(name),
                                                 Tensor::of<float>(ElementType::Float32, dims, std::span(numbers))));
}

std::vector<float> singles(const std::vector<double>& numbers)
{
    std::vector<float> rounded;
    std::ranges::transform(numbers, std::back_inserter(rounded),
                           [](double number) { return static_cast<float>(number); });
    return rounded;
}

/// The scales of the weights of a layer, times that of its input: one, or one for each channel of the result.
std::vector<float> scalesOfSums(Interpreter& script, const PackedLayer& layer, const Quantization& x)
{
    const ObjectCell weight = *quantizedIn(script, layer.weight);
    const auto* input = std::get_if<double>(&x.scale);
    const auto scales = storedNumbers(script, attributeOf(weight, "scale"));
    if (input == nullptr || !scales || scales->empty()) {
        Interpreter::unsupported("a quantized layer whose scales the model computes is not supported");
    }
    const bool isTransposed = !layer.settings.empty() && settingsOf(layer.settings).isTransposed;
    const bool isGrouped = isTransposed && settingsOf(layer.settings).groups != 1;
    const ScriptValue axis = attributeOf(weight, "axis");
    if (!isNone(axis) && (axis != ScriptValue(std::int64_t{isTransposed ? 1 : 0}) || isGrouped)) {
        Interpreter::unsupported("the scales of the weights of a quantized layer are not those of its channels");
    }
    std::vector<float> products = singles(*scales);
    std::ranges::for_each(products, [&](float& scale) { scale *= static_cast<float>(*input); });
    return products;
}

/// The sums with the bias, in units of `scales`.
ScriptValue withBias(Interpreter& script, const Sums& sums, const PackedLayer& layer, const std::vector<float>& scales)
{
    const ScriptValue& bias = layer.bias;
    if (isNone(bias)) {
        return sums.value;
    }
    const auto known = storedNumbers(script, bias);
    if (!known) {
        Arguments dims{std::int64_t{-1}};
        dims.insert(dims.end(), sums.axesBehind, std::int64_t{1});
        const ScriptValue quotients = script.callSignature(
            "aten::div", {bias, channelNumbers(script, scales, 0, pathOf(script, layer) + "scale")});
        return script.callSignature(
            "aten::add", {sums.value, script.callSignature("aten::reshape", {quotients, script.newList(dims)})});
    }
    std::vector<float> units = singles(*known);
    for (std::size_t i = 0; i < units.size(); ++i) {
        units[i] /= scales.size() == 1 ? scales[0] : scales.at(i);
    }
    return script.callSignature(
        "aten::add", {sums.value, channelNumbers(script, units, sums.axesBehind, pathOf(script, layer) + "bias")});
}

/// The kind of a layer by the name of its operator, "conv_transpose2d".
struct LayerKind {
    bool isLinear = false;
    bool isTransposed = false;
    std::size_t dims = 0;
};

std::optional<LayerKind> kindOfLayer(std::string_view name)
{
    if (name == "linear") {
        return LayerKind{.isLinear = true};
    }
    constexpr auto names = std::to_array<std::string_view>(
        {"conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d"});
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) {
        return std::nullopt;
    }
    const auto index = static_cast<std::size_t>(found - names.begin());
    return LayerKind{.isTransposed = index >= 3, .dims = index % 3 + 1};
}

struct LayerResult {
    ScriptValue sums;          ///< with the bias
    std::vector<float> scales; ///< of the sums
    std::size_t axesBehind = 0;
    std::string path; ///< before the names of the layer's constants
};

LayerResult computed(Interpreter& script, const LayerKind& kind, const ScriptValue& x, const ScriptValue& weights)
{
    const ObjectCell* input = quantizedIn(script, x);
    const PackedLayer layer = unpack(script, weights);
    if (input == nullptr || quantizedIn(script, layer.weight) == nullptr) {
        Interpreter::unsupported("a quantized layer of floating numbers is not supported");
    }
    const ScriptValue steps = stepsOf(script, *input);
    const std::vector<float> scales = scalesOfSums(script, layer, quantizationOf(script, *input));
    const Sums sums =
        kind.isLinear
            ? Sums{script.callSignature("aten::linear", {steps, stepsOf(script, *quantizedIn(script, layer.weight))})}
            : convolutionSums(script, steps, layer, kind.dims, kind.isTransposed);
    return {withBias(script, sums, layer, scales), scales, sums.axesBehind, pathOf(script, layer)};
}

std::optional<ScriptValue> staticLayer(Interpreter& script, std::string_view name, const Arguments& arguments,
                                       const ScriptArguments& named)
{
    constexpr std::string_view relu = "_relu";
    const bool hasRelu = name.ends_with(relu);
    const auto kind = kindOfLayer(hasRelu ? name.substr(0, name.size() - relu.size()) : name);
    if (!kind || arguments.size() < 2) {
        return std::nullopt;
    }
    // The first versions have the settings of a convolution, which the weights have as well, before the scale.
    const bool hasSettings =
        arguments.size() > 2 && !numberKindOf(arguments[2]) && !std::holds_alternative<TensorRef>(arguments[2]);
    constexpr auto outputNames = std::to_array<std::string_view>({"output_scale", "output_zero_point"});
    constexpr auto linearNames = std::to_array<std::string_view>({"Y_scale_i", "Y_zero_point_i"});
    const Arguments parameters =
        argumentsFrom(arguments, named, hasSettings ? 6 : 2, kind->isLinear ? linearNames : outputNames);
    const LayerResult result = computed(script, *kind, arguments[0], arguments[1]);
    const Quantization x = quantizationOf(script, *quantizedIn(script, arguments[0]));
    Quantization y = quantizationFrom(script, parameters[0], parameters[1], x.type);
    y.isChannelsLast = !kind->isLinear;
    const auto* scale = std::get_if<double>(&y.scale);
    if (scale == nullptr) {
        Interpreter::unsupported("a quantized layer whose scales the model computes is not supported");
    }
    std::vector<float> multipliers = result.scales;
    std::ranges::for_each(multipliers, [&](float& multiplier) { multiplier /= static_cast<float>(*scale); });
    const ScriptValue fractions = script.callSignature(
        "aten::mul", {result.sums, channelNumbers(script, multipliers, result.axesBehind, result.path + "multiplier")});
    return quantizedTensor(script, roundedSteps(script, fractions, y, hasRelu), y);
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
    return hasRelu ? script.callSignature("aten::relu", {value}) : value;
}

/// The rows of a table of 8-bit numbers: its state is a version, tensors, and numbers of which the program has no need.
ScriptValue tableOf(Interpreter& script, const ScriptValue& packed)
{
    const auto* ref = std::get_if<ObjectRef>(&packed);
    const ScriptValue state = ref != nullptr ? attributeOf(script.object(*ref), packedState) : ScriptValue();
    const Arguments items =
        std::holds_alternative<std::shared_ptr<const TupleValue>>(state) ? script.itemsOf(state) : Arguments();
    const Arguments tensors = items.size() == 4 ? script.itemsOf(items[1]) : Arguments();
    if (tensors.size() != 1 || quantizedIn(script, tensors[0]) == nullptr) {
        refuseLayout();
    }
    return floating(script, tensors[0]);
}

std::optional<ScriptValue> embedding(Interpreter& script, std::string_view name, const Arguments& arguments,
                                     const ScriptArguments& named)
{
    if (name == "embedding_byte" && arguments.size() > 1) {
        return script.callSignature("aten::embedding", {tableOf(script, arguments[0]), arguments[1]});
    }
    if (name != "embedding_bag_byte" || arguments.size() < 2) {
        return std::nullopt;
    }
    constexpr auto names =
        std::to_array<std::string_view>({"offsets", "scale_grad_by_freq", "mode", "pruned_weights",
                                         "per_sample_weights", "compressed_indices_mapping", "include_last_offset"});
    const Arguments given = argumentsFrom(arguments, named, 2, names);
    if (isNone(given[0]) || given[3] == ScriptValue(true) || !isNone(given[5])) {
        Interpreter::unsupported("a quantized table without offsets, or with pruned rows, is not supported");
    }
    const ScriptValue sums = std::int64_t{0};
    const ScriptValue result =
        script.callSignature("aten::embedding_bag", {tableOf(script, arguments[0]), arguments[1], given[0], false,
                                                     isNone(given[2]) ? sums : given[2], false, given[4],
                                                     isNone(given[6]) ? ScriptValue(false) : given[6]});
    return script.itemsOf(result).at(0);
}

} // namespace

std::optional<ScriptValue> callQuantizedLayer(Interpreter& script, std::string_view name, const Arguments& arguments,
                                              const ScriptArguments& named)
{
    if (auto weights = prepacked(script, name, arguments, named)) {
        return weights;
    }
    if (auto rows = embedding(script, name, arguments, named)) {
        return rows;
    }
    auto value = dynamicLayer(script, name, arguments, named);
    return value ? value : staticLayer(script, name, arguments, named);
}

} // namespace crosswalk::pytorch
