#pragma once

#include "core/formats/keras/model_config.h"
#include "core/graph/tensor.h"

#include <optional>
#include <string_view>

namespace crosswalk::keras {

inline constexpr std::string_view trainingArgument = "training";

/// Whether a class is not a layer: an operation of Keras 3 or a function of TensorFlow.
bool isFunction(std::string_view className);

/// Whether a value is a tensor of Keras 1 and 2: [layer, call, output].
bool isTriple(const ConfigValue& value);
TensorReference tripleOf(const ConfigValue& value);

/// The arguments of a call, a node of the file. Those of layers have one form: the tensors that a layer computes with
/// are at position 0 (of the attention of several heads, at 0 to 2), the others have their names; lists of arrays are
/// arguments of their own. `config` has the settings of the layer.
LayerCall callOf(const ConfigValue& node, std::string_view className, const ConfigValue& config,
                 const Dialect& dialect);

/// The argument `training` of a call; nothing if the call has none, so that it is that of the model.
std::optional<bool> trainingOf(const LayerCall& call);

/// Whether layers take a constant argument as a tensor: an array, or a number in place of a tensor.
bool isArray(const Argument& argument);

/// The array of such an argument. Files of Keras 1 and 2 have no types: whole numbers are int32, others float32. Those
/// of 64 bits have 32, as on Keras's backend JAX. Throws ModelError "damaged" for what is no array of numbers.
Tensor arrayOf(const Argument& argument);

} // namespace crosswalk::keras
