// Two tensors, element by element: arithmetic, comparisons and logic. broadcast_* and the operators of other names
// (elemwise_add, _maximum, _equal) differ only in the shapes that MXNet accepts.

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

template <arithmetic::Binary op>
OnnxValues equalQuestion(NodeContext& ctx)
{
    expectEqualShapes(ctx);
    return question<op>(ctx);
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
        {"_equal", equalQuestion<equal>, "Equal, Cast"},
        {"_grad_add", equalBinary<add>, "Add"},
        {"_greater", equalQuestion<greater>, "Greater, Cast"},
        {"_greater_equal", equalQuestion<greaterOrEqual>, "GreaterOrEqual, Cast"},
        {"_hypot", equalBinary<hypotenuse>, "Mul, Add, Sqrt"},
        {"_lesser", equalQuestion<less>, "Less, Cast"},
        {"_lesser_equal", equalQuestion<lessOrEqual>, "LessOrEqual, Cast"},
        {"_logical_and", equalQuestion<logicalAnd>, "And, Cast"},
        {"_logical_or", equalQuestion<logicalOr>, "Or, Cast"},
        {"_logical_xor", equalQuestion<logicalXor>, "Xor, Cast"},
        {"_maximum", equalBinary<maximum>, "Max"},
        {"_minimum", equalBinary<minimum>, "Min"},
        {"_mod", equalBinary<modulo>, "Mod", Support::Exact,
         "the result has the sign of the divisor; division by zero returns zero"},
        {"_not_equal", equalQuestion<notEqual>, "Equal, Not, Cast"},
        {"_power", equalBinary<power>, "Pow"},
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
