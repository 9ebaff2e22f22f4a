// Numbers of Python: integers, floating-point numbers, which are float64, and bools. Operators on constants are
// evaluated; any other becomes a node of the operator with the overload "number".

#include "core/formats/pytorch/torchscript/interpreter.h"
#include "core/formats/pytorch/torchscript/number_arithmetic.h"
#include "core/graph/tensor.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>

namespace crosswalk::pytorch {
namespace {

constexpr std::string_view numberOverload = "number";

bool isConstant(const ScriptValue& value)
{
    return !std::holds_alternative<ComputedNumber>(value);
}

/// log(a, base)
bool hasBase(std::string_view op, const Interpreter::Arguments& operands)
{
    return op == "aten::log" && operands.size() == 2;
}

} // namespace

bool isNumberOperator(std::string_view op, const Interpreter::Arguments& operands)
{
    const NumberOperator* row = findNumberOperator(op);
    return row != nullptr && (operands.size() == row->operands || hasBase(op, operands)) &&
           std::all_of(operands.begin(), operands.end(),
                       [](const ScriptValue& operand) { return numberKindOf(operand).has_value(); });
}

ScriptValue Interpreter::arithmetic(const std::string& op, const Arguments& operands)
{
    const NumberOperator* row = findNumberOperator(op);
    assert(row != nullptr && isNumberOperator(op, operands));
    if (hasBase(op, operands)) {
        return arithmetic("aten::div", {arithmetic(op, {operands[0]}), arithmetic(op, {operands[1]})});
    }
    const NumberKind common = commonKind(operands);
    if (std::all_of(operands.begin(), operands.end(), isConstant)) {
        return evaluateNumbers(*row, operands);
    }
    const bool isLogical = op == "aten::__and__" || op == "aten::__or__" || op == "aten::__xor__";
    const NumberKind kind = row->result == NumberOperator::Result::Bool    ? NumberKind::Bool
                            : row->result == NumberOperator::Result::Float ? NumberKind::Float
                            : row->result == NumberOperator::Result::Int   ? NumberKind::Int
                            : common == NumberKind::Bool && !isLogical     ? NumberKind::Int
                                                                           : common;
    if (isLogical && common == NumberKind::Bool) { // with a constant
        const ScriptValue& constant = isConstant(operands[0]) ? operands[0] : operands[1];
        const ScriptValue& other = isConstant(operands[0]) ? operands[1] : operands[0];
        if (const auto* truth = std::get_if<bool>(&constant); truth != nullptr && op != "aten::__xor__") {
            const bool decides = *truth == (op == "aten::__or__");
            return decides ? constant : other;
        }
    }
    ScriptArguments named;
    named.emplace_back("a", operands[0]);
    if (operands.size() > 1) {
        named.emplace_back("b", operands[1]);
    }
    return ComputedNumber{kind, emit(op, numberOverload, named, 1)[0]};
}

ScriptValue Interpreter::toNumber(NumberKind kind, const ScriptValue& value)
{
    const std::string op = kind == NumberKind::Int     ? "aten::Int"
                           : kind == NumberKind::Float ? "aten::Float"
                                                       : "aten::Bool";
    if (const auto* text = std::get_if<std::string>(&value)) {
        if (*text == "inf" || *text == "-inf") {
            return *text == "inf" ? HUGE_VAL : -HUGE_VAL;
        }
        if (*text == "nan") {
            return std::nan("");
        }
        unsupported(fmt::format("the text {} is converted to a number", *text));
    }
    if (std::holds_alternative<TextLength>(value) && kind == NumberKind::Bool) {
        return toNumber(kind, signOf(value));
    }
    if (numberKindOf(value) == kind) {
        return value;
    }
    if (numberKindOf(value)) {
        return arithmetic(op, {value});
    }
    if (const auto* tensor = std::get_if<TensorRef>(&value)) {
        return ComputedNumber{kind, emit(op, numberOverload, {{"a", *tensor}}, 1)[0]};
    }
    unsupported(fmt::format("a {} is converted to a number", kindName(value)));
}

ScriptValue Interpreter::negated(const ScriptValue& condition)
{
    if (const auto* computed = std::get_if<ComputedNumber>(&condition)) {
        if (const auto operand = graphs.negatedBy(computed->value)) {
            return ComputedNumber{NumberKind::Bool, *operand};
        }
    }
    return arithmetic("aten::__not__", {condition});
}

GraphValue Interpreter::graphValue(const ScriptValue& value)
{
    if (const auto* computed = std::get_if<ComputedNumber>(&value)) {
        return computed->value;
    }
    if (const auto* tensor = std::get_if<TensorRef>(&value)) {
        return read(*tensor);
    }
    const auto stored = [&](Tensor tensor) { return graphs.stored(graphs.unique("constant"), std::move(tensor)); };
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        return stored(Tensor::of<std::int64_t>(ElementType::Int64, {}, std::span(integer, 1)));
    }
    if (const auto kind = numberKindOf(value)) {
        const auto* truth = std::get_if<bool>(&value);
        const double real = truth != nullptr ? (*truth ? 1 : 0) : std::get<double>(value);
        return stored(Tensor::scalar(*kind == NumberKind::Bool ? ElementType::Bool : ElementType::Float64, real));
    }
    return vectorOf(value).value;
}

} // namespace crosswalk::pytorch
