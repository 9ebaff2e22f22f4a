// Operators on quantized tensors. Those that move or select elements have the scale and the zero point of their input
// and work on its steps. Others compute with steps, or with the floating numbers, and round their result.

#include "core/formats/pytorch/torchscript/quantized_functions.h"

#include "core/base/is_one_of.h"
#include "core/formats/pytorch/in_place_operators.h"
#include "core/formats/pytorch/torchscript/packed_layers.h"
#include "core/formats/pytorch/torchscript/quantized_layers.h"
#include "core/formats/pytorch/torchscript/quantized_recurrence.h"
#include "core/formats/pytorch/torchscript/quantized_tensors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <functional>

namespace crosswalk::pytorch {
namespace {

using Arguments = Interpreter::Arguments;

constexpr double byteScale = 1.0 / 256; ///< of results in [0, 1]

bool movesElements(std::string_view op)
{
    static constexpr auto names = std::to_array<std::string_view>({"aten::alias",
                                                                   "aten::channel_shuffle",
                                                                   "aten::chunk",
                                                                   "aten::clone",
                                                                   "aten::contiguous",
                                                                   "aten::detach",
                                                                   "aten::dropout",
                                                                   "aten::expand",
                                                                   "aten::expand_as",
                                                                   "aten::flatten",
                                                                   "aten::flip",
                                                                   "aten::index",
                                                                   "aten::index_select",
                                                                   "aten::max",
                                                                   "aten::max_pool1d",
                                                                   "aten::max_pool2d",
                                                                   "aten::max_pool3d",
                                                                   "aten::min",
                                                                   "aten::movedim",
                                                                   "aten::narrow",
                                                                   "aten::permute",
                                                                   "aten::pixel_shuffle",
                                                                   "aten::pixel_unshuffle",
                                                                   "aten::reflection_pad1d",
                                                                   "aten::reflection_pad2d",
                                                                   "aten::relu",
                                                                   "aten::repeat",
                                                                   "aten::replication_pad1d",
                                                                   "aten::replication_pad2d",
                                                                   "aten::reshape",
                                                                   "aten::select",
                                                                   "aten::slice",
                                                                   "aten::split",
                                                                   "aten::split_with_sizes",
                                                                   "aten::squeeze",
                                                                   "aten::t",
                                                                   "aten::transpose",
                                                                   "aten::unbind",
                                                                   "aten::unflatten",
                                                                   "aten::unsqueeze",
                                                                   "aten::upsample_nearest1d",
                                                                   "aten::upsample_nearest2d",
                                                                   "aten::upsample_nearest3d",
                                                                   "aten::view"});
    return isOneOf(op, names);
}

/// Of the operators that move elements, those whose results have the order of their input in memory.
bool keepsChannelsLast(std::string_view op)
{
    return isOneOf(op, {"aten::alias", "aten::detach", "aten::dropout", "aten::max_pool1d", "aten::max_pool2d",
                        "aten::max_pool3d", "aten::relu", "aten::upsample_nearest1d", "aten::upsample_nearest2d",
                        "aten::upsample_nearest3d"});
}

bool pools(std::string_view op)
{
    static constexpr auto names = std::to_array<std::string_view>(
        {"aten::adaptive_avg_pool1d", "aten::adaptive_avg_pool2d", "aten::adaptive_avg_pool3d", "aten::avg_pool1d",
         "aten::avg_pool2d", "aten::avg_pool3d"});
    return isOneOf(op, names);
}

/// Functions of the floating numbers with results in steps of the input.
bool computesInInputSteps(std::string_view op)
{
    static constexpr auto names = std::to_array<std::string_view>(
        {"aten::clamp", "aten::clamp_max", "aten::clamp_min", "aten::hardswish", "aten::hardtanh", "aten::leaky_relu",
         "aten::mean", "aten::relu6", "aten::threshold"});
    return isOneOf(op, names);
}

/// Comparisons of the floating numbers.
bool compares(std::string_view op)
{
    return isOneOf(op, {"aten::eq", "aten::ge", "aten::gt", "aten::le", "aten::lt", "aten::ne"});
}

/// What does not depend on the elements.
bool isProperty(std::string_view op)
{
    static constexpr auto names = std::to_array<std::string_view>(
        {"aten::dim",       "aten::is_contiguous", "aten::len",    "aten::ndimension", "aten::numel",
         "aten::size",      "aten::stride",        "prim::device", "prim::is_cpu",     "prim::is_cuda",
         "prim::is_meta",   "prim::is_mkldnn",     "prim::is_mps", "prim::is_nested",  "prim::is_sparse",
         "prim::is_vulkan", "prim::is_xla",        "prim::is_xpu", "prim::layout",     "prim::requires_grad"});
    return isOneOf(op, names);
}

/// Each tensor of a result becomes a quantized one; the indices of a maximum remain what they are.
ScriptValue withQuantization(Interpreter& script, const ScriptValue& value, const Quantization& quantization)
{
    if (std::holds_alternative<TensorRef>(value)) {
        return quantizedTensor(script, value, quantization);
    }
    Arguments items = script.itemsOf(value);
    if (std::holds_alternative<std::shared_ptr<const TupleValue>>(value)) {
        items.at(0) = quantizedTensor(script, items[0], quantization);
        return tupleOf(std::move(items), std::get<std::shared_ptr<const TupleValue>>(value)->fields);
    }
    for (ScriptValue& item : items) {
        item = quantizedTensor(script, item, quantization);
    }
    return script.newList(std::move(items));
}

bool asksForChannelsLast(const Arguments& arguments, const ScriptArguments& named)
{
    constexpr std::int64_t channelsLast = 2; ///< as a memory format
    constexpr auto names = std::to_array<std::string_view>({"memory_format"});
    return argumentsFrom(arguments, named, 1, names)[0] == ScriptValue(channelsLast);
}

/// Pads with steps in place of a floating number.
ScriptValue padded(Interpreter& script, const ObjectCell& source, const Arguments& arguments,
                   const ScriptArguments& named)
{
    constexpr auto names = std::to_array<std::string_view>({"pad", "mode", "value"});
    Arguments given = argumentsFrom(arguments, named, 1, names);
    Quantization quantization = quantizationOf(script, source);
    quantization.isChannelsLast = quantization.isChannelsLast && isNone(given[1]);
    const auto* scale = std::get_if<double>(&quantization.scale);
    const auto* zeroPoint = std::get_if<std::int64_t>(&quantization.zeroPoint);
    const auto value = storedNumber(script, given[2]);
    if (!isNone(given[2]) && value != 0.0) {
        if (!value || scale == nullptr || zeroPoint == nullptr) {
            Interpreter::unsupported("the value that pads a quantized tensor is not constant");
        }
        const auto steps =
            static_cast<double>(std::nearbyint(static_cast<float>(*value) * (1.0F / static_cast<float>(*scale))));
        given[2] = std::clamp(steps, static_cast<double>(quantization.least() - *zeroPoint),
                              static_cast<double>(quantization.most() - *zeroPoint));
    }
    if (isNone(given[1])) {
        given[1] = std::string("constant");
    }
    return quantizedTensor(script,
                           script.callSignature("aten::pad", {stepsOf(script, source), given[0], given[1], given[2]}),
                           quantization);
}

/// Fractions of steps are rounded after the zero point was added, where the channels are not side by side in memory.
/// This makes a difference for halves, which go to the even number, if the zero point is odd.
ScriptValue roundedAverages(Interpreter& script, const ScriptValue& fractions, const Quantization& quantization)
{
    const auto* zeroPoint = std::get_if<std::int64_t>(&quantization.zeroPoint);
    if (quantization.isChannelsLast || (zeroPoint != nullptr && *zeroPoint % 2 == 0)) {
        return roundedSteps(script, fractions, quantization);
    }
    const ScriptValue numbers =
        script.callSignature("aten::round", {script.callSignature("aten::add", {fractions, quantization.zeroPoint})});
    return script.callSignature(
        "aten::sub", {script.callSignature("aten::clamp", {numbers, quantization.least(), quantization.most()}),
                      quantization.zeroPoint});
}

/// Whether a mean is that of whole rows of memory, which PyTorch sums as integers.
bool isMeanOfRows(Interpreter& script, const ScriptValue& steps, const Quantization& quantization,
                  const Arguments& arguments, const ScriptArguments& named)
{
    constexpr auto names = std::to_array<std::string_view>({"dim"});
    const ScriptValue given = argumentsFrom(arguments, named, 1, names)[0];
    const auto rank = script.rankOf(std::get<TensorRef>(steps));
    if (quantization.isChannelsLast || !rank) {
        return false;
    }
    Ints axes;
    if (std::holds_alternative<ListRef>(given)) {
        for (const ScriptValue& item : script.itemsOf(given)) {
            const auto axis = static_cast<std::int64_t>(storedNumber(script, item).value_or(0));
            axes.push_back(axis < 0 ? axis + static_cast<std::int64_t>(*rank) : axis);
        }
    }
    std::ranges::sort(axes, std::greater<>());
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (axes[i] != static_cast<std::int64_t>(*rank - 1 - i)) {
            return false;
        }
    }
    return true;
}

/// Functions with a range of their own: the scale and zero point of the result are fixed.
std::optional<ScriptValue> bounded(Interpreter& script, const std::string& op, const ScriptValue& x,
                                   const Quantization& own)
{
    if (!isOneOf(op, {"aten::sigmoid", "aten::hardsigmoid", "aten::tanh"})) {
        return std::nullopt;
    }
    const bool isSigned = own.type == signedBytes;
    const std::int64_t least = isSigned ? -128 : 0;
    const bool isTanh = op == "aten::tanh";
    const Quantization result{isTanh ? 2 * byteScale : byteScale, isTanh ? least + 128 : least, own.type,
                              own.isChannelsLast};
    return quantized(script, script.callSignature(op, {floating(script, x)}), result);
}

/// Writes new steps to a tensor.
ScriptValue written(Interpreter& script, const ScriptValue& target, const ScriptValue& steps)
{
    const ObjectCell cell = *quantizedIn(script, target);
    if (isNone(attributeOf(cell, "steps"))) {
        Interpreter::unsupported("a stored quantized tensor is changed in place");
    }
    script.write(std::get<TensorRef>(attributeOf(cell, "steps")), script.read(std::get<TensorRef>(steps)));
    return target;
}

std::optional<ScriptValue> ofTensor(Interpreter& script, const std::string& op, const Arguments& arguments,
                                    const ScriptArguments& named, std::size_t wanted)
{
    const ObjectCell source = *quantizedIn(script, arguments[0]);
    Arguments operands = arguments;
    if (isOneOf(op, {"aten::clamp_", "aten::hardtanh_", "aten::leaky_relu_", "aten::relu6_", "aten::relu_"})) {
        const auto value = ofTensor(script, op.substr(0, op.size() - 1), arguments, named, wanted);
        return written(script, arguments[0], stepsOf(script, *quantizedIn(script, *value)));
    }
    if (compares(op)) {
        operands[0] = floating(script, arguments[0]);
        return script.callSignature(op, operands, named);
    }
    const Quantization quantization = quantizationOf(script, source);
    if (op == "aten::pad" || op == "aten::constant_pad_nd") {
        return op == "aten::pad" ? std::optional(padded(script, source, arguments, named)) : std::nullopt;
    }
    if (auto value = bounded(script, op, arguments[0], quantization)) {
        return value;
    }
    if (movesElements(op)) {
        operands[0] = stepsOf(script, source);
        Quantization moved = quantization;
        moved.isChannelsLast = quantization.isChannelsLast && keepsChannelsLast(op);
        if (op == "aten::contiguous") {
            moved.isChannelsLast = asksForChannelsLast(arguments, named);
        }
        return withQuantization(script, script.callSignature(op, operands, named, wanted), moved);
    }
    if (op == "aten::upsample_bilinear2d") {
        operands[0] = stepsOf(script, source);
        return quantizedTensor(script, roundedSteps(script, script.callSignature(op, operands, named), quantization),
                               quantization);
    }
    if (pools(op) || op == "aten::mean") {
        operands[0] = stepsOf(script, source);
        if (pools(op) || isMeanOfRows(script, operands[0], quantization, arguments, named)) {
            const ScriptValue averages = script.callSignature(op, operands, named);
            return quantizedTensor(script, roundedAverages(script, averages, quantization), quantization);
        }
    }
    if (computesInInputSteps(op)) {
        operands[0] = floating(script, arguments[0]);
        return quantized(script, script.callSignature(op, operands, named), quantization);
    }
    return std::nullopt;
}

/// The steps of quantized tensors in one scale: that of the first if none is given.
struct CommonSteps {
    Arguments parts;
    Quantization quantization;
};

CommonSteps commonSteps(Interpreter& script, const ScriptValue& list, const ScriptValue& scale,
                        const ScriptValue& zeroPoint)
{
    const Arguments given = script.itemsOf(list);
    CommonSteps common;
    bool isChannelsLast = true;
    for (const ScriptValue& part : given) {
        const ObjectCell* tensor = quantizedIn(script, part);
        if (tensor == nullptr) {
            Interpreter::unsupported("quantized tensors are joined with others");
        }
        const Quantization own = quantizationOf(script, *tensor);
        isChannelsLast = isChannelsLast && own.isChannelsLast;
        if (common.parts.empty()) {
            common.quantization = quantizationFrom(script, isNone(scale) ? own.scale : scale,
                                                   isNone(zeroPoint) ? own.zeroPoint : zeroPoint, own.type);
        }
        common.parts.push_back(own.hasSameSteps(common.quantization)
                                   ? stepsOf(script, *tensor)
                                   : quantizedSteps(script, floating(script, part), common.quantization));
    }
    common.quantization.isChannelsLast = isChannelsLast;
    return common;
}

/// quantized::cat(tensors, dim, scale, zero_point); aten::cat(tensors, dim) and aten::stack.
ScriptValue joined(Interpreter& script, const std::string& op, const Arguments& arguments, const ScriptArguments& named,
                   bool hasRelu)
{
    constexpr auto names = std::to_array<std::string_view>({"dim", "scale", "zero_point"});
    const Arguments settings = argumentsFrom(arguments, named, 1, names);
    CommonSteps common = commonSteps(script, arguments[0], settings[1], settings[2]);
    common.quantization.isChannelsLast = common.quantization.isChannelsLast && op == "aten::cat";
    const ScriptValue steps =
        script.callSignature(op, {script.newList(std::move(common.parts)),
                                  isNone(settings[0]) ? ScriptValue(std::int64_t{0}) : settings[0]});
    return quantizedTensor(script, hasRelu ? script.callSignature("aten::relu", {steps}) : steps, common.quantization);
}

/// Functions of floating numbers whose results are rounded to a scale and a zero point that are arguments.
struct FloatingFunction {
    std::string_view name;
    std::vector<std::string_view> arguments;
    std::size_t scale; ///< its position; the zero point follows
    ScriptValue (*compute)(Interpreter& script, const Arguments& arguments);
};

ScriptValue orOne(const ScriptValue& value)
{
    return isNone(value) ? ScriptValue(std::int64_t{1}) : value;
}

template <const char* op>
ScriptValue ofOne(Interpreter& script, const Arguments& x)
{
    return script.callSignature(op, {x[0]});
}

template <const char* op>
ScriptValue ofTwo(Interpreter& script, const Arguments& x)
{
    return script.callSignature(op, {x[0], x[1]});
}

ScriptValue normalizedBatch(Interpreter& script, const Arguments& x)
{
    constexpr double momentum = 0.1;
    return script.callSignature("aten::batch_norm", {x[0], x[1], x[2], x[3], x[4], false, momentum, x[5], false});
}

ScriptValue normalizedInstance(Interpreter& script, const Arguments& x)
{
    constexpr double momentum = 0.1;
    const ScriptValue none;
    return script.callSignature("aten::instance_norm", {x[0], x[1], x[2], none, none, true, momentum, x[3], false});
}

constexpr char addName[] = "aten::add";
constexpr char hardswishName[] = "aten::hardswish";
constexpr char leakyReluName[] = "aten::leaky_relu";
constexpr char matmulName[] = "aten::matmul";
constexpr char preluName[] = "aten::prelu";
constexpr char sigmoidName[] = "aten::sigmoid";
constexpr char softmaxName[] = "aten::softmax";

const std::vector<FloatingFunction>& floatingFunctions()
{
    static const std::vector<std::string_view> batch{"qx",  "weight", "bias",         "mean",
                                                     "var", "eps",    "output_scale", "output_zero_point"};
    static const std::vector<FloatingFunction> rows{
        {"add", {"qa", "qb", "scale", "zero_point"}, 2, ofTwo<addName>},
        {"matmul", {"qa", "qb", "scale", "zero_point"}, 2, ofTwo<matmulName>},
        {"hardswish", {"input", "output_scale", "output_zero_point"}, 1, ofOne<hardswishName>},
        {"sigmoid", {"qx", "output_scale", "output_zero_point"}, 1, ofOne<sigmoidName>},
        {"softmax", {"qx", "dim", "output_scale", "output_zero_point"}, 2, ofTwo<softmaxName>},
        {"prelu", {"qx", "weight", "output_scale", "output_zero_point"}, 2, ofTwo<preluName>},
        {"leaky_relu",
         {"qx", "negative_slope", "inplace", "output_scale", "output_zero_point"},
         3,
         ofTwo<leakyReluName>},
        {"elu",
         {"self", "output_scale", "output_zero_point", "alpha", "scale", "input_scale"},
         1,
         [](Interpreter& script, const Arguments& x) {
             return script.callSignature("aten::elu", {x[0], orOne(x[3]), orOne(x[4]), orOne(x[5])});
         }},
        {"celu",
         {"self", "output_scale", "output_zero_point", "alpha"},
         1,
         [](Interpreter& script, const Arguments& x) {
             return script.callSignature("aten::celu", {x[0], orOne(x[3])});
         }},
        {"layer_norm",
         {"input", "normalized_shape", "weight", "bias", "eps", "output_scale", "output_zero_point"},
         5,
         [](Interpreter& script, const Arguments& x) {
             return script.callSignature("aten::layer_norm", {x[0], x[1], x[2], x[3], x[4]});
         }},
        {"group_norm",
         {"input", "num_groups", "weight", "bias", "eps", "output_scale", "output_zero_point"},
         5,
         [](Interpreter& script, const Arguments& x) {
             return script.callSignature("aten::group_norm", {x[0], x[1], x[2], x[3], x[4]});
         }},
        {"instance_norm",
         {"input", "weight", "bias", "eps", "output_scale", "output_zero_point"},
         4,
         normalizedInstance},
        {"batch_norm", batch, 6, normalizedBatch},
        {"batch_norm1d", batch, 6, normalizedBatch},
        {"batch_norm2d", batch, 6, normalizedBatch},
        {"batch_norm3d", batch, 6, normalizedBatch},
    };
    return rows;
}

std::optional<ScriptValue> callFloating(Interpreter& script, std::string_view name, const Arguments& arguments,
                                        const ScriptArguments& named, bool hasRelu)
{
    const auto& rows = floatingFunctions();
    const auto row = std::ranges::find(rows, name, &FloatingFunction::name);
    const ObjectCell* source = quantizedIn(script, arguments[0]);
    if (row == rows.end() || source == nullptr) {
        return std::nullopt;
    }
    Arguments given = argumentsFrom(arguments, named, 0, row->arguments);
    const Quantization own = quantizationOf(script, *source);
    Quantization result = quantizationFrom(script, given.at(row->scale), given.at(row->scale + 1), own.type);
    result.isChannelsLast = own.isChannelsLast && !isOneOf(name, {"celu", "elu"});
    std::ranges::transform(given, given.begin(), [&](const ScriptValue& value) { return floating(script, value); });
    return quantized(script, row->compute(script, given), result, hasRelu);
}

/// The products of steps, times the product of the scales in steps of the result.
ScriptValue multiplied(Interpreter& script, const Arguments& arguments, const ScriptArguments& named, bool hasRelu)
{
    constexpr auto names = std::to_array<std::string_view>({"scale", "zero_point"});
    const Arguments settings = argumentsFrom(arguments, named, 2, names);
    const ObjectCell a = *quantizedIn(script, arguments[0]);
    const ObjectCell b = *quantizedIn(script, arguments[1]);
    const Quantization first = quantizationOf(script, a);
    Quantization result = quantizationFrom(script, settings[0], settings[1], first.type);
    result.isChannelsLast = first.isChannelsLast;
    const ScriptValue multiplier =
        singleProduct(script, singleProduct(script, first.scale, quantizationOf(script, b).scale),
                      singleQuotient(script, 1.0, result.scale));
    const ScriptValue products = script.callSignature("aten::mul", {stepsOf(script, a), stepsOf(script, b)});
    return quantizedTensor(
        script, roundedSteps(script, script.callSignature("aten::mul", {products, multiplier}), result, hasRelu),
        result);
}

struct ScaledBy {
    double scale;
    std::int64_t zeroPoint;
    double number;
};

/// A quantized tensor and a number, which must be constants.
ScaledBy constantsOf(Interpreter& script, const Quantization& quantization, const ScriptValue& value)
{
    const auto* scale = std::get_if<double>(&quantization.scale);
    const auto* zeroPoint = std::get_if<std::int64_t>(&quantization.zeroPoint);
    const auto number = storedNumber(script, value);
    if (scale == nullptr || zeroPoint == nullptr || !number) {
        Interpreter::unsupported("a quantized tensor and a number that is not constant are combined");
    }
    return {*scale, *zeroPoint, *number};
}

/// The range of the result begins or ends at 0 steps less than that of the input: the zero point moves as far as the
/// type allows, and the scale grows (_add_scalar_out in quantized/cpu/BinaryOps.cpp).
ScriptValue plusNumber(Interpreter& script, const ObjectCell& x, const ScriptValue& number, bool hasRelu)
{
    const Quantization own = quantizationOf(script, x);
    const ScaledBy known = constantsOf(script, own, number);
    const auto added = static_cast<std::int64_t>(std::nearbyint(known.number / known.scale));
    const std::int64_t least = own.least();
    const std::int64_t most = own.most();
    const std::int64_t moved = known.zeroPoint - added;
    const auto width = static_cast<double>(most - least);
    double scale = known.scale;
    if (moved < least) {
        scale = static_cast<double>(most - moved) / width * known.scale;
    } else if (moved > most) {
        scale = static_cast<double>(moved - least) / width * known.scale;
    }
    const Quantization result{scale, std::clamp(moved, least, most), own.type, own.isChannelsLast};
    const ScriptValue sums = script.callSignature("aten::add", {stepsOf(script, x), added});
    const ScriptValue multiplier = singleProduct(script, own.scale, singleQuotient(script, 1.0, scale));
    const ScriptValue fractions = scale == known.scale ? sums : script.callSignature("aten::mul", {sums, multiplier});
    return quantizedTensor(script, roundedSteps(script, fractions, result, hasRelu), result);
}

/// The numbers stay, or are mirrored for a negative factor, and the scale changes.
ScriptValue timesNumber(Interpreter& script, const ObjectCell& x, const ScriptValue& number, bool hasRelu)
{
    const Quantization own = quantizationOf(script, x);
    const ScaledBy known = constantsOf(script, own, number);
    Quantization result{known.scale * std::abs(known.number), known.zeroPoint, own.type, own.isChannelsLast};
    if (known.number < 0) {
        result.zeroPoint = own.most() + own.least() - known.zeroPoint;
    } else if (known.number == 0) {
        result = {1.0, std::int64_t{0}, own.type, own.isChannelsLast};
    }
    const std::int64_t sign = known.number > 0 ? 1 : known.number < 0 ? -1 : 0;
    const ScriptValue steps = script.callSignature("aten::mul", {stepsOf(script, x), sign});
    return quantizedTensor(script, hasRelu ? script.callSignature("aten::relu", {steps}) : steps, result);
}

/// Operators of the namespace quantized, without a rectifier at the end of their names.
std::optional<ScriptValue> callBase(Interpreter& script, std::string_view name, const Arguments& arguments,
                                    const ScriptArguments& named, bool hasRelu)
{
    if (name == "cat") {
        return joined(script, "aten::cat", arguments, named, hasRelu);
    }
    if (isOneOf(name, {"add", "add_scalar", "mul", "mul_scalar"}) && arguments.size() > 1) {
        const bool isSum = name.starts_with("add");
        const bool isFirst = quantizedIn(script, arguments[0]) != nullptr;
        const ScriptValue& tensor = arguments[isFirst ? 0 : 1];
        const ScriptValue& other = arguments[isFirst ? 1 : 0];
        const ObjectCell* object = quantizedIn(script, tensor);
        if (object == nullptr) {
            return std::nullopt;
        }
        if (quantizedIn(script, other) == nullptr) {
            const ObjectCell x = *object;
            return isSum ? plusNumber(script, x, other, hasRelu) : timesNumber(script, x, other, hasRelu);
        }
        if (!isSum) {
            return multiplied(script, arguments, named, hasRelu);
        }
    }
    return callFloating(script, name, arguments, named, hasRelu);
}

std::optional<ScriptValue> callNamespace(Interpreter& script, std::string_view name, const Arguments& arguments,
                                         const ScriptArguments& named)
{
    if (auto value = callQuantizedLayer(script, name, arguments, named)) {
        return value;
    }
    // Operators of aten under another name.
    if (isOneOf(name, {"clamp", "max_pool1d", "max_pool2d", "relu6", "threshold"}) &&
        quantizedIn(script, arguments[0]) != nullptr) {
        const bool isRelu6 = name == "relu6";
        const bool isInPlace = isRelu6 && arguments.size() > 1 && arguments[1] == ScriptValue(true);
        return ofTensor(script, fmt::format("aten::{}{}", name, isInPlace ? "_" : ""),
                        isRelu6 ? Arguments{arguments[0]} : arguments, isRelu6 ? ScriptArguments() : named, 0);
    }
    if (auto value = callBase(script, name, arguments, named, false)) {
        return value;
    }
    constexpr std::string_view relu = "_relu";
    return name.ends_with(relu) ? callBase(script, name.substr(0, name.size() - relu.size()), arguments, named, true)
                                : std::nullopt;
}

bool areQuantized(Interpreter& script, const ScriptValue& value)
{
    const auto* list = std::get_if<ListRef>(&value);
    if (list == nullptr && !std::holds_alternative<std::shared_ptr<const TupleValue>>(value)) {
        return false;
    }
    const Arguments items = list != nullptr ? script.cellOf(*list).items : script.itemsOf(value);
    return std::ranges::any_of(items, [&](const ScriptValue& item) { return quantizedIn(script, item) != nullptr; });
}

std::optional<ScriptValue> ofList(Interpreter& script, const std::string& op, const Arguments& arguments,
                                  const ScriptArguments& named)
{
    if (!isOneOf(op, {"aten::cat", "aten::concat", "aten::stack", "aten::dequantize"}) ||
        !areQuantized(script, arguments[0])) {
        return std::nullopt;
    }
    if (op != "aten::dequantize") {
        return joined(script, op == "aten::stack" ? op : "aten::cat", arguments, named, false);
    }
    Arguments items = script.itemsOf(arguments[0]);
    std::ranges::transform(items, items.begin(), [&](const ScriptValue& item) { return floating(script, item); });
    return script.newList(std::move(items));
}

/// The integers themselves.
ScriptValue numbersOf(Interpreter& script, const ObjectCell& tensor)
{
    constexpr std::int64_t uint8 = 0;
    constexpr std::int64_t int8 = 1;
    if (const ScriptValue stored = attributeOf(tensor, "numbers"); !isNone(stored)) {
        return script.callSignature("aten::clone", {stored});
    }
    const Quantization quantization = quantizationOf(script, tensor);
    const ScriptValue numbers = script.callSignature("aten::add", {stepsOf(script, tensor), quantization.zeroPoint});
    return script.callSignature("aten::to", {numbers, quantization.type == signedBytes ? int8 : uint8});
}

} // namespace

std::optional<ScriptValue> callQuantized(Interpreter& script, const std::string& op, const Arguments& arguments,
                                         const ScriptArguments& named, std::size_t wanted)
{
    if (arguments.empty()) {
        return std::nullopt;
    }
    if (op == "aten::dequantize" && std::holds_alternative<TensorRef>(arguments[0])) {
        constexpr std::int64_t float32 = 6; // floating numbers stay what they are
        return script.callSignature("aten::to", {arguments[0], float32});
    }
    if (op == "aten::quantize_per_tensor") {
        constexpr auto names = std::to_array<std::string_view>({"scale", "zero_point", "dtype"});
        const Arguments settings = argumentsFrom(arguments, named, 1, names);
        return quantized(script, arguments[0], quantizationFrom(script, settings[0], settings[1], settings[2]));
    }
    if (auto value = callQuantizedRecurrence(script, op, arguments, named)) {
        return value;
    }
    constexpr std::string_view space = "quantized::";
    if (op.starts_with(space)) {
        return callNamespace(script, std::string_view(op).substr(space.size()), arguments, named);
    }
    if (auto value = ofList(script, op, arguments, named)) {
        return value;
    }
    const ObjectCell* object = quantizedIn(script, arguments[0]);
    if (object == nullptr) {
        return std::nullopt;
    }
    const ObjectCell source = *object;
    if (op == "aten::dequantize") {
        return floating(script, arguments[0]);
    }
    if (op == "aten::q_scale" || op == "aten::q_zero_point") {
        return attributeOf(source, op == "aten::q_scale" ? "scale" : "zero_point");
    }
    if (op == "aten::int_repr") {
        return numbersOf(script, source);
    }
    if (op == "prim::is_quantized") {
        return true;
    }
    if (op == "aten::is_floating_point") {
        return false;
    }
    if (op == "prim::dtype") {
        return quantizationOf(script, source).type;
    }
    if (isProperty(op)) {
        Arguments operands = arguments;
        operands[0] = stepsOf(script, source);
        return script.callOperator(op, operands, named, wanted);
    }
    if (auto value = ofTensor(script, op, arguments, named, wanted)) {
        return value;
    }
    Interpreter::unsupported(fmt::format("{} of a quantized tensor is not supported", op));
}

} // namespace crosswalk::pytorch
