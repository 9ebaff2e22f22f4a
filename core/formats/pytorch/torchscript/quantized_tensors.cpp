#include "core/formats/pytorch/torchscript/quantized_tensors.h"

#include "core/base/whole_number.h"
#include "core/formats/pytorch/torchscript/quantized_functions.h"
#include "core/graph/tensor.h"

#include <algorithm>
#include <cmath>

namespace crosswalk::pytorch {
namespace {

constexpr std::string_view channelsLast = "is_channels_last";
constexpr std::int64_t float32 = 6; ///< as a scalar type

ScriptValue constantOr(Interpreter& script, NumberKind kind, const ScriptValue& value)
{
    const auto known = storedNumber(script, value);
    if (!known) {
        return script.toNumber(kind, value);
    }
    if (kind == NumberKind::Float) {
        return *known;
    }
    const auto whole = wholeNumber(std::trunc(*known));
    if (!whole) {
        Interpreter::unsupported("a zero point of a quantized tensor is beyond 64 bits");
    }
    return *whole;
}

/// A vector along an axis of a tensor, to be broadcast against it.
ScriptValue alongAxis(Interpreter& script, const ScriptValue& vector, std::int64_t axis, const ScriptValue& tensor)
{
    const auto rank = script.rankOf(std::get<TensorRef>(tensor));
    if (!rank) {
        Interpreter::unsupported("the rank of a quantized tensor is not known");
    }
    Interpreter::Arguments sizes(*rank, std::int64_t{1});
    sizes.at(static_cast<std::size_t>(axis)) = std::int64_t{-1};
    return script.callSignature("aten::reshape", {vector, script.newList(std::move(sizes))});
}

std::int64_t typeOfNumbers(Interpreter& script, const ScriptValue& numbers)
{
    const auto* stored = std::get_if<TensorRef>(&numbers);
    const Tensor* tensor =
        stored != nullptr ? script.graphs.storedTensor(script.heap.tensors[stored->index].value) : nullptr;
    if (tensor == nullptr || (tensor->type() != ElementType::Int8 && tensor->type() != ElementType::UInt8)) {
        Interpreter::unsupported("quantized tensors of types other than qint8 and quint8 are not supported");
    }
    return tensor->type() == ElementType::Int8 ? signedBytes : unsignedBytes;
}

} // namespace

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

std::optional<std::vector<double>> storedNumbers(Interpreter& script, const ScriptValue& value)
{
    if (const auto* real = std::get_if<double>(&value)) {
        return std::vector{*real};
    }
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        return std::vector{static_cast<double>(*integer)};
    }
    const auto* computed = std::get_if<ComputedNumber>(&value);
    const auto* tensor = std::get_if<TensorRef>(&value);
    const Tensor* stored = computed != nullptr ? script.graphs.storedTensor(computed->value)
                           : tensor != nullptr ? script.graphs.storedTensor(script.read(*tensor))
                                               : nullptr;
    if (stored == nullptr) {
        return std::nullopt;
    }
    const auto numbers = stored->toDoubles();
    return std::vector<double>(numbers.begin(), numbers.end());
}

std::optional<double> storedNumber(Interpreter& script, const ScriptValue& value)
{
    const auto numbers = storedNumbers(script, value);
    return numbers && numbers->size() == 1 ? std::optional(numbers->front()) : std::nullopt;
}

Quantization quantizationFrom(Interpreter& script, const ScriptValue& scale, const ScriptValue& zeroPoint,
                              const ScriptValue& type)
{
    if (type != ScriptValue(signedBytes) && type != ScriptValue(unsignedBytes)) {
        Interpreter::unsupported("quantized tensors of types other than qint8 and quint8 are not supported");
    }
    return {constantOr(script, NumberKind::Float, scale), constantOr(script, NumberKind::Int, zeroPoint),
            std::get<std::int64_t>(type), false};
}

Quantization quantizationOf(Interpreter& script, const ObjectCell& tensor)
{
    if (!isNone(attributeOf(tensor, "axis"))) {
        Interpreter::unsupported("an operator on a tensor with a scale for each channel is not supported");
    }
    const ScriptValue type = attributeOf(tensor, "dtype");
    Quantization quantization =
        quantizationFrom(script, attributeOf(tensor, "scale"), attributeOf(tensor, "zero_point"),
                         isNone(type) ? ScriptValue(typeOfNumbers(script, attributeOf(tensor, "numbers"))) : type);
    quantization.isChannelsLast = attributeOf(tensor, channelsLast) == ScriptValue(true);
    return quantization;
}

ScriptValue stepsOf(Interpreter& script, const ObjectCell& tensor)
{
    if (ScriptValue known = attributeOf(tensor, "steps"); !isNone(known)) {
        return known;
    }
    const ScriptValue zeroPoint = attributeOf(tensor, "zero_point");
    const ScriptValue axis = attributeOf(tensor, "axis");
    ScriptValue numbers = script.callSignature("aten::to", {attributeOf(tensor, "numbers"), float32});
    const auto known = storedNumbers(script, zeroPoint);
    if (known && std::ranges::all_of(*known, [](double zero) { return zero == 0; })) {
        return numbers;
    }
    return script.callSignature(
        "aten::sub", {numbers, isNone(axis) ? constantOr(script, NumberKind::Int, zeroPoint)
                                            : alongAxis(script, script.callSignature("aten::to", {zeroPoint, float32}),
                                                        std::get<std::int64_t>(axis), numbers)});
}

ScriptValue floating(Interpreter& script, const ScriptValue& value)
{
    const ObjectCell* object = quantizedIn(script, value);
    if (object == nullptr) {
        return value;
    }
    const ObjectCell tensor = *object;
    const ScriptValue steps = stepsOf(script, tensor);
    const ScriptValue axis = attributeOf(tensor, "axis");
    const ScriptValue scale = attributeOf(tensor, "scale");
    return script.callSignature(
        "aten::mul", {steps, isNone(axis) ? constantOr(script, NumberKind::Float, scale)
                                          : alongAxis(script, script.callSignature("aten::to", {scale, float32}),
                                                      std::get<std::int64_t>(axis), steps)});
}

ScriptValue quantizedTensor(Interpreter& script, const ScriptValue& steps, const Quantization& quantization)
{
    ObjectCell made{.type = std::string(quantizedType), .path = {}};
    made.attributes = {{"steps", steps},
                       {"scale", quantization.scale},
                       {"zero_point", quantization.zeroPoint},
                       {"dtype", quantization.type},
                       {std::string(channelsLast), quantization.isChannelsLast}};
    return script.heap.add(std::move(made));
}

ScriptValue roundedSteps(Interpreter& script, const ScriptValue& fractions, const Quantization& quantization,
                         bool hasRelu)
{
    const auto steps = [&](std::int64_t number) {
        return script.arithmetic("aten::sub", {number, quantization.zeroPoint});
    };
    const ScriptValue least = hasRelu ? ScriptValue(std::int64_t{0}) : steps(quantization.least());
    return script.callSignature("aten::clamp",
                                {script.callSignature("aten::round", {fractions}), least, steps(quantization.most())});
}

ScriptValue quantizedSteps(Interpreter& script, const ScriptValue& value, const Quantization& quantization,
                           bool hasRelu)
{
    const ScriptValue inverse = singleQuotient(script, 1.0, quantization.scale);
    return roundedSteps(script, script.callSignature("aten::mul", {value, inverse}), quantization, hasRelu);
}

ScriptValue quantized(Interpreter& script, const ScriptValue& value, const Quantization& quantization, bool hasRelu)
{
    return quantizedTensor(script, quantizedSteps(script, value, quantization, hasRelu), quantization);
}

ScriptValue singleProduct(Interpreter& script, const ScriptValue& a, const ScriptValue& b)
{
    const auto* first = std::get_if<double>(&a);
    const auto* second = std::get_if<double>(&b);
    return first != nullptr && second != nullptr
               ? ScriptValue(static_cast<double>(static_cast<float>(*first) * static_cast<float>(*second)))
               : script.arithmetic("aten::mul", {a, b});
}

ScriptValue singleQuotient(Interpreter& script, const ScriptValue& a, const ScriptValue& b)
{
    const auto* first = std::get_if<double>(&a);
    const auto* second = std::get_if<double>(&b);
    return first != nullptr && second != nullptr
               ? ScriptValue(static_cast<double>(static_cast<float>(*first) / static_cast<float>(*second)))
               : script.arithmetic("aten::div", {a, b});
}

} // namespace crosswalk::pytorch
