// Two tensors, element by element: arithmetic, comparisons and logic. elemwise_* and broadcast_* differ only in the
// shapes that MXNet accepts.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/emit.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/ops/tensor/equal_shapes.h"

namespace crosswalk::mxnet {
namespace {

template <arithmetic::Binary op>
OnnxValues binary(NodeContext& ctx)
{
    return {op(ctx, ctx.input(0), ctx.input(1))};
}

template <arithmetic::Binary op>
OnnxValues equalBinary(NodeContext& ctx)
{
    expectEqualShapes(ctx);
    return binary<op>(ctx);
}

/// MXNet's result is 0 or 1 in the type of the operands.
template <arithmetic::Binary op>
OnnxValues question(NodeContext& ctx)
{
    return {emit::cast(ctx, op(ctx, ctx.input(0), ctx.input(1)), ctx.element(ctx.input(0)))};
}

OnnxValues addAll(NodeContext& ctx)
{
    expectEqualShapes(ctx);
    OnnxValue sum = ctx.input(0);
    if (ctx.inputCount() > 2 && isFloating(ctx.element(sum))) {
        return {ctx.emit("Sum", ctx.inputs())};
    }
    for (std::size_t i = 1; i < ctx.inputCount(); ++i) {
        sum = arithmetic::add(ctx, sum, ctx.input(i));
    }
    return {sum};
}

} // namespace

std::span<const OpRow> arithmeticOps()
{
    using namespace arithmetic;
    static constexpr OpRow rows[] = {
        {"_equal", question<equal>, "Equal, Cast"},
        {"_grad_add", equalBinary<add>, "Add"},
        {"_greater", question<greater>, "Greater, Cast"},
        {"_greater_equal", question<greaterOrEqual>, "GreaterOrEqual, Cast"},
        {"_hypot", binary<hypotenuse>, "Mul, Add, Sqrt"},
        {"_lesser", question<less>, "Less, Cast"},
        {"_lesser_equal", question<lessOrEqual>, "LessOrEqual, Cast"},
        {"_logical_and", question<logicalAnd>, "And, Cast"},
        {"_logical_or", question<logicalOr>, "Or, Cast"},
        {"_logical_xor", question<logicalXor>, "Xor, Cast"},
        {"_maximum", binary<maximum>, "Max"},
        {"_minimum", binary<minimum>, "Min"},
        {"_mod", binary<modulo>, "Mod", Support::Exact,
         "the result has the sign of the divisor; division by zero returns zero"},
        {"_not_equal", question<notEqual>, "Equal, Not, Cast"},
        {"_power", binary<power>, "Pow"},
        {"_scatter_elemwise_div", equalBinary<divide>, "Div"},
        {"add_n", addAll, "Sum"},
        {"broadcast_add", binary<add>, "Add"},
        {"broadcast_div", binary<divide>, "Div"},
        {"broadcast_equal", question<equal>, "Equal, Cast"},
        {"broadcast_greater", question<greater>, "Greater, Cast"},
        {"broadcast_greater_equal", question<greaterOrEqual>, "GreaterOrEqual, Cast"},
        {"broadcast_hypot", binary<hypotenuse>, "Mul, Add, Sqrt"},
        {"broadcast_lesser", question<less>, "Less, Cast"},
        {"broadcast_lesser_equal", question<lessOrEqual>, "LessOrEqual, Cast"},
        {"broadcast_logical_and", question<logicalAnd>, "And, Cast"},
        {"broadcast_logical_or", question<logicalOr>, "Or, Cast"},
        {"broadcast_logical_xor", question<logicalXor>, "Xor, Cast"},
        {"broadcast_maximum", binary<maximum>, "Max"},
        {"broadcast_minimum", binary<minimum>, "Min"},
        {"broadcast_mod", binary<modulo>, "Mod", Support::Exact,
         "the result has the sign of the divisor; division by zero returns zero"},
        {"broadcast_mul", binary<multiply>, "Mul"},
        {"broadcast_not_equal", question<notEqual>, "Equal, Not, Cast"},
        {"broadcast_power", binary<power>, "Pow"},
        {"broadcast_sub", binary<subtract>, "Sub"},
        {"elemwise_add", equalBinary<add>, "Add"},
        {"elemwise_div", equalBinary<divide>, "Div"},
        {"elemwise_mul", equalBinary<multiply>, "Mul"},
        {"elemwise_sub", equalBinary<subtract>, "Sub"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
