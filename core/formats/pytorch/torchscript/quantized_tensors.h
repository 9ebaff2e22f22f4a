#pragma once

#include "core/formats/pytorch/torchscript/interpreter.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

/// Quantized tensors as values of the program: a number means x = (number - zero point) scale. The graph computes with
/// the steps, number - zero point, which are float32: sums and products of steps are exact, and each operator rounds
/// once, as the kernels of PyTorch do.
namespace crosswalk::pytorch {

constexpr std::int64_t signedBytes = 12; ///< qint8, as a scalar type
constexpr std::int64_t unsignedBytes = 13;

/// One scale and zero point for a whole tensor. Both are constants where the file determines them.
struct Quantization {
    ScriptValue scale;
    ScriptValue zeroPoint;
    std::int64_t type = unsignedBytes;
    /// The channels of an element of an image are side by side in memory, as convolutions order their results. The
    /// order decides how averages are rounded.
    bool isChannelsLast = false;

    bool hasSameSteps(const Quantization& other) const
    {
        return scale == other.scale && zeroPoint == other.zeroPoint && type == other.type;
    }

    std::int64_t least() const { return type == signedBytes ? -128 : 0; }
    std::int64_t most() const { return type == signedBytes ? 127 : 255; }
};

/// The object that stands for a quantized tensor; null for any other value.
const ObjectCell* quantizedIn(Interpreter& script, const ScriptValue& value);
/// None where the object has no such attribute.
ScriptValue attributeOf(const ObjectCell& object, std::string_view name);

/// The numbers of a constant, or of a stored tensor; nothing for others.
std::optional<std::vector<double>> storedNumbers(Interpreter& script, const ScriptValue& value);
std::optional<double> storedNumber(Interpreter& script, const ScriptValue& value);

/// Throws UnsupportedScript for types other than those of bytes.
Quantization quantizationFrom(Interpreter& script, const ScriptValue& scale, const ScriptValue& zeroPoint,
                              const ScriptValue& type);
/// Throws UnsupportedScript for a tensor with a scale for each index of an axis.
Quantization quantizationOf(Interpreter& script, const ObjectCell& tensor);

ScriptValue stepsOf(Interpreter& script, const ObjectCell& tensor);
/// The floating numbers of a quantized tensor; any other value unchanged.
ScriptValue floating(Interpreter& script, const ScriptValue& value);

/// A tensor with these steps, whose memory it shares.
ScriptValue quantizedTensor(Interpreter& script, const ScriptValue& steps, const Quantization& quantization);
/// Rounds fractions of steps to steps within the range of the type, from 0 on after a rectifier.
ScriptValue roundedSteps(Interpreter& script, const ScriptValue& fractions, const Quantization& quantization,
                         bool hasRelu = false);
/// Rounds floating numbers to steps.
ScriptValue quantizedSteps(Interpreter& script, const ScriptValue& value, const Quantization& quantization,
                           bool hasRelu = false);
ScriptValue quantized(Interpreter& script, const ScriptValue& value, const Quantization& quantization,
                      bool hasRelu = false);

// Numbers in single precision, computed at conversion if they are constants.
ScriptValue singleProduct(Interpreter& script, const ScriptValue& a, const ScriptValue& b);
ScriptValue singleQuotient(Interpreter& script, const ScriptValue& a, const ScriptValue& b);

} // namespace crosswalk::pytorch
