#pragma once

#include "core/formats/pytorch/torchscript/quantized_tensors.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// Layers with packed weights, which are objects of PyTorch's own classes.
namespace crosswalk::pytorch {

/// The weight and the bias of a layer, and the settings of a convolution.
struct PackedLayer {
    ScriptValue weight; ///< quantized, or a tensor where the layer multiplies float16 numbers
    ScriptValue bias;
    /// The number of dimensions, then for each: strides, paddings, dilations and output paddings; then the groups and
    /// whether it is a transposed convolution. Empty for a linear layer.
    Ints settings;
};

/// Throws UnsupportedScript if the value is no layer.
PackedLayer unpack(Interpreter& script, const ScriptValue& value);
[[noreturn]] void refuseLayout();
/// Operators that pack weights, "linear_prepack" or "conv2d_prepack"; nothing for any other name.
std::optional<ScriptValue> prepacked(Interpreter& script, std::string_view name,
                                     const Interpreter::Arguments& arguments, const ScriptArguments& named);
/// Adds the operands of a layer's weight and bias, with a prefix to their names: weight, scale, zero_point, bias.
void addWeight(Interpreter& script, ScriptArguments& operands, const std::string& prefix, const PackedLayer& packed);

/// The arguments from `first` on, which follow by position or by these names; None where one is absent.
Interpreter::Arguments argumentsFrom(const Interpreter::Arguments& arguments, const ScriptArguments& named,
                                     std::size_t first, std::span<const std::string_view> names);

} // namespace crosswalk::pytorch
