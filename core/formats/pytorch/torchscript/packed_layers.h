#pragma once

#include "core/formats/pytorch/torchscript/interpreter.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

/// Quantized tensors as values of the program, and layers with packed weights, which are objects of PyTorch's own
/// classes.
namespace crosswalk::pytorch {

/// The object that stands for a quantized tensor; null for any other value.
const ObjectCell* quantizedIn(Interpreter& script, const ScriptValue& value);
/// None where the object has no such attribute.
ScriptValue attributeOf(const ObjectCell& object, std::string_view name);

/// The weight and the bias of a layer, and the settings of a convolution.
struct PackedLayer {
    ScriptValue weight; ///< quantized, or a tensor where the layer multiplies float16 numbers
    ScriptValue bias;
    Ints settings;
};

/// Throws UnsupportedScript if the value is no layer.
PackedLayer unpack(Interpreter& script, const ScriptValue& value);
[[noreturn]] void refuseLayout();
/// Adds the operands of a layer's weight and bias, with a prefix to their names: weight, scale, zero_point, bias.
void addWeight(Interpreter& script, ScriptArguments& operands, const std::string& prefix, const PackedLayer& packed);

/// The arguments from `first` on, which follow by position or by these names; None where one is absent.
Interpreter::Arguments argumentsFrom(const Interpreter::Arguments& arguments, const ScriptArguments& named,
                                     std::size_t first, std::span<const std::string_view> names);

} // namespace crosswalk::pytorch
