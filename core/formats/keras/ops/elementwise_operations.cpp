// Operations of Keras 3 and functions of TensorFlow in a functional model that work element by element.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/elementwise/division.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/elementwise/gelu.h"
#include "core/convert/forms/elementwise/integer_arithmetic.h"
#include "core/convert/forms/elementwise/signs.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/selection.h"
#include "core/formats/keras/ops/activations.h"
#include "core/formats/keras/ops/call_arguments.h"
#include "core/formats/keras/ops/keras_families.h"

#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace crosswalk::keras {
namespace {

template <arithmetic::Binary operation>
OnnxValues binary(const Layer& layer)
{
    const Operands pair = operandsOf(layer);
    return {operation(layer.ctx, pair.a, pair.b)};
}

/// Division of integers is one of real numbers: in float64 for TensorFlow, in float32 for Keras 3.
OnnxValues trueDivide(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Operands pair = layer.major() < 3 ? operandsOf(layer) : floatingOperandsOf(layer);
    const ElementType type = ctx.element(pair.a);
    const bool isWide = type == ElementType::Int32 || type == ElementType::Int64;
    const ElementType result = isFloating(type) ? type : isWide ? ElementType::Float64 : ElementType::Float32;
    const auto real = [&](OnnxValue x) { return emit::cast(ctx, x, result); };
    return {ctx.emit("Div", {real(pair.a), real(pair.b)})};
}

OnnxValues divideNoNan(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Operands pair = operandsOf(layer);
    const OnnxValue zero = emit::scalarLike(ctx, pair.b, 0);
    const OnnxValue isZero = ctx.emit("Equal", {pair.b, zero});
    const OnnxValue safe = ctx.emit("Where", {isZero, emit::scalarLike(ctx, pair.b, 1), pair.b});
    return {ctx.emit("Where", {isZero, zero, ctx.emit("Div", {pair.a, safe})})};
}

/// Rounded down, for negative numbers too.
OnnxValues floorDivide(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Operands pair = operandsOf(layer);
    if (isFloating(ctx.element(pair.a))) {
        return {elementary::floor(ctx, ctx.emit("Div", {pair.a, pair.b}))};
    }
    return {arithmetic::floorQuotient(ctx, pair.a, pair.b)};
}

OnnxValues power(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Operands pair = operandsOf(layer);
    if (isFloating(ctx.element(pair.a))) {
        return {ctx.emit("Pow", {pair.a, pair.b})};
    }
    const Arguments arguments(layer);
    const Arguments::Names exponent{"1", "x2", "y"};
    if (arguments.has(exponent) && !arguments.isTensor(exponent) && arguments.number(exponent, 0) < 0) {
        layer.refuse("a negative power of integers", "x2");
    }
    return {arithmetic::integerPower(ctx, pair.a, pair.b)};
}

OnnxValues squaredDifference(const Layer& layer)
{
    const Operands pair = operandsOf(layer);
    const OnnxValue difference = arithmetic::subtract(layer.ctx, pair.a, pair.b);
    return {arithmetic::multiply(layer.ctx, difference, difference)};
}

/// The angle of (x, y), by the quadrant.
OnnxValues arctan2(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Operands pair = floatingOperandsOf(layer, {"0", "x1", "y"}, {"1", "x2", "x"});
    const OnnxValue y = pair.a;
    const OnnxValue x = pair.b;
    const auto number = [&](double value) { return emit::scalarLike(ctx, x, value); };
    const OnnxValue isZero = ctx.emit("Equal", {x, number(0)});
    const OnnxValue safe = ctx.emit("Where", {isZero, number(1), x});
    const OnnxValue angle = elementary::arctan(ctx, ctx.emit("Div", {y, safe}));
    const OnnxValue isBelow = ctx.emit("Less", {y, number(0)});
    const OnnxValue half = ctx.emit("Where", {isBelow, number(-std::numbers::pi), number(std::numbers::pi)});
    const OnnxValue left = ctx.emit("Where", {ctx.emit("Less", {x, number(0)}), half, number(0)});
    const OnnxValue vertical =
        ctx.emit("Where", {ctx.emit("Equal", {y, number(0)}), number(0), ctx.emit("Mul", {half, number(0.5)})});
    return {ctx.emit("Where", {isZero, vertical, ctx.emit("Add", {angle, left})})};
}

template <elementary::Unary function>
OnnxValues unary(const Layer& layer)
{
    return {function(layer.ctx, floatingOperand(layer))};
}

/// An operator of ONNX that takes integers too.
template <const char* op>
OnnxValues plain(const Layer& layer)
{
    const OnnxValue x = operand(layer);
    return {
        computedAs(layer.ctx, widened(layer.ctx.element(x)), x, [&](OnnxValue v) { return layer.ctx.emit(op, {v}); })};
}
constexpr char negOp[] = "Neg";
constexpr char absOp[] = "Abs";

OnnxValues sign(const Layer& layer)
{
    return {arithmetic::sign(layer.ctx, operand(layer))};
}

OnnxValues square(const Layer& layer)
{
    const OnnxValue x = operand(layer);
    return {arithmetic::multiply(layer.ctx, x, x)};
}

/// With decimals, NumPy rounds the product with their power of ten; that of negative ones divides.
OnnxValues roundToEven(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const std::int64_t decimals = Arguments(layer).integer({"decimals", "1"}, 0);
    const OnnxValue x = operand(layer);
    if (decimals == 0) {
        return {isFloating(ctx.element(x)) ? ctx.emit("Round", {x}) : x};
    }
    if (!isFloating(ctx.element(x))) {
        layer.refuse("integers rounded to decimals", "decimals");
    }
    const OnnxValue scale = emit::scalarLike(ctx, x, std::pow(10.0, static_cast<double>(std::abs(decimals))));
    const bool isFraction = decimals > 0;
    const OnnxValue rounded = ctx.emit("Round", {ctx.emit(isFraction ? "Mul" : "Div", {x, scale})});
    return {ctx.emit(isFraction ? "Div" : "Mul", {rounded, scale})};
}

/// Integers stay as they are.
OnnxValues truncate(const Layer& layer)
{
    const OnnxValue x = operand(layer);
    return {isFloating(layer.ctx.element(x)) ? elementary::truncate(layer.ctx, x) : x};
}

OnnxValues identity(const Layer& layer)
{
    return {operand(layer)};
}

OnnxValues logicalNot(const Layer& layer)
{
    return {layer.ctx.emit("Not", {emit::cast(layer.ctx, operand(layer), ElementType::Bool)})};
}

template <const char* op>
OnnxValues test(const Layer& layer)
{
    return {layer.ctx.emit(op, {floatingOperand(layer)})};
}
constexpr char isNanOp[] = "IsNaN";
constexpr char isInfOp[] = "IsInf";

OnnxValues isFinite(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = floatingOperand(layer);
    return {ctx.emit("Not", {ctx.emit("Or", {ctx.emit("IsNaN", {x}), ctx.emit("IsInf", {x})})})};
}

OnnxValues clip(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    OnnxValue x = operand(layer);
    const Arguments::Names low{"1", "x_min", "clip_value_min", "min_value"};
    const Arguments::Names high{"2", "x_max", "clip_value_max", "max_value"};
    const auto isWhole = [&](Arguments::Names names) { return !arguments.has(names) || arguments.isWhole(names); };
    if (!isFloating(ctx.element(x)) && !(isWhole(low) && isWhole(high))) {
        if (layer.major() < 3 || arguments.isTensor(low) || arguments.isTensor(high)) {
            layer.refuse("integers clipped to bounds that are not", "x_min");
        }
        x = emit::cast(ctx, x, ElementType::Float32);
    }
    if (ctx.element(x) == ElementType::Bool) {
        x = emit::cast(ctx, x, ElementType::Int32);
    }
    const auto bound = [&](Arguments::Names names) {
        return emit::cast(ctx, arguments.tensor(names, ctx.element(x)), ctx.element(x));
    };
    x = arguments.has(low) ? arithmetic::maximum(ctx, x, bound(low)) : x;
    return {arguments.has(high) ? arithmetic::minimum(ctx, x, bound(high)) : x};
}

OnnxValues where(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    Operands pair;
    const Arguments::Names first{"1", "x1", "x"};
    const Arguments::Names second{"2", "x2", "y"};
    const auto hasType = [&](Arguments::Names names) {
        return arguments.isTensor(names) || arguments.arrayType(names);
    };
    if (hasType(first) || hasType(second)) {
        pair = operandsOf(layer, first, second);
    } else { // of two numbers
        const bool isWhole = arguments.isWhole(first) && arguments.isWhole(second);
        const ElementType type = isWhole ? ElementType::Int32 : ElementType::Float32;
        pair = {arguments.tensor(first, type), arguments.tensor(second, type)};
    }
    const OnnxValue condition = emit::cast(ctx, arguments.tensor({"0", "condition"}), ElementType::Bool);
    return {choose(ctx, condition, pair.a, pair.b)};
}

ElementType typeArgument(const Layer& layer, ElementType otherwise)
{
    return Arguments(layer).type({"dtype", "1"}).value_or(otherwise);
}

OnnxValues cast(const Layer& layer)
{
    const OnnxValue x = operand(layer);
    if (!layer.settings.isText("dtype") && !layer.settings.isText("call.dtype") && !layer.settings.isText("call.1")) {
        layer.ctx.invalid("it has no dtype", "dtype");
    }
    return {emit::cast(layer.ctx, x, typeArgument(layer, ElementType::Float32))};
}

OnnxValues zerosLike(const Layer& layer)
{
    const OnnxValue x = operand(layer);
    return {filledLike(layer.ctx, x, typeArgument(layer, layer.ctx.element(x)), 0)};
}

OnnxValues onesLike(const Layer& layer)
{
    const OnnxValue x = operand(layer);
    return {filledLike(layer.ctx, x, typeArgument(layer, layer.ctx.element(x)), 1)};
}

/// An activation of Keras, under the name that the operation has.
OnnxValues namedActivation(const Layer& layer)
{
    static const std::map<std::string_view, std::string_view> names{
        {"ops.HardSigmoid", "hard_sigmoid"},
        {"ops.HardSilu", "hard_silu"},
        {"ops.HardTanh", "hard_tanh"},
        {"ops.LogSigmoid", "log_sigmoid"},
        {"ops.Relu", "relu"},
        {"ops.Relu6", "relu6"},
        {"ops.Selu", "selu"},
        {"ops.Silu", "silu"},
        {"ops.Softplus", "softplus"},
        {"ops.Softsign", "softsign"},
        {"ops.SparsePlus", "sparse_plus"},
        {"ops.SparseSigmoid", "sparse_sigmoid"},
        {"ops.TanhShrink", "tanh_shrink"},
        {"tf.math.log_sigmoid", "log_sigmoid"},
        {"tf.math.softplus", "softplus"},
        {"tf.nn.relu", "relu"},
        {"tf.nn.relu6", "relu6"},
        {"tf.nn.selu", "selu"},
        {"tf.nn.silu", "silu"},
        {"tf.nn.softplus", "softplus"},
        {"tf.nn.softsign", "softsign"},
        {"tf.nn.swish", "silu"},
    };
    const bool isRelu = layer.op() == "ops.Relu" || layer.op() == "tf.nn.relu";
    const OnnxValue x = isRelu ? operand(layer) : floatingOperand(layer);
    return {findActivation(names.at(layer.op()), 3)(layer.ctx, x)};
}

OnnxValues celuOperation(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = floatingOperand(layer);
    const double alpha = Arguments(layer).number({"alpha"}, 1);
    if (alpha == 1) {
        return {eluOf(ctx, x, 1)};
    }
    const OnnxValue scale = emit::scalarLike(ctx, x, alpha);
    const OnnxValue below = ctx.emit("Mul", {elementary::expMinusOne(ctx, ctx.emit("Div", {x, scale})), scale});
    return {ctx.emit("Where", {ctx.emit("Greater", {x, emit::scalarLike(ctx, x, 0)}), x, below})};
}

OnnxValues gluOperation(const Layer& layer)
{
    const OnnxValue x = floatingOperand(layer);
    return {gluOf(layer.ctx, x, layer.ctx.axis(Arguments(layer).integer({"axis", "1"}, -1), layer.ctx.rank(x)))};
}

OnnxValues sparsemaxOperation(const Layer& layer)
{
    const OnnxValue x = floatingOperand(layer);
    return {sparsemaxOf(layer.ctx, x, layer.ctx.axis(Arguments(layer).integer({"axis", "1"}, -1), layer.ctx.rank(x)))};
}

OnnxValues hardShrinkOperation(const Layer& layer)
{
    return {hardShrinkOf(layer.ctx, floatingOperand(layer), Arguments(layer).number({"threshold"}, 0.5))};
}

OnnxValues softShrinkOperation(const Layer& layer)
{
    return {softShrinkOf(layer.ctx, floatingOperand(layer), Arguments(layer).number({"threshold"}, 0.5))};
}

OnnxValues squarePlusOperation(const Layer& layer)
{
    return {squarePlusOf(layer.ctx, floatingOperand(layer), Arguments(layer).number({"b"}, 4))};
}

/// x above the threshold, a value elsewhere.
OnnxValues threshold(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    const OnnxValue x = floatingOperand(layer);
    const auto number = [&](Arguments::Names names) { return emit::scalarLike(ctx, x, arguments.number(names, 0)); };
    const OnnxValue isAbove = ctx.emit("Greater", {x, number({"threshold", "1"})});
    return {ctx.emit("Where", {isAbove, x, number({"default_value", "2"})})};
}

OnnxValues leakyReluOperation(const Layer& layer)
{
    const double otherwise = layer.op().starts_with("ops.") ? 0.01 : 0.2;
    const double slope = Arguments(layer).number({"negative_slope", "alpha", "1"}, otherwise);
    return {leakyRelu(layer.ctx, floatingOperand(layer), slope)};
}

OnnxValues eluOperation(const Layer& layer)
{
    return {eluOf(layer.ctx, floatingOperand(layer), Arguments(layer).number({"alpha"}, 1))};
}

OnnxValues geluOperation(const Layer& layer)
{
    const bool isApproximate = Arguments(layer).boolean({"approximate", "1"}, layer.op().starts_with("ops."));
    return {forms::gelu(layer.ctx, floatingOperand(layer), isApproximate)};
}

/// Over one axis, over several together, or over all elements if the axis is null.
OnnxValues softmaxes(const Layer& layer, bool logarithm)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = floatingOperand(layer);
    const bool isNull = layer.op().starts_with("ops.") && layer.ctx.node.attribute("axis") != nullptr &&
                        !Arguments(layer).has({"axis", "1"});
    Ints axes = isNull ? axesOrAll(layer, x, {"axis"}) : Ints{-1};
    if (Arguments(layer).has({"axis", "1"})) {
        axes = axesOrAll(layer, x, {"axis", "1"});
    }
    if (axes.size() == 1) {
        return {emit::softmax(ctx, x, ctx.axis(axes.front(), ctx.rank(x)), logarithm)};
    }
    if (!logarithm) {
        return {softmaxOver(ctx, x, axes)};
    }
    const OnnxValue moved = ctx.emit("Sub", {x, emit::reduce(ctx, "ReduceMax", x, axes, true)});
    const OnnxValue sum = emit::reduce(ctx, "ReduceSum", elementary::exp(ctx, moved), axes, true);
    return {ctx.emit("Sub", {moved, elementary::log(ctx, sum)})};
}

OnnxValues softmaxOperation(const Layer& layer)
{
    return softmaxes(layer, false);
}

OnnxValues logSoftmaxOperation(const Layer& layer)
{
    return softmaxes(layer, true);
}

} // namespace

std::span<const OpRow> elementwiseOperations()
{
    using namespace arithmetic;
    namespace el = elementary;
    static constexpr OpRow rows[] = {
        {"ops.Abs", plain<absOp>, "Abs"},
        {"ops.Absolute", plain<absOp>, "Abs"},
        {"ops.Add", binary<add>, "Add"},
        {"ops.Arccos", unary<el::arccos>, "Acos"},
        {"ops.Arccosh", unary<el::arccosh>, "Acosh"},
        {"ops.Arcsin", unary<el::arcsin>, "Asin"},
        {"ops.Arcsinh", unary<el::arcsinh>, "Asinh"},
        {"ops.Arctan", unary<el::arctan>, "Atan"},
        {"ops.Arctan2", arctan2, "Atan, Where"},
        {"ops.Arctanh", unary<el::arctanh>, "Atanh"},
        {"ops.Cast", cast, "Cast"},
        {"ops.Ceil", unary<el::ceil>, "Ceil"},
        {"ops.Celu", celuOperation, "Elu"},
        {"ops.Clip", clip, "Max, Min"},
        {"ops.Cos", unary<el::cos>, "Cos"},
        {"ops.Cosh", unary<el::cosh>, "Cosh"},
        {"ops.Divide", trueDivide, "Div"},
        {"ops.DivideNoNan", divideNoNan, "Div, Where"},
        {"ops.Elu", eluOperation, "Elu"},
        {"ops.Equal", binary<equal>, "Equal"},
        {"ops.Erf", unary<el::erf>, "Erf"},
        {"ops.Exp", unary<el::exp>, "Exp"},
        {"ops.Expm1", unary<el::expMinusOne>, "Exp"},
        {"ops.Floor", unary<el::floor>, "Floor"},
        {"ops.FloorDivide", floorDivide, "Div, Floor"},
        {"ops.Gelu", geluOperation, "Gelu or Erf"},
        {"ops.Glu", gluOperation, "Split, Sigmoid, Mul"},
        {"ops.Greater", binary<greater>, "Greater"},
        {"ops.GreaterEqual", binary<greaterOrEqual>, "GreaterOrEqual"},
        {"ops.HardShrink", hardShrinkOperation, "Where"},
        {"ops.HardSigmoid", namedActivation, "Clip"},
        {"ops.HardSilu", namedActivation, "Clip, Mul"},
        {"ops.HardTanh", namedActivation, "Clip"},
        {"ops.Identity", identity, ""},
        {"ops.Isfinite", isFinite, "IsNaN, IsInf"},
        {"ops.Isinf", test<isInfOp>, "IsInf"},
        {"ops.Isnan", test<isNanOp>, "IsNaN"},
        {"ops.LeakyRelu", leakyReluOperation, "LeakyRelu"},
        {"ops.Less", binary<less>, "Less"},
        {"ops.LessEqual", binary<lessOrEqual>, "LessOrEqual"},
        {"ops.Log", unary<el::log>, "Log"},
        {"ops.Log10", unary<el::log10>, "Log"},
        {"ops.Log1p", unary<el::logOnePlus>, "Log"},
        {"ops.Log2", unary<el::log2>, "Log"},
        {"ops.LogSigmoid", namedActivation, "Softplus"},
        {"ops.LogSoftmax", logSoftmaxOperation, "LogSoftmax"},
        {"ops.LogicalAnd", binary<logicalAnd>, "And"},
        {"ops.LogicalNot", logicalNot, "Not"},
        {"ops.LogicalOr", binary<logicalOr>, "Or"},
        {"ops.LogicalXor", binary<logicalXor>, "Xor"},
        {"ops.Maximum", binary<maximum>, "Max"},
        {"ops.Minimum", binary<minimum>, "Min"},
        {"ops.Mod", binary<modulo>, "Mod"},
        {"ops.Multiply", binary<multiply>, "Mul"},
        {"ops.Negative", plain<negOp>, "Neg"},
        {"ops.NotEqual", binary<notEqual>, "Equal, Not"},
        {"ops.OnesLike", onesLike, "Expand"},
        {"ops.Power", power, "Pow"},
        {"ops.Reciprocal", unary<el::reciprocal>, "Reciprocal"},
        {"ops.Relu", namedActivation, "Relu"},
        {"ops.Relu6", namedActivation, "Clip"},
        {"ops.Round", roundToEven, "Round"},
        {"ops.Rsqrt", unary<el::reciprocalSqrt>, "Sqrt, Reciprocal"},
        {"ops.Selu", namedActivation, "Selu"},
        {"ops.Sigmoid", unary<el::sigmoid>, "Sigmoid"},
        {"ops.Sign", sign, "Sign"},
        {"ops.Silu", namedActivation, "Sigmoid, Mul"},
        {"ops.Sin", unary<el::sin>, "Sin"},
        {"ops.Sinh", unary<el::sinh>, "Sinh"},
        {"ops.SoftShrink", softShrinkOperation, "Clip, Sub"},
        {"ops.Softmax", softmaxOperation, "Softmax"},
        {"ops.Softplus", namedActivation, "Softplus"},
        {"ops.Softsign", namedActivation, "Softsign"},
        {"ops.SparsePlus", namedActivation, "Where"},
        {"ops.SparseSigmoid", namedActivation, "Clip"},
        {"ops.Sparsemax", sparsemaxOperation, "TopK, CumSum"},
        {"ops.Sqrt", unary<el::sqrt>, "Sqrt"},
        {"ops.Square", square, "Mul"},
        {"ops.Squareplus", squarePlusOperation, "Sqrt"},
        {"ops.StopGradient", identity, ""},
        {"ops.Subtract", binary<subtract>, "Sub"},
        {"ops.Tan", unary<el::tan>, "Tan"},
        {"ops.Tanh", unary<el::tanh>, "Tanh"},
        {"ops.TanhShrink", namedActivation, "Tanh, Sub"},
        {"ops.Threshold", threshold, "Where"},
        {"ops.TrueDivide", trueDivide, "Div"},
        {"ops.Trunc", truncate, "Floor, Ceil"},
        {"ops.Where", where, "Where"},
        {"ops.ZerosLike", zerosLike, "Expand"},
        {"tf.__operators__.add", binary<add>, "Add"},
        {"tf.cast", cast, "Cast"},
        {"tf.clip_by_value", clip, "Max, Min"},
        {"tf.divide", trueDivide, "Div"},
        {"tf.floor_div", floorDivide, "Div, Floor"},
        {"tf.identity", identity, ""},
        {"tf.math.abs", plain<absOp>, "Abs"},
        {"tf.math.acos", unary<el::arccos>, "Acos"},
        {"tf.math.acosh", unary<el::arccosh>, "Acosh"},
        {"tf.math.add", binary<add>, "Add"},
        {"tf.math.asin", unary<el::arcsin>, "Asin"},
        {"tf.math.asinh", unary<el::arcsinh>, "Asinh"},
        {"tf.math.atan", unary<el::arctan>, "Atan"},
        {"tf.math.atan2", arctan2, "Atan, Where"},
        {"tf.math.atanh", unary<el::arctanh>, "Atanh"},
        {"tf.math.ceil", unary<el::ceil>, "Ceil"},
        {"tf.math.cos", unary<el::cos>, "Cos"},
        {"tf.math.cosh", unary<el::cosh>, "Cosh"},
        {"tf.math.divide", trueDivide, "Div"},
        {"tf.math.divide_no_nan", divideNoNan, "Div, Where"},
        {"tf.math.equal", binary<equal>, "Equal"},
        {"tf.math.erf", unary<el::erf>, "Erf"},
        {"tf.math.exp", unary<el::exp>, "Exp"},
        {"tf.math.expm1", unary<el::expMinusOne>, "Exp"},
        {"tf.math.floor", unary<el::floor>, "Floor"},
        {"tf.math.floordiv", floorDivide, "Div, Floor"},
        {"tf.math.floormod", binary<modulo>, "Mod"},
        {"tf.math.greater", binary<greater>, "Greater"},
        {"tf.math.greater_equal", binary<greaterOrEqual>, "GreaterOrEqual"},
        {"tf.math.is_finite", isFinite, "IsNaN, IsInf"},
        {"tf.math.is_inf", test<isInfOp>, "IsInf"},
        {"tf.math.is_nan", test<isNanOp>, "IsNaN"},
        {"tf.math.less", binary<less>, "Less"},
        {"tf.math.less_equal", binary<lessOrEqual>, "LessOrEqual"},
        {"tf.math.log", unary<el::log>, "Log"},
        {"tf.math.log1p", unary<el::logOnePlus>, "Log"},
        {"tf.math.log_sigmoid", namedActivation, "Softplus"},
        {"tf.math.logical_and", binary<logicalAnd>, "And"},
        {"tf.math.logical_not", logicalNot, "Not"},
        {"tf.math.logical_or", binary<logicalOr>, "Or"},
        {"tf.math.logical_xor", binary<logicalXor>, "Xor"},
        {"tf.math.maximum", binary<maximum>, "Max"},
        {"tf.math.minimum", binary<minimum>, "Min"},
        {"tf.math.multiply", binary<multiply>, "Mul"},
        {"tf.math.negative", plain<negOp>, "Neg"},
        {"tf.math.not_equal", binary<notEqual>, "Equal, Not"},
        {"tf.math.pow", power, "Pow"},
        {"tf.math.reciprocal", unary<el::reciprocal>, "Reciprocal"},
        {"tf.math.round", roundToEven, "Round"},
        {"tf.math.rsqrt", unary<el::reciprocalSqrt>, "Sqrt, Reciprocal"},
        {"tf.math.sigmoid", unary<el::sigmoid>, "Sigmoid"},
        {"tf.math.sign", sign, "Sign"},
        {"tf.math.sin", unary<el::sin>, "Sin"},
        {"tf.math.sinh", unary<el::sinh>, "Sinh"},
        {"tf.math.softplus", namedActivation, "Softplus"},
        {"tf.math.sqrt", unary<el::sqrt>, "Sqrt"},
        {"tf.math.square", square, "Mul"},
        {"tf.math.squared_difference", squaredDifference, "Sub, Mul"},
        {"tf.math.subtract", binary<subtract>, "Sub"},
        {"tf.math.tan", unary<el::tan>, "Tan"},
        {"tf.math.tanh", unary<el::tanh>, "Tanh"},
        {"tf.math.truediv", trueDivide, "Div"},
        {"tf.nn.elu", eluOperation, "Elu"},
        {"tf.nn.gelu", geluOperation, "Gelu or Erf"},
        {"tf.nn.leaky_relu", leakyReluOperation, "LeakyRelu"},
        {"tf.nn.log_softmax", logSoftmaxOperation, "LogSoftmax"},
        {"tf.nn.relu", namedActivation, "Relu"},
        {"tf.nn.relu6", namedActivation, "Clip"},
        {"tf.nn.selu", namedActivation, "Selu"},
        {"tf.nn.sigmoid", unary<el::sigmoid>, "Sigmoid"},
        {"tf.nn.silu", namedActivation, "Sigmoid, Mul"},
        {"tf.nn.softmax", softmaxOperation, "Softmax"},
        {"tf.nn.softplus", namedActivation, "Softplus"},
        {"tf.nn.softsign", namedActivation, "Softsign"},
        {"tf.nn.swish", namedActivation, "Sigmoid, Mul"},
        {"tf.nn.tanh", unary<el::tanh>, "Tanh"},
        {"tf.ones_like", onesLike, "Expand"},
        {"tf.stop_gradient", identity, ""},
        {"tf.where", where, "Where"},
        {"tf.zeros_like", zerosLike, "Expand"},
    };
    return rows;
}

} // namespace crosswalk::keras
