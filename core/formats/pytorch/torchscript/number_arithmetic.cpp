#include "core/formats/pytorch/torchscript/number_arithmetic.h"

#include "core/base/whole_number.h"
#include "core/formats/pytorch/torchscript/interpreter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <numbers>
#include <numeric>

namespace crosswalk::pytorch {
namespace {

using Result = NumberOperator::Result;

constexpr auto operators = std::to_array<NumberOperator>({
    {"aten::add", 2, Result::Common},      {"aten::sub", 2, Result::Common},
    {"aten::mul", 2, Result::Common},      {"aten::div", 2, Result::Float},
    {"aten::floordiv", 2, Result::Common}, {"aten::remainder", 2, Result::Common},
    {"aten::pow", 2, Result::Float},       {"aten::neg", 1, Result::Common},
    {"aten::eq", 2, Result::Bool},         {"aten::ne", 2, Result::Bool},
    {"aten::lt", 2, Result::Bool},         {"aten::le", 2, Result::Bool},
    {"aten::gt", 2, Result::Bool},         {"aten::ge", 2, Result::Bool},
    {"aten::__and__", 2, Result::Common},  {"aten::__or__", 2, Result::Common},
    {"aten::__xor__", 2, Result::Common},  {"aten::__not__", 1, Result::Bool},
    {"aten::floor", 1, Result::Int},       {"aten::ceil", 1, Result::Int},
    {"aten::sqrt", 1, Result::Float},      {"aten::log", 1, Result::Float},
    {"aten::exp", 1, Result::Float},       {"aten::abs", 1, Result::Common},
    {"prim::abs", 1, Result::Common},      {"prim::max", 2, Result::Common},
    {"prim::min", 2, Result::Common},      {"aten::round", 1, Result::Float},
    {"aten::Int", 1, Result::Int},         {"aten::Float", 1, Result::Float},
    {"aten::Bool", 1, Result::Bool},       {"aten::__lshift__", 2, Result::Int},
    {"aten::__rshift__", 2, Result::Int},  {"aten::isnan", 1, Result::Bool},
    {"aten::isinf", 1, Result::Bool},      {"aten::isfinite", 1, Result::Bool},
    {"aten::acos", 1, Result::Float},      {"aten::acosh", 1, Result::Float},
    {"aten::asin", 1, Result::Float},      {"aten::asinh", 1, Result::Float},
    {"aten::atan", 1, Result::Float},      {"aten::atan2", 2, Result::Float},
    {"aten::atanh", 1, Result::Float},     {"aten::copysign", 2, Result::Float},
    {"aten::cos", 1, Result::Float},       {"aten::cosh", 1, Result::Float},
    {"aten::degrees", 1, Result::Float},   {"aten::erf", 1, Result::Float},
    {"aten::erfc", 1, Result::Float},      {"aten::expm1", 1, Result::Float},
    {"aten::fabs", 1, Result::Float},      {"aten::fmod", 2, Result::Float},
    {"aten::gamma", 1, Result::Float},     {"aten::gcd", 2, Result::Common},
    {"aten::ldexp", 2, Result::Float},     {"aten::lgamma", 1, Result::Float},
    {"aten::log10", 1, Result::Float},     {"aten::log1p", 1, Result::Float},
    {"aten::radians", 1, Result::Float},   {"aten::sin", 1, Result::Float},
    {"aten::sinh", 1, Result::Float},      {"aten::tan", 1, Result::Float},
    {"aten::tanh", 1, Result::Float},      {"aten::mathremainder", 2, Result::Float},
});

using RealFunction = double (*)(double a, double b);

/// The functions of Python's module math.
RealFunction realFunction(std::string_view op)
{
    static const std::map<std::string_view, RealFunction> functions{
        {"aten::acos", [](double a, double) { return std::acos(a); }},
        {"aten::acosh", [](double a, double) { return std::acosh(a); }},
        {"aten::asin", [](double a, double) { return std::asin(a); }},
        {"aten::asinh", [](double a, double) { return std::asinh(a); }},
        {"aten::atan", [](double a, double) { return std::atan(a); }},
        {"aten::atan2", [](double a, double b) { return std::atan2(a, b); }},
        {"aten::atanh", [](double a, double) { return std::atanh(a); }},
        {"aten::copysign", [](double a, double b) { return std::copysign(a, b); }},
        {"aten::cos", [](double a, double) { return std::cos(a); }},
        {"aten::cosh", [](double a, double) { return std::cosh(a); }},
        {"aten::degrees", [](double a, double) { return a * 180 / std::numbers::pi; }},
        {"aten::erf", [](double a, double) { return std::erf(a); }},
        {"aten::erfc", [](double a, double) { return std::erfc(a); }},
        {"aten::expm1", [](double a, double) { return std::expm1(a); }},
        {"aten::fabs", [](double a, double) { return std::fabs(a); }},
        {"aten::fmod", [](double a, double b) { return std::fmod(a, b); }},
        {"aten::gamma", [](double a, double) { return std::tgamma(a); }},
        {"aten::ldexp", [](double a, double b) { return a * std::exp2(b); }},
        {"aten::lgamma", [](double a, double) { return std::lgamma(a); }},
        {"aten::log10", [](double a, double) { return std::log10(a); }},
        {"aten::log1p", [](double a, double) { return std::log1p(a); }},
        {"aten::mathremainder", [](double a, double b) { return std::remainder(a, b); }},
        {"aten::radians", [](double a, double) { return a * std::numbers::pi / 180; }},
        {"aten::sin", [](double a, double) { return std::sin(a); }},
        {"aten::sinh", [](double a, double) { return std::sinh(a); }},
        {"aten::tan", [](double a, double) { return std::tan(a); }},
        {"aten::tanh", [](double a, double) { return std::tanh(a); }},
    };
    const auto found = functions.find(op);
    return found != functions.end() ? found->second : nullptr;
}

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
    if (op == "aten::gcd") {
        const std::uint64_t divisor = std::gcd(a < 0 ? 0 - ua : ua, b < 0 ? 0 - ub : ub);
        return wrap(divisor);
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
    if (const RealFunction function = realFunction(op)) {
        return function(a, b);
    }
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
        if (op == "aten::isnan" || op == "aten::isinf" || op == "aten::isfinite") {
            const double real = realOf(a);
            return op == "aten::isnan"   ? std::isnan(real)
                   : op == "aten::isinf" ? std::isinf(real)
                                         : std::isfinite(real);
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
