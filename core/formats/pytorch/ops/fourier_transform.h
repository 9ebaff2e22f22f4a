#pragma once

#include "core/formats/pytorch/ops/operator_arguments.h"
#include "core/formats/pytorch/ops/pytorch_op_table.h"

#include <cstdint>
#include <string_view>

/// Fourier transforms of real and imaginary parts in double precision, because ONNX Runtime's sums lose digits in
/// single precision: products with matrices of cosines and sines.
namespace crosswalk::pytorch {

struct ComplexParts {
    OnnxValue real;
    OnnxValue imaginary; ///< absent: 0
};

/// The divisor of a transform: none, the root of its length, or its length.
enum class FourierScale : std::uint8_t { None, Root, Count };

/// One transform along an axis.
struct FourierTransform {
    std::int64_t axis = 0;
    std::int64_t n = 0; ///< the input is cut or extended with zeros to it
    bool isInverse = false;
    bool isOneSided = false;
    FourierScale scale = FourierScale::None;
};

/// Error for a transform of no elements or of too many.
void limitTransform(const NodeContext& ctx, std::int64_t n);
ComplexParts transformed(const NodeContext& ctx, const ComplexParts& x, const FourierTransform& how);
/// The real signal of n elements with a half spectrum along an axis.
OnnxValue signalOf(const NodeContext& ctx, const ComplexParts& x, std::int64_t axis, std::int64_t n,
                   FourierScale scale);
/// The other sign of the imaginary part.
ComplexParts conjugate(const NodeContext& ctx, const ComplexParts& x);

/// The operands self and self.imag.
ComplexParts wideOperand(const NodeContext& ctx, const Arguments& arguments);
/// The type of a real result, and of the parts of a complex one.
ElementType spectrumType(const NodeContext& ctx, const Arguments& arguments);
OnnxValues spectrumResults(const NodeContext& ctx, const Arguments& arguments, const ComplexParts& y);

/// The row of an operator on complex numbers, which lowering splits into their parts.
constexpr OpRow complexRow(std::string_view name, OnnxValues (*translate)(NodeContext&), std::string_view form)
{
    return {name, translate, form, Support::Exact,
            "complex numbers are two tensors, of which no output of the model may be one"};
}

} // namespace crosswalk::pytorch
