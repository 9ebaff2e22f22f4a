// Sizes of tensors and arithmetic of Python with them; checks of sizes, which compute nothing.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/tensor/int_vector.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"

#include <fmt/format.h>

namespace crosswalk::pytorch {
namespace {

constexpr char addName[] = "Add";
constexpr char subName[] = "Sub";
constexpr char mulName[] = "Mul";
constexpr char modName[] = "Mod";
constexpr char equalName[] = "Equal";
constexpr char greaterName[] = "Greater";
constexpr char lessName[] = "Less";
constexpr char divName[] = "Div";
constexpr char powName[] = "Pow";
constexpr char andName[] = "And";
constexpr char orName[] = "Or";

OnnxValues size(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    return {forms::scalarOf(ctx, emit::dimVector(ctx, x, arguments.axis("dim", 0, ctx.rank(x))))};
}

OnnxValues elementCount(NodeContext& ctx)
{
    const OnnxValue x = Arguments(ctx).tensor("self");
    const auto& shape = ctx.onnx.shape(x);
    if (const auto count = shape ? crosswalk::elementCount(*shape) : std::nullopt) {
        return {ctx.onnx.constant(Tensor::of<std::int64_t>(ElementType::Int64, {}, std::span(&*count, 1)))};
    }
    return {ctx.emit("Size", {x})};
}

OnnxValues item(NodeContext& ctx)
{
    return {emit::reshape(ctx, Arguments(ctx).tensor("self"), ctx.onnx.ints({}))};
}

/// The operands of an operator of Python, "a" and "b", as scalars of a type.
struct Pair {
    OnnxValue a;
    OnnxValue b;
};

std::string_view nameOf(const Arguments& arguments, std::string_view name, std::string_view other)
{
    return arguments.has(name) ? name : other;
}

Pair sizeOperands(const NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const std::string_view first = nameOf(arguments, "a", "operand0");
    const std::string_view second = nameOf(arguments, "b", "operand1");
    ElementType type = resultType(ctx, arguments, {first, second});
    if (isFloating(type)) {
        type = ElementType::Float64; // as Python computes
    }
    return {operand(ctx, arguments, first, type), operand(ctx, arguments, second, type)};
}

template <const char* op>
OnnxValues sizeArithmetic(NodeContext& ctx)
{
    const auto [a, b] = sizeOperands(ctx);
    return {ctx.emit(op, {a, b})};
}

/// The same by a form, of what not every opset has.
template <forms::arithmetic::Binary form>
OnnxValues sizeForm(NodeContext& ctx)
{
    const auto [a, b] = sizeOperands(ctx);
    return {form(ctx, a, b)};
}

OnnxValues sizeQuotient(NodeContext& ctx)
{
    const auto [a, b] = sizeOperands(ctx);
    return {ctx.emit("Div", {ctx.emit("Sub", {a, ctx.emit("Mod", {a, b})}), b})};
}

template <const char* op>
OnnxValues floatArithmetic(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue a = operand(ctx, arguments, nameOf(arguments, "a", "operand0"), ElementType::Float64);
    const OnnxValue b = operand(ctx, arguments, nameOf(arguments, "b", "operand1"), ElementType::Float64);
    return {ctx.emit(op, {a, b})};
}

OnnxValues toFloat(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    return {operand(ctx, arguments, nameOf(arguments, "a", "operand0"), ElementType::Float64)};
}

/// Of floating-point numbers: an integer with a negative exponent has another type.
OnnxValues sizePower(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    if (!isFloating(
            resultType(ctx, arguments, {nameOf(arguments, "a", "operand0"), nameOf(arguments, "b", "operand1")}))) {
        return sizeArithmetic<powName>(ctx);
    }
    return floatArithmetic<powName>(ctx);
}

OnnxValues negate(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    return {ctx.emit("Neg", {arguments.tensor(nameOf(arguments, "a", "operand0"))})};
}

OnnxValues notEqual(NodeContext& ctx)
{
    const auto [a, b] = sizeOperands(ctx);
    return {ctx.emit("Not", {ctx.emit("Equal", {a, b})})};
}

/// The truncated number, as an integer: math.trunc(x) and torch.sym_int(a).
OnnxValues truncated(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    return {emit::cast(ctx, operand(ctx, arguments, nameOf(arguments, "x", "a"), ElementType::Float64),
                       ElementType::Int64)};
}

OnnxValues squareRoot(NodeContext& ctx)
{
    return {ctx.emit("Sqrt", {operand(ctx, Arguments(ctx), "a", ElementType::Float64)})};
}

/// Of truth values: of integers, Python's operators compute by bits.
template <const char* op>
OnnxValues sizeLogic(NodeContext& ctx)
{
    const auto [a, b] = sizeOperands(ctx);
    if (ctx.element(a) != ElementType::Bool) {
        ctx.refuse(fmt::format("{} of integers", ctx.node.op));
    }
    return {ctx.emit(op, {a, b})};
}

OnnxValues negation(NodeContext& ctx)
{
    return {ctx.emit("Not", {operand(ctx, Arguments(ctx), "a", ElementType::Bool)})};
}

OnnxValues positive(NodeContext& ctx)
{
    return {Arguments(ctx).tensor("a")};
}

OnnxValues choice(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const ElementType type = resultType(ctx, arguments, {"t", "f"});
    return {ctx.emit("Where", {operand(ctx, arguments, "b", ElementType::Bool), operand(ctx, arguments, "t", type),
                               operand(ctx, arguments, "f", type)})};
}

OnnxValues check(NodeContext& /*ctx*/)
{
    return {};
}

} // namespace

std::span<const OpRow> sizeOps()
{
    static constexpr OpRow rows[] = {
        {"aten::sym_size", size, "Shape"},
        {"aten::sym_numel", elementCount, "Size"},
        {"aten::numel", elementCount, "Size"},
        {"aten::item", item, "Reshape"},
        {"aten::_local_scalar_dense", item, "Reshape"},
        {"_operator::add", sizeArithmetic<addName>, "Add"},
        {"_operator::sub", sizeArithmetic<subName>, "Sub"},
        {"_operator::mul", sizeArithmetic<mulName>, "Mul"},
        {"_operator::mod", sizeArithmetic<modName>, "Mod"},
        {"_operator::floordiv", sizeQuotient, "Div"},
        {"_operator::truediv", floatArithmetic<divName>, "Div"},
        {"_operator::pow", sizePower, "Pow"},
        {"_operator::neg", negate, "Neg"},
        {"_operator::eq", sizeArithmetic<equalName>, "Equal"},
        {"_operator::ne", notEqual, "Equal, Not"},
        {"_operator::gt", sizeArithmetic<greaterName>, "Greater"},
        {"_operator::ge", sizeForm<forms::arithmetic::greaterOrEqual>, "GreaterOrEqual"},
        {"_operator::lt", sizeArithmetic<lessName>, "Less"},
        {"_operator::le", sizeForm<forms::arithmetic::lessOrEqual>, "LessOrEqual"},
        {"_operator::pos", positive, ""},
        {"_operator::and_", sizeLogic<andName>, "And"},
        {"_operator::or_", sizeLogic<orName>, "Or"},
        {"math::trunc", truncated, "Cast"},
        {"torch::sym_int", truncated, "Cast"},
        {"torch::sym_float", toFloat, "Cast"},
        {"torch::sym_not", negation, "Not"},
        {"torch::sym_ite", choice, "Where"},
        {"torch::_sym_sqrt", squareRoot, "Sqrt"},
        {"torch::sym_max", sizeForm<forms::arithmetic::maximum>, "Max"},
        {"torch::sym_min", sizeForm<forms::arithmetic::minimum>, "Min"},
        {"aten::_assert_tensor_metadata", check, "", Support::Exact, "is a check"},
        {"aten::_assert_scalar", check, "", Support::Exact, "is a check"},
        {"aten::_assert_async", check, "", Support::Exact, "is a check"},
        {"aten::_linalg_check_errors", check, "", Support::Exact, "is a check"},
        {"aten::sym_constrain_range", check, "", Support::Exact, "is a check"},
        {"aten::sym_constrain_range_for_size", check, "", Support::Exact, "is a check"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
