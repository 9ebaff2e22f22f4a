// A tensor and a scalar attribute.

#include "core/convert/emit.h"
#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/ops/tensor/scalar_operand.h"

#include <cmath>
#include <fmt/format.h>

namespace crosswalk::mxnet {

double castNumber(ElementType type, double number)
{
    if (isFloating(type)) {
        return number;
    }
    if (type == ElementType::Bool) {
        return number != 0 ? 1 : 0;
    }
    const double whole = std::trunc(number);
    if (type == ElementType::UInt8) {
        return whole - 256 * std::floor(whole / 256);
    }
    return type == ElementType::Int8 ? whole - 256 * std::floor((whole + 128) / 256) : whole;
}

double castNumber(const NodeContext& ctx, ElementType type, double number, std::string_view attribute)
{
    const double bound = byteSize(type) == 8 ? 0x1p63 : 0x1p31;
    if (!isFloating(type) && type != ElementType::Bool && !(number > -bound - 1 && number < bound)) {
        ctx.refuse(fmt::format("{} = {} does not fit {}; MXNet's result depends on the processor", attribute, number,
                               elementTypeName(type)),
                   std::string(attribute));
    }
    return castNumber(type, number);
}

OnnxValue castLike(const NodeContext& ctx, OnnxValue x, double number, std::string_view attribute)
{
    return emit::scalarLike(ctx, x, castNumber(ctx, ctx.element(x), number, attribute));
}

/// MXNet casts the number to the type that it computes in: float64 if the tensor has integers and the file marks the
/// number as not an integer, else the tensor's own type, which truncates the number for integers.
ScalarOperands scalarOperands(const NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const double scalar = attributes.number("scalar", 1);
    const bool isInteger = attributes.boolean("is_int", true);
    const ElementType own = ctx.element(ctx.input(0));
    ElementType type = own;
    if (own == ElementType::Bool) {
        type = isInteger ? ElementType::Int64 : ElementType::Float64;
    } else if (!isFloating(own) && !isInteger) {
        type = ElementType::Float64;
    }
    return {emit::cast(ctx, ctx.input(0), type), ctx.onnx.scalar(type, castNumber(ctx, type, scalar, "scalar"))};
}

namespace {

/// 0 or 1 in the type of the computation.
template <arithmetic::Binary op>
OnnxValues scalarQuestion(NodeContext& ctx)
{
    const auto [x, number] = scalarOperands(ctx);
    return {emit::cast(ctx, op(ctx, x, number), ctx.element(x))};
}

} // namespace

std::span<const OpRow> scalarArithmeticOps()
{
    using namespace arithmetic;
    static constexpr OpRow rows[] = {
        {"_div_scalar", scalar<divide>, "Div"},
        {"_equal_scalar", scalarQuestion<equal>, "Equal, Cast"},
        {"_greater_equal_scalar", scalarQuestion<greaterOrEqual>, "GreaterOrEqual, Cast"},
        {"_greater_scalar", scalarQuestion<greater>, "Greater, Cast"},
        {"_hypot_scalar", scalar<hypotenuse>, "Mul, Add, Sqrt"},
        {"_lesser_equal_scalar", scalarQuestion<lessOrEqual>, "LessOrEqual, Cast"},
        {"_lesser_scalar", scalarQuestion<less>, "Less, Cast"},
        {"_logical_and_scalar", scalarQuestion<logicalAnd>, "And, Cast"},
        {"_logical_or_scalar", scalarQuestion<logicalOr>, "Or, Cast"},
        {"_logical_xor_scalar", scalarQuestion<logicalXor>, "Xor, Cast"},
        {"_maximum_scalar", scalar<maximum>, "Max"},
        {"_minimum_scalar", scalar<minimum>, "Min"},
        {"_minus_scalar", scalar<subtract>, "Sub"},
        {"_mod_scalar", scalar<modulo>, "Mod", Support::Exact,
         "the result has the sign of the divisor; division by zero returns zero"},
        {"_mul_scalar", scalar<multiply>, "Mul"},
        {"_not_equal_scalar", scalarQuestion<notEqual>, "Equal, Not, Cast"},
        {"_plus_scalar", scalar<add>, "Add"},
        {"_power_scalar", scalar<power>, "Pow"},
        {"_rdiv_scalar", reversed<divide>, "Div"},
        {"_rminus_scalar", reversed<subtract>, "Sub"},
        {"_rmod_scalar", reversed<modulo>, "Mod", Support::Exact,
         "the result has the sign of the divisor; division by zero returns zero"},
        {"_rpower_scalar", reversed<power>, "Pow"},
        {"_scatter_minus_scalar", scalar<subtract>, "Sub"},
        {"_scatter_plus_scalar", scalar<add>, "Add"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
