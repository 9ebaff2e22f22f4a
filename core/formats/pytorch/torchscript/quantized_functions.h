#pragma once

#include "core/formats/pytorch/torchscript/interpreter.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace crosswalk::pytorch {

/// A quantized tensor is an object of this type with the attributes `scale`, `zero_point` and `dtype`, and `steps`: its
/// numbers less the zero point, as float32. A stored one has its integers, `numbers`, instead, and `axis` if each index
/// of that axis has a scale of its own.
constexpr std::string_view quantizedType = "quantized Tensor";
/// Attribute of an object whose class is part of PyTorch: the state that the archive stores for it.
constexpr std::string_view packedState = "state";

/// Calls an operator if it is one on quantized tensors, or an argument is one. Nothing for any other operator. `wanted`
/// is the number of results that the caller unpacks.
std::optional<ScriptValue> callQuantized(Interpreter& script, const std::string& op,
                                         const Interpreter::Arguments& arguments, const ScriptArguments& named,
                                         std::size_t wanted);

} // namespace crosswalk::pytorch
