// Two tensors, element by element: arithmetic, comparisons and logic. elemwise_* and broadcast_* differ only in the
// shapes that MXNet accepts.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/emit.h"
#include "core/formats/mxnet/families.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

/// Whether a created tensor of the graph leaves sizes open, which MXNet infers from its consumers. A size that is not
/// known becomes 1 (namedShape in creation.cpp), also in what is computed from it.
bool hasOpenSizes(const Graph& graph)
{
    return std::ranges::any_of(graph.nodes(), [](const Node& node) {
        const auto* dims = node.inputs.empty() ? attributeOf<Ints>(node, "shape") : nullptr;
        return dims != nullptr && std::ranges::any_of(*dims, [](std::int64_t dim) { return dim <= 0; });
    });
}

bool mayBeEqual(const Shape& a, const Shape& b, bool isOneOpen)
{
    return std::ranges::equal(a, b, [&](const Dim& x, const Dim& y) {
        const bool isOpen = !x.isFixed() || !y.isFixed() || (isOneOpen && (x.size == 1 || y.size == 1));
        return isOpen || x.size == y.size;
    });
}

template <arithmetic::Binary op>
OnnxValues binary(NodeContext& ctx)
{
    return {op(ctx, ctx.input(0), ctx.input(1))};
}

/// MXNet rejects operands of these operators that it would have to broadcast.
void expectEqualShapes(const NodeContext& ctx)
{
    const auto& first = ctx.onnx.shape(ctx.input(0));
    for (std::size_t i = 1; i < ctx.inputCount(); ++i) {
        const auto& other = ctx.onnx.shape(ctx.input(i));
        if (first && other && !mayBeEqual(*first, *other, false) &&
            !mayBeEqual(*first, *other, hasOpenSizes(ctx.graph))) {
            throw ModelError("shape-conflict",
                             fmt::format("{} requires operands of equal shapes, but they have {} and {}", ctx.node.op,
                                         toString(*first), toString(*other)));
        }
    }
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
