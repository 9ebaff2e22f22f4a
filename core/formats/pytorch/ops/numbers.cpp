// Operators on numbers of Python, which TorchScript calls with the overload "number": int64, float64 and bool scalars.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/elementwise/integer_arithmetic.h"
#include "core/convert/forms/tensor/int_vector.h"
#include "core/formats/pytorch/ops/operator_arguments.h"
#include "core/formats/pytorch/ops/pytorch_families.h"
#include "core/formats/pytorch/scalar_types.h"
#include "core/formats/pytorch/torchscript/interpreter.h"
#include "core/formats/pytorch/torchscript/number_arithmetic.h"
#include "core/graph/attributes.h"

#include <array>
#include <fmt/format.h>

namespace crosswalk::pytorch {
namespace {

ElementType elementOf(NumberKind kind)
{
    return kind == NumberKind::Int     ? ElementType::Int64
           : kind == NumberKind::Float ? ElementType::Float64
                                       : ElementType::Bool;
}

/// A value that is known at conversion.
std::optional<ScriptValue> knownNumber(const NodeContext& ctx, OnnxValue value)
{
    const ElementType type = ctx.element(value);
    if (const Tensor* stored = ctx.onnx.content(value)) {
        const auto numbers = stored->toDoubles();
        if (numbers.size() != 1) {
            return std::nullopt;
        }
        if (isFloating(type)) {
            return numbers[0];
        }
        return type == ElementType::Bool ? ScriptValue(numbers[0] != 0) : ScriptValue(stored->toInts().at(0));
    }
    const auto integers = forms::knownInts(ctx, value);
    return integers && integers->size() == 1 ? std::optional<ScriptValue>((*integers)[0]) : std::nullopt;
}

struct Operand {
    OnnxValue value; ///< of rank 0
    std::optional<ScriptValue> known;
    NumberKind kind = NumberKind::Int;
};

Operand operandOf(const NodeContext& ctx, const Arguments& arguments, std::string_view name)
{
    Operand operand;
    if (arguments.isStored(name)) {
        if (const auto* truth = attributeOf<bool>(ctx.node, name)) {
            operand.known = *truth;
        } else if (const auto* integer = attributeOf<std::int64_t>(ctx.node, name)) {
            operand.known = *integer;
        } else {
            operand.known = arguments.number(name, 0);
        }
        operand.kind = *numberKindOf(*operand.known);
        return operand;
    }
    operand.value = arguments.tensor(name);
    const ElementType type = ctx.element(operand.value);
    operand.kind = isFloating(type)            ? NumberKind::Float
                   : type == ElementType::Bool ? NumberKind::Bool
                                               : NumberKind::Int;
    operand.known = knownNumber(ctx, operand.value);
    return operand;
}

OnnxValue constantOf(const NodeContext& ctx, const ScriptValue& number)
{
    if (const auto* integer = std::get_if<std::int64_t>(&number)) {
        return ctx.onnx.constant(Tensor::of<std::int64_t>(ElementType::Int64, {}, std::span(integer, 1)));
    }
    if (const auto* truth = std::get_if<bool>(&number)) {
        return ctx.onnx.scalar(ElementType::Bool, *truth ? 1 : 0);
    }
    return ctx.onnx.scalar(ElementType::Float64, std::get<double>(number));
}

OnnxValue as(const NodeContext& ctx, const Operand& operand, NumberKind kind)
{
    const OnnxValue value = operand.value ? operand.value : constantOf(ctx, *operand.known);
    const OnnxValue converted = emit::cast(ctx, value, elementOf(kind));
    const auto& shape = ctx.onnx.shape(converted);
    return shape && shape->empty() ? converted : emit::reshape(ctx, converted, ctx.onnx.ints({}));
}

/// a - b floor(a / b), exactly.
OnnxValue floorRemainderOf(const NodeContext& ctx, OnnxValue a, OnnxValue b, NumberKind kind)
{
    if (kind == NumberKind::Int) {
        return ctx.emit("Mod", {a, b});
    }
    const OnnxValue rest = ctx.emit("Mod", {a, b}, {{"fmod", 1}});
    const OnnxValue zero = ctx.onnx.scalar(ElementType::Float64, 0);
    const OnnxValue isRest = ctx.emit("Not", {ctx.emit("Equal", {rest, zero})});
    const OnnxValue differs = ctx.emit("Xor", {ctx.emit("Less", {rest, zero}), ctx.emit("Less", {b, zero})});
    return ctx.emit("Where", {ctx.emit("And", {isRest, differs}), ctx.emit("Add", {rest, b}), rest});
}

struct DirectOperator {
    std::string_view op;
    std::string_view onnx;
};

constexpr auto directOperators = std::to_array<DirectOperator>({
    {"aten::add", "Add"},
    {"aten::sub", "Sub"},
    {"aten::mul", "Mul"},
    {"aten::div", "Div"},
    {"aten::pow", "Pow"},
    {"aten::neg", "Neg"},
    {"aten::eq", "Equal"},
    {"aten::lt", "Less"},
    {"aten::gt", "Greater"},
    {"aten::sqrt", "Sqrt"},
    {"aten::log", "Log"},
    {"aten::exp", "Exp"},
    {"aten::abs", "Abs"},
    {"prim::abs", "Abs"},
    {"aten::round", "Round"},
    {"aten::fabs", "Abs"},
    {"aten::isnan", "IsNaN"},
});

struct BinaryOperator {
    std::string_view op;
    forms::arithmetic::Binary form;
};

/// What not every opset has for integers.
constexpr auto binaryOperators = std::to_array<BinaryOperator>({
    {"aten::le", forms::arithmetic::lessOrEqual},
    {"aten::ge", forms::arithmetic::greaterOrEqual},
    {"prim::max", forms::arithmetic::maximum},
    {"prim::min", forms::arithmetic::minimum},
});

struct ElementaryOperator {
    std::string_view op;
    forms::elementary::Unary form;
};

constexpr auto elementaryOperators = std::to_array<ElementaryOperator>({
    {"aten::acos", forms::elementary::arccos},
    {"aten::acosh", forms::elementary::arccosh},
    {"aten::asin", forms::elementary::arcsin},
    {"aten::asinh", forms::elementary::arcsinh},
    {"aten::atan", forms::elementary::arctan},
    {"aten::atanh", forms::elementary::arctanh},
    {"aten::cos", forms::elementary::cos},
    {"aten::cosh", forms::elementary::cosh},
    {"aten::degrees", forms::elementary::degrees},
    {"aten::erf", forms::elementary::erf},
    {"aten::expm1", forms::elementary::expMinusOne},
    {"aten::log1p", forms::elementary::logOnePlus},
    {"aten::radians", forms::elementary::radians},
    {"aten::sin", forms::elementary::sin},
    {"aten::sinh", forms::elementary::sinh},
    {"aten::tan", forms::elementary::tan},
    {"aten::tanh", forms::elementary::tanh},
});

OnnxValues number(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const NumberOperator* row = findNumberOperator(ctx.node.op);
    if (row == nullptr) {
        ctx.refuse(fmt::format("{} is not supported for numbers", ctx.node.op));
    }
    std::vector<Operand> operands{operandOf(ctx, arguments, "a")};
    if (row->operands > 1) {
        operands.push_back(operandOf(ctx, arguments, "b"));
    }
    std::vector<ScriptValue> known;
    NumberKind kind = NumberKind::Bool;
    for (const Operand& operand : operands) {
        if (operand.known) {
            known.push_back(*operand.known);
        }
        kind = operand.kind == NumberKind::Float || kind == NumberKind::Float ? NumberKind::Float
               : operand.kind == NumberKind::Int                              ? NumberKind::Int
                                                                              : kind;
    }
    const std::string_view op = row->op;
    if (known.size() == operands.size()) {
        try {
            return {constantOf(ctx, evaluateNumbers(*row, known))};
        } catch (const UnsupportedScript& unsupported) {
            ctx.invalid(unsupported.message);
        }
    }
    if (op == "aten::Int" || op == "aten::Float" || op == "aten::Bool") {
        return {as(ctx, operands[0],
                   op == "aten::Int"     ? NumberKind::Int
                   : op == "aten::Float" ? NumberKind::Float
                                         : NumberKind::Bool)};
    }
    if (op == "aten::__not__") {
        return {ctx.emit("Not", {as(ctx, operands[0], NumberKind::Bool)})};
    }
    const bool isLogical = op == "aten::__and__" || op == "aten::__or__" || op == "aten::__xor__";
    if (isLogical && kind == NumberKind::Bool) {
        return {ctx.emit(op == "aten::__and__"  ? "And"
                         : op == "aten::__or__" ? "Or"
                                                : "Xor",
                         {as(ctx, operands[0], kind), as(ctx, operands[1], kind)})};
    }
    if (row->result == NumberOperator::Result::Float) {
        kind = NumberKind::Float;
    } else if (kind == NumberKind::Bool) {
        kind = NumberKind::Int;
    }
    OnnxValues values;
    for (const Operand& operand : operands) {
        values.push_back(as(ctx, operand, kind));
    }
    if (isLogical && kind == NumberKind::Int) {
        return {op == "aten::__and__"  ? forms::arithmetic::bitwiseAnd(ctx, values[0], values[1])
                : op == "aten::__or__" ? forms::arithmetic::bitwiseOr(ctx, values[0], values[1])
                                       : forms::arithmetic::bitwiseXor(ctx, values[0], values[1])};
    }
    if ((op == "aten::__lshift__" || op == "aten::__rshift__") && kind == NumberKind::Int) {
        return {forms::arithmetic::shifted(ctx, values[0], values[1], op == "aten::__lshift__")};
    }
    if (op == "aten::ne") {
        return {ctx.emit("Not", {ctx.emit("Equal", values)})};
    }
    if (op == "aten::remainder") {
        return {floorRemainderOf(ctx, values[0], values[1], kind)};
    }
    if (op == "aten::floordiv") {
        return {kind == NumberKind::Float
                    ? ctx.emit("Floor", {ctx.emit("Div", values)})
                    : ctx.emit("Div", {ctx.emit("Sub", {values[0], ctx.emit("Mod", values)}), values[1]})};
    }
    if (op == "aten::floor" || op == "aten::ceil") {
        return {kind == NumberKind::Int
                    ? values[0]
                    : emit::cast(ctx, ctx.emit(op == "aten::floor" ? "Floor" : "Ceil", values), ElementType::Int64)};
    }
    if (op == "aten::fmod") {
        return {ctx.emit("Mod", values, {{"fmod", 1}})};
    }
    for (const ElementaryOperator& elementary : elementaryOperators) {
        if (elementary.op == op) {
            return {elementary.form(ctx, values[0])};
        }
    }
    for (const BinaryOperator& binary : binaryOperators) {
        if (binary.op == op) {
            return {binary.form(ctx, values[0], values[1])};
        }
    }
    for (const DirectOperator& direct : directOperators) {
        if (direct.op == op) {
            return {ctx.emit(direct.onnx, values)};
        }
    }
    ctx.refuse(fmt::format("{} is not supported for numbers that the model computes", op));
}

OnnxValues equalLists(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue a = arguments.tensor("a");
    const OnnxValue b = arguments.tensor("b");
    const auto first = forms::knownInts(ctx, a);
    const auto second = forms::knownInts(ctx, b);
    if (first && second) {
        return {ctx.onnx.scalar(ElementType::Bool, *first == *second ? 1 : 0)};
    }
    const Shape& left = ctx.shape(a);
    const Shape& right = ctx.shape(b);
    if (left[0].isFixed() && right[0].isFixed() && left[0] != right[0]) {
        return {ctx.onnx.scalar(ElementType::Bool, 0)};
    }
    if (!left[0].isFixed() || left[0] != right[0]) {
        ctx.refuse("lists are compared whose lengths are computed when the model runs");
    }
    const OnnxValue same = emit::cast(ctx, ctx.emit("Equal", {a, b}), ElementType::Int64);
    const OnnxValue all = emit::reduce(ctx, "ReduceMin", same, {0}, false);
    return {emit::cast(ctx, all, ElementType::Bool)};
}

/// The number of an element type, c10::ScalarType.
OnnxValues elementTypeNumber(NodeContext& ctx)
{
    const ElementType type = ctx.element(Arguments(ctx).tensor("self"));
    for (std::int64_t number = 0; number < 30; ++number) {
        if (fromScalarType(number) == type) {
            return {constantOf(ctx, number)};
        }
    }
    ctx.refuse(fmt::format("element type {} has no number in PyTorch", elementTypeName(type)));
}

OnnxValues rankNumber(NodeContext& ctx)
{
    return {constantOf(ctx, static_cast<std::int64_t>(ctx.rank(Arguments(ctx).tensor("self"))))};
}

OnnxValues isFloatingPoint(NodeContext& ctx)
{
    return {constantOf(ctx, isFloating(ctx.element(Arguments(ctx).tensor("self"))))};
}

OnnxValues sizes(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    if (!arguments.has("dim")) {
        return {emit::shapeVector(ctx, x)};
    }
    if (!arguments.isStored("dim")) {
        const OnnxValue axis = arguments.scalar("dim", 0);
        if (const auto known = forms::knownInts(ctx, axis); !known || known->size() != 1) {
            return {emit::gather(ctx, emit::shapeVector(ctx, x), axis, 0)};
        }
    }
    return {forms::scalarOf(ctx, emit::dimVector(ctx, x, arguments.axis("dim", 0, ctx.rank(x))))};
}

} // namespace

std::span<const OpRow> numberOps()
{
    static constexpr OpRow rows[] = {
        {"aten::add.number", number, "Add"},
        {"aten::sub.number", number, "Sub"},
        {"aten::mul.number", number, "Mul"},
        {"aten::div.number", number, "Div"},
        {"aten::floordiv.number", number, "Div, Mod"},
        {"aten::remainder.number", number, "Mod"},
        {"aten::pow.number", number, "Pow"},
        {"aten::neg.number", number, "Neg"},
        {"aten::eq.number", number, "Equal"},
        {"aten::ne.number", number, "Equal, Not"},
        {"aten::lt.number", number, "Less"},
        {"aten::le.number", number, "LessOrEqual"},
        {"aten::gt.number", number, "Greater"},
        {"aten::ge.number", number, "GreaterOrEqual"},
        {"aten::__and__.number", number, "And, BitwiseAnd"},
        {"aten::__or__.number", number, "BitwiseOr, Or"},
        {"aten::__xor__.number", number, "BitwiseXor, Xor"},
        {"aten::__not__.number", number, "Not"},
        {"aten::__lshift__.number", number, "BitShift"},
        {"aten::__rshift__.number", number, "BitShift"},
        {"aten::floor.number", number, "Floor"},
        {"aten::ceil.number", number, "Ceil"},
        {"aten::sqrt.number", number, "Sqrt"},
        {"aten::log.number", number, "Log"},
        {"aten::exp.number", number, "Exp"},
        {"aten::abs.number", number, "Abs"},
        {"prim::abs.number", number, "Abs"},
        {"prim::max.number", number, "Max"},
        {"prim::min.number", number, "Min"},
        {"aten::round.number", number, "Round"},
        {"aten::acos.number", number, "Acos"},
        {"aten::acosh.number", number, "Acosh"},
        {"aten::asin.number", number, "Asin"},
        {"aten::asinh.number", number, "Asinh"},
        {"aten::atan.number", number, "Atan"},
        {"aten::atan2.number", number, "", Support::Exact, "of numbers that are known at conversion"},
        {"aten::atanh.number", number, "Atanh"},
        {"aten::copysign.number", number, "", Support::Exact, "of numbers that are known at conversion"},
        {"aten::cos.number", number, "Cos"},
        {"aten::cosh.number", number, "Cosh"},
        {"aten::degrees.number", number, "Mul"},
        {"aten::erf.number", number, "Erf"},
        {"aten::erfc.number", number, "", Support::Exact, "of numbers that are known at conversion"},
        {"aten::expm1.number", number, "Exp, Sub"},
        {"aten::fabs.number", number, "Abs"},
        {"aten::fmod.number", number, "Mod"},
        {"aten::gamma.number", number, "", Support::Exact, "of numbers that are known at conversion"},
        {"aten::gcd.number", number, "", Support::Exact, "of numbers that are known at conversion"},
        {"aten::isfinite.number", number, "", Support::Exact, "of numbers that are known at conversion"},
        {"aten::isinf.number", number, "", Support::Exact, "of numbers that are known at conversion"},
        {"aten::isnan.number", number, "IsNaN"},
        {"aten::ldexp.number", number, "", Support::Exact, "of numbers that are known at conversion"},
        {"aten::lgamma.number", number, "", Support::Exact, "of numbers that are known at conversion"},
        {"aten::log10.number", number, "", Support::Exact, "of numbers that are known at conversion"},
        {"aten::log1p.number", number, "Log"},
        {"aten::mathremainder.number", number, "", Support::Exact, "of numbers that are known at conversion"},
        {"aten::radians.number", number, "Mul"},
        {"aten::sin.number", number, "Sin"},
        {"aten::sinh.number", number, "Sinh"},
        {"aten::tan.number", number, "Tan"},
        {"aten::tanh.number", number, "Tanh"},
        {"aten::Int.number", number, "Cast"},
        {"aten::Float.number", number, "Cast"},
        {"aten::Bool.number", number, "Cast"},
        {"aten::eq.int_list", equalLists, "Equal"},
        {"aten::_shape_as_tensor", sizes, "Shape"},
        {"aten::size", sizes, "Shape"},
        {"aten::dim", rankNumber, ""},
        {"aten::is_floating_point", isFloatingPoint, ""},
        {"prim::dtype", elementTypeNumber, ""},
    };
    return rows;
}

} // namespace crosswalk::pytorch
