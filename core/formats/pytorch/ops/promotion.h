#pragma once

#include "core/formats/pytorch/ops/operator_arguments.h"

#include <initializer_list>
#include <string_view>

namespace crosswalk::pytorch {

/// Type promotion as torch.result_type computes it: tensors with dimensions, tensors without, and numbers of Python
/// each have a type, and a later one counts only if its category (bool, integer, floating) is higher.
/// https://pytorch.org/docs/stable/tensor_attributes.html#type-promotion

/// The common type of two tensors with dimensions.
ElementType promoted(ElementType a, ElementType b);
/// The type of an operation of arguments, each a tensor or a number.
ElementType resultType(const NodeContext& ctx, const Arguments& arguments,
                       std::initializer_list<std::string_view> names);
/// The type of an argument that is a number; a floating one has the default type.
ElementType numberType(const NodeContext& ctx, const Arguments& arguments, std::string_view name);
/// An argument as a tensor of a type; a number becomes a scalar.
OnnxValue operand(const NodeContext& ctx, const Arguments& arguments, std::string_view name, ElementType type);
/// The type in which an operation computes that has floating results: float32 for integers.
ElementType floatingType(ElementType type);

} // namespace crosswalk::pytorch
