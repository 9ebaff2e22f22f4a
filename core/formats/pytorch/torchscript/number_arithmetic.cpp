#include "core/formats/pytorch/torchscript/number_arithmetic.h"

#include "core/base/whole_number.h"
#include "core/formats/pytorch/torchscript/interpreter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace crosswalk::pytorch {
namespace {

using Result = NumberOperator::Result;

constexpr auto operators = std::to_array<NumberOperator>({
    {"aten::add", 2, Result::Common},    {"aten::sub", 2, Result::Common},      {"aten::mul", 2, Result::Common},
    {"aten::div", 2, Result::Float},     {"aten::floordiv", 2, Result::Common}, {"aten::remainder", 2, Result::Common},
    {"aten::pow", 2, Result::Float},     {"aten::neg", 1, Result::Common},      {"aten::eq", 2, Result::Bool},
    {"aten::ne", 2, Result::Bool},       {"aten::lt", 2, Result::Bool},         {"aten::le", 2, Result::Bool},
    {"aten::gt", 2, Result::Bool},       {"aten::ge", 2, Result::Bool},         {"aten::__and__", 2, Result::Common},
    {"aten::__or__", 2, Result::Common}, {"aten::__xor__", 2, Result::Common},  {"aten::__not__", 1, Result::Bool},
    {"aten::floor", 1, Result::Int},     {"aten::ceil", 1, Result::Int},        {"aten::sqrt", 1, Result::Float},
    {"aten::log", 1, Result::Float},     {"aten::exp", 1, Result::Float},       {"aten::abs", 1, Result::Common},
    {"prim::abs", 1, Result::Common},    {"prim::max", 2, Result::Common},      {"prim::min", 2, Result::Common},
    {"aten::round", 1, Result::Float},   {"aten::Int", 1, Result::Int},         {"aten::Float", 1, Result::Float},
    {"aten::Bool", 1, Result::Bool},     {"aten::__lshift__", 2, Result::Int},  {"aten::__rshift__", 2, Result::Int},
});

double realOf(const ScriptValue& value)
{
    if (const auto* real = std::get_if<double>(&value)) {
        return *real;
    }
    if (const auto* truth = std::get_if<bool>(&value)) {
        return *truth ? 1 : 0;
    }
    return static_cast<double>(std::get<std::int64_t>(value));
}

std::int64_t integerOf(const ScriptValue& value)
{
    const auto* truth = std::get_if<bool>(&value);
    return truth != nullptr ? (*truth ? 1 : 0) : std::get<std::int64_t>(value);
}

[[noreturn]] void divisionByZero(std::string_view op)
{
    throw UnsupportedScript{fmt::format("{} divides an integer by zero", op)};
}

/// Integer arithmetic wraps around, as it does in PyTorch.
std::int64_t integerResult(std::string_view op, std::int64_t a, std::int64_t b)
{
    const auto wrap = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
    const auto ua = static_cast<std::uint64_t>(a);
    const auto ub = static_cast<std::uint64_t>(b);
    constexpr std::int64_t bits = 64;
    if (op == "aten::add") {
        return wrap(ua + ub);
    }
    if (op == "aten::sub") {
        return wrap(ua - ub);
    }
    if (op == "aten::mul") {
        return wrap(ua * ub);
    }
    if (op == "aten::floordiv" || op == "aten::remainder") {
        if (b == 0) {
            divisionByZero(op);
        }
        if (b == -1) {
            return op == "aten::floordiv" ? wrap(0 - ua) : 0;
        }
        const bool rounds = a % b != 0 && (a % b < 0) != (b < 0);
        return op == "aten::floordiv" ? a / b - (rounds ? 1 : 0) : a % b + (rounds ? b : 0);
    }
    if (op == "aten::neg") {
        return wrap(0 - ua);
    }
    if (op == "aten::abs" || op == "prim::abs") {
        return a < 0 ? wrap(0 - ua) : a;
    }
    if (op == "prim::max") {
        return std::max(a, b);
    }
    if (op == "prim::min") {
        return std::min(a, b);
    }
    if (op == "aten::__and__") {
        return a & b;
    }
    if (op == "aten::__or__") {
        return a | b;
    }
    if (op == "aten::__xor__") {
        return a ^ b;
    }
    if (b < 0 || b >= bits) {
        throw UnsupportedScript{fmt::format("{} shifts by {} bits", op, b)};
    }
    return op == "aten::__lshift__" ? wrap(ua << ub) : a >> b;
}

double realResult(std::string_view op, double a, double b)
{
    if (op == "aten::add") {
        return a + b;
    }
    if (op == "aten::sub") {
        return a - b;
    }
    if (op == "aten::mul") {
        return a * b;
    }
    if (op == "aten::div") {
        return a / b;
    }
    if (op == "aten::floordiv") {
        return std::floor(a / b);
    }
    if (op == "aten::remainder") {
        const double rest = std::fmod(a, b);
        return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
    }
    if (op == "aten::pow") {
        return std::pow(a, b);
    }
    if (op == "aten::neg") {
        return -a;
    }
    if (op == "aten::sqrt") {
        return std::sqrt(a);
    }
    if (op == "aten::log") {
        return std::log(a);
    }
    if (op == "aten::exp") {
        return std::exp(a);
    }
    if (op == "aten::round") {
        return std::nearbyint(a);
    }
    if (op == "prim::max") {
        return std::max(a, b);
    }
    if (op == "prim::min") {
        return std::min(a, b);
    }
    return std::fabs(a);
}

bool compared(std::string_view op, const ScriptValue& a, const ScriptValue& b)
{
    const bool areIntegers = numberKindOf(a) != NumberKind::Float && numberKindOf(b) != NumberKind::Float;
    const auto compare = [&](auto x, auto y) {
        return op == "aten::eq"   ? x == y
               : op == "aten::ne" ? x != y
               : op == "aten::lt" ? x < y
               : op == "aten::le" ? x <= y
               : op == "aten::gt" ? x > y
                                  : x >= y;
    };
    return areIntegers ? compare(integerOf(a), integerOf(b)) : compare(realOf(a), realOf(b));
}

ScriptValue converted(NumberKind kind, const ScriptValue& value)
{
    switch (kind) {
    case NumberKind::Bool:
        return realOf(value) != 0;
    case NumberKind::Float:
        return realOf(value);
    case NumberKind::Int:
        break;
    }
    if (numberKindOf(value) != NumberKind::Float) {
        return integerOf(value);
    }
    const auto whole = wholeNumber(std::trunc(realOf(value)));
    if (!whole) {
        throw UnsupportedScript{fmt::format("{} is not a valid integer", realOf(value))};
    }
    return *whole;
}

} // namespace

const NumberOperator* findNumberOperator(std::string_view op)
{
    const auto* found = std::find_if(operators.begin(), operators.end(), [&](const auto& row) { return row.op == op; });
    return found != operators.end() ? found : nullptr;
}

std::span<const NumberOperator> numberOperators()
{
    return operators;
}

NumberKind commonKind(std::span<const ScriptValue> operands)
{
    NumberKind common = NumberKind::Bool;
    for (const ScriptValue& operand : operands) {
        const NumberKind kind = *numberKindOf(operand);
        if (kind == NumberKind::Float || common == NumberKind::Float) {
            common = NumberKind::Float;
        } else if (kind == NumberKind::Int) {
            common = NumberKind::Int;
        }
    }
    return common;
}

ScriptValue evaluateNumbers(const NumberOperator& row, std::span<const ScriptValue> operands)
{
    const ScriptValue& a = operands[0];
    const ScriptValue& b = operands.back();
    const std::string_view op = row.op;
    const NumberKind common = commonKind(operands);
    if (row.result == Result::Bool) {
        if (op == "aten::__not__" || op == "aten::Bool") {
            return (realOf(a) != 0) == (op == "aten::Bool");
        }
        return compared(op, a, b);
    }
    if (op == "aten::Int" || op == "aten::Float") {
        return converted(op == "aten::Int" ? NumberKind::Int : NumberKind::Float, a);
    }
    if (op == "aten::floor" || op == "aten::ceil") {
        const double rounded = op == "aten::floor" ? std::floor(realOf(a)) : std::ceil(realOf(a));
        return numberKindOf(a) == NumberKind::Float ? converted(NumberKind::Int, rounded) : a;
    }
    if (row.result == Result::Float || common == NumberKind::Float) {
        return realResult(op, realOf(a), realOf(b));
    }
    const std::int64_t result = integerResult(op, integerOf(a), integerOf(b));
    const bool staysBool =
        common == NumberKind::Bool && (op == "aten::__and__" || op == "aten::__or__" || op == "aten::__xor__");
    return staysBool ? ScriptValue(result != 0) : ScriptValue(result);
}

} // namespace crosswalk::pytorch
