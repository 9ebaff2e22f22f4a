#pragma once

#include "core/convert/emit.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/int_vector.h"
#include "core/convert/forms/tensor/selection.h"
#include "core/formats/tensorflow/tensorflow_forms.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Operands of TensorFlow's operators that are attributes in ONNX: shapes, axes, paddings.
namespace crosswalk::tensorflow {

/// The elements of input i; rejects a computed one. `what`: the operand's name for errors, "axis".
Ints constantInts(const NodeContext& ctx, std::size_t i, std::string_view what);
std::int64_t constantInt(const NodeContext& ctx, std::size_t i, std::string_view what);
/// All elements of input i as doubles; rejects a computed one.
std::vector<double> constantNumbers(const NodeContext& ctx, std::size_t i, std::string_view what);

/// The only element of input i; rejects a computed one.
std::string constantString(const NodeContext& ctx, std::size_t i, std::string_view what);
/// Rejects the node if ONNX has operator `op` only from a later opset on.
void expectOpset(const NodeContext& ctx, int first, std::string_view op);

/// The number of elements of x, int64.
OnnxValue sizeOf(const NodeContext& ctx, OnnxValue x);

} // namespace crosswalk::tensorflow
