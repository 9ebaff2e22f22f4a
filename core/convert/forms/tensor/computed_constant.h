#pragma once

#include "core/convert/node_context.h"

#include <cstddef>
#include <cstdint>
#include <functional>

/// Constants whose elements follow from their index. They are computed when they are read.
namespace crosswalk::forms {

/// Writes the element of a flat index, in the constant's type.
using ConstantElement = std::function<void(std::uint64_t index, std::byte* out)>;

OnnxValue computedConstant(const NodeContext& ctx, ElementType type, const Ints& dims, ConstantElement element);
/// The same from numbers, each rounded to the type once.
OnnxValue computedConstant(const NodeContext& ctx, ElementType type, const Ints& dims,
                           std::function<double(std::uint64_t index)> element);

} // namespace crosswalk::forms
