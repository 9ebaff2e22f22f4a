// Reductions, products and normalisations of Keras 3 and of TensorFlow's functions.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/elementwise/precision.h"
#include "core/convert/forms/linalg/matrix_product.h"
#include "core/convert/forms/nn/normalization.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/reduce.h"
#include "core/convert/forms/tensor/running_sum.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/keras/ops/accumulation.h"
#include "core/formats/keras/ops/call_arguments.h"
#include "core/formats/keras/ops/keras_families.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace crosswalk::keras {
namespace {

/// What a reduction is over.
struct Reduced {
    OnnxValue x;
    Ints axes;
    bool keepDims;
};

Reduced reducedOf(const Layer& layer)
{
    const Arguments arguments(layer);
    Reduced reduced{.x = operand(layer), .axes = {}, .keepDims = arguments.boolean({"keepdims", "2"}, false)};
    reduced.axes = axesOrAll(layer, reduced.x, {"axis", "1"});
    return reduced;
}

template <const char* op>
OnnxValues reduce(const Layer& layer)
{
    const Reduced reduced = reducedOf(layer);
    return {reducedAlong(layer.ctx, op, reduced.x, reduced.axes, reduced.keepDims)};
}

/// The largest or the smallest element, or a number beyond it.
template <const char* op, arithmetic::Binary extreme>
OnnxValues reduceFrom(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue y = reduce<op>(layer).front();
    if (!Arguments(layer).has({"initial"})) {
        return {y};
    }
    const OnnxValue initial = Arguments(layer).tensor({"initial"}, ElementType::Float64);
    return {extreme(ctx, y, emit::cast(ctx, initial, ctx.element(y)))};
}
constexpr char sumOp[] = "ReduceSum";
constexpr char maxOp[] = "ReduceMax";
constexpr char minOp[] = "ReduceMin";
constexpr char prodOp[] = "ReduceProd";

Reduced floatingReduced(const Layer& layer)
{
    Reduced reduced = reducedOf(layer);
    if (!isFloating(layer.ctx.element(reduced.x))) {
        if (layer.major() < 3) {
            layer.refuse(fmt::format("{} of integers", layer.op()));
        }
        reduced.x = emit::cast(layer.ctx, reduced.x, ElementType::Float32);
    }
    return reduced;
}

OnnxValues mean(const Layer& layer)
{
    const Reduced reduced = floatingReduced(layer);
    return {reducedAlong(layer.ctx, "ReduceMean", reduced.x, reduced.axes, reduced.keepDims)};
}

OnnxValue varianceOf(const Layer& layer, const Reduced& reduced)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue mean = reducedAlong(ctx, "ReduceMean", reduced.x, reduced.axes, true);
    const OnnxValue centered = ctx.emit("Sub", {reduced.x, mean});
    return reducedAlong(ctx, "ReduceMean", ctx.emit("Mul", {centered, centered}), reduced.axes, reduced.keepDims);
}

/// Keras computes the variance of half precision in single, TensorFlow's functions do not.
template <bool isDeviation>
OnnxValues spread(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    Reduced reduced = floatingReduced(layer);
    const ElementType own = ctx.element(reduced.x);
    if (layer.op().starts_with("ops.")) {
        reduced.x = Precision(ctx, reduced.x).widen(reduced.x);
    }
    const OnnxValue variance = emit::cast(ctx, varianceOf(layer, reduced), own);
    return {isDeviation ? elementary::sqrt(ctx, variance) : variance};
}

OnnxValues logSumExp(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Reduced reduced = floatingReduced(layer);
    const OnnxValue largest = reducedAlong(ctx, "ReduceMax", reduced.x, reduced.axes, true);
    const OnnxValue raised = elementary::exp(ctx, ctx.emit("Sub", {reduced.x, largest}));
    const OnnxValue log = elementary::log(ctx, reducedAlong(ctx, "ReduceSum", raised, reduced.axes, true));
    const OnnxValue y = ctx.emit("Add", {log, largest});
    return {reduced.keepDims ? y : emit::squeeze(ctx, y, reduced.axes)};
}

OnnxValues reduceAny(const Layer& layer)
{
    const Reduced reduced = reducedOf(layer);
    return {anyAlong(layer.ctx, reduced.x, reduced.axes, reduced.keepDims)};
}

OnnxValues reduceAll(const Layer& layer)
{
    const Reduced reduced = reducedOf(layer);
    return {allAlong(layer.ctx, reduced.x, reduced.axes, reduced.keepDims)};
}

template <const char* op>
OnnxValues reduceInSumType(const Layer& layer)
{
    const Reduced reduced = reducedOf(layer);
    return {reducedAlong(layer.ctx, op, inSumType(layer, reduced.x), reduced.axes, reduced.keepDims)};
}

/// TensorFlow counts along axis 0 by default and returns int64; Keras 3 returns int32.
OnnxValues argExtreme(const Layer& layer, std::string_view op)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    const bool isTensorflow = layer.op().starts_with("tf.");
    OnnxValue x = operand(layer);
    const std::size_t rank = ctx.rank(x);
    const bool isWhole = !arguments.has({"axis", "1"}) && !isTensorflow;
    if (isWhole) {
        x = emit::reshape(ctx, x, Ints{-1});
    }
    if (isNarrowInteger(ctx.element(x)) || ctx.element(x) == ElementType::UInt32) {
        x = emit::cast(ctx, x, widened(ctx.element(x)));
    }
    const std::int64_t axis = ctx.axis(arguments.integer({"axis", "1"}, 0), ctx.rank(x));
    const bool keepDims = arguments.boolean({"keepdims"}, false);
    OnnxValue place = ctx.emit(op, {x}, {{"axis", axis}, {"keepdims", keepDims}});
    if (isWhole && keepDims) {
        place = emit::reshape(ctx, place, Ints(rank, 1));
    }
    const std::string type = arguments.text({"output_type"}, isTensorflow ? "int64" : "int32");
    return {emit::cast(ctx, place, elementTypeFromName(type).value_or(ElementType::Int64))};
}

OnnxValues argMax(const Layer& layer)
{
    return argExtreme(layer, "ArgMax");
}

OnnxValues argMin(const Layer& layer)
{
    return argExtreme(layer, "ArgMin");
}

OnnxValues cumulativeSum(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    OnnxValue x = inRunningSumType(layer, operand(layer));
    if (layer.op().starts_with("ops.")) {
        x = alongAxis(layer, x, {"axis", "1"}).x;
    }
    const std::int64_t axis = ctx.axis(arguments.integer({"axis", "1"}, 0), ctx.rank(x));
    return {computedAs(ctx, widened(ctx.element(x)), x, [&](OnnxValue wide) {
        return runningSum(ctx, wide, axis, arguments.boolean({"exclusive"}, false),
                          arguments.boolean({"reverse"}, false));
    })};
}

OnnxValues norm(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    const bool isText = layer.settings.isText("call.ord") || layer.settings.isText("ord");
    const std::string name = isText ? arguments.text({"ord"}, "") : std::string();
    if (isText && name != "euclidean" && name != "fro") {
        layer.refuse("a norm other than the euclidean one", "ord");
    }
    const double order = isText || !arguments.has({"ord"}) ? 2 : arguments.number({"ord"}, 2);
    const Reduced reduced = floatingReduced(layer);
    if (reduced.axes.size() != 1 && !isText && arguments.has({"ord"})) {
        layer.refuse("the norm of a matrix", "ord");
    }
    if (order != 2) {
        const OnnxValue sizes = ctx.emit("Abs", {reduced.x});
        if (order == std::numeric_limits<double>::infinity()) {
            return {reducedAlong(ctx, "ReduceMax", sizes, reduced.axes, reduced.keepDims)};
        }
        if (order == 1) {
            return {reducedAlong(ctx, "ReduceSum", sizes, reduced.axes, reduced.keepDims)};
        }
        layer.refuse(fmt::format("a norm of the order {}", order), "ord");
    }
    const OnnxValue squares = ctx.emit("Mul", {reduced.x, reduced.x});
    return {elementary::sqrt(ctx, reducedAlong(ctx, "ReduceSum", squares, reduced.axes, reduced.keepDims))};
}

OnnxValues l2Normalize(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Reduced reduced = floatingReduced(layer);
    const OnnxValue sum = reducedAlong(ctx, "ReduceSum", ctx.emit("Mul", {reduced.x, reduced.x}), reduced.axes, true);
    const double least = Arguments(layer).number({"epsilon", "2"}, 1e-12);
    const OnnxValue bounded = arithmetic::maximum(ctx, sum, emit::scalarLike(ctx, sum, least));
    return {ctx.emit("Div", {reduced.x, elementary::sqrt(ctx, bounded)})};
}

/// Keras 3 adds the products of int8 in int32.
OnnxValue inProductType(const Layer& layer, OnnxValue x)
{
    const bool isWidened = layer.major() >= 3 && layer.ctx.element(x) == ElementType::Int8;
    return isWidened ? emit::cast(layer.ctx, x, ElementType::Int32) : x;
}

OnnxValues matmul(const Layer& layer)
{
    const Arguments arguments(layer);
    for (const char* setting : {"adjoint_a", "adjoint_b", "a_is_sparse", "b_is_sparse"}) {
        if (arguments.boolean({setting}, false)) {
            layer.refuse(fmt::format("a matrix product with {}", setting), setting);
        }
    }
    const Operands pair = operandsOf(layer, {"0", "x1", "a"}, {"1", "x2", "b"});
    return {matrixProduct(layer.ctx, inProductType(layer, pair.a), inProductType(layer, pair.b),
                          arguments.boolean({"transpose_a"}, false), arguments.boolean({"transpose_b"}, false))};
}

OnnxValues einsum(const Layer& layer)
{
    const Arguments arguments(layer);
    const std::string equation = arguments.text({"subscripts", "equation"}, "");
    OnnxValues operands = arguments.positional();
    if (equation.empty() || operands.empty()) {
        layer.refuse("an einsum whose operands are not in the file", "equation");
    }
    operands = inCommonType(layer, operands);
    for (OnnxValue& each : operands) {
        each = inProductType(layer, each);
    }
    // ONNX orders the letters of an omitted output as NumPy does.
    return {layer.ctx.emit("Einsum", operands, {{"equation", equation}})};
}

/// Queries, keys and values (batch, steps, heads, size).
OnnxValues dotProductAttention(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    const auto heads = [&](OnnxValue x) { return emit::transpose(ctx, x, {0, 2, 1, 3}); };
    const OnnxValue query = arguments.tensor({"0", "query"});
    const OnnxValue key = arguments.tensor({"1", "key"});
    const OnnxValue value = arguments.tensor({"2", "value"});
    if (ctx.rank(query) != 4 || ctx.rank(key) != 4 || ctx.rank(value) != 4 || arguments.has({"attn_logits_soft_cap"})) {
        layer.refuse("this form of dot_product_attention");
    }
    const std::int64_t queries = ctx.fixedDim(query, 2);
    const std::int64_t keys = ctx.fixedDim(key, 2);
    if (keys < 1 || queries % keys != 0) {
        ctx.invalid(fmt::format("{} heads of keys for {} of queries", keys, queries));
    }
    const auto keyHeads = [&](OnnxValue x) { // each as often as it has queries
        x = heads(x);
        if (queries == keys) {
            return x;
        }
        const OnnxValue wide =
            emit::expand(ctx, emit::unsqueeze(ctx, x, {2}), ctx.onnx.ints({1, 1, queries / keys, 1, 1}));
        return reshapeTo(ctx, wide,
                         {termOf(ctx, x, {0}), fixedTerm(queries), termOf(ctx, x, {2}), termOf(ctx, x, {3})});
    };
    const double scale = arguments.number({"scale"}, 1 / std::sqrt(static_cast<double>(ctx.fixedDim(query, 3))));
    OnnxValue scores = matrixProduct(ctx, heads(query), keyHeads(key), false, true);
    scores = ctx.emit("Mul", {scores, emit::scalarLike(ctx, scores, scale)});
    if (arguments.has({"bias", "3"})) {
        scores = ctx.emit("Add", {scores, arguments.tensor({"bias", "3"})});
    }
    OnnxValue mask = arguments.has({"mask", "4"}) ? arguments.tensor({"mask", "4"}) : OnnxValue{};
    mask = mask ? emit::cast(ctx, mask, ElementType::Bool) : mask;
    if (arguments.boolean({"is_causal"}, false)) {
        const OnnxValue rows = emit::unsqueeze(ctx, countUp(ctx, query, 1), {1});
        const OnnxValue columns = emit::unsqueeze(ctx, countUp(ctx, key, 1), {0});
        const OnnxValue isBefore = ctx.emit("Not", {ctx.emit("Less", {rows, columns})});
        mask = mask ? ctx.emit("And", {mask, isBefore}) : isBefore;
    }
    if (mask) {
        scores = ctx.emit("Where", {mask, scores, emit::scalarLike(ctx, scores, -2.3819763e38)});
    }
    const OnnxValue y = ctx.emit("MatMul", {emit::softmax(ctx, scores, -1), keyHeads(value)});
    return {emit::transpose(ctx, y, {0, 2, 1, 3})};
}

/// With optional scale and offset, whose dimensions are the last ones of x.
OnnxValues layerNorm(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    Reduced reduced{.x = floatingOperand(layer), .axes = {-1}, .keepDims = true};
    if (arguments.has({"axis"})) {
        reduced.axes = arguments.ints({"axis"});
    }
    for (std::int64_t& axis : reduced.axes) {
        axis = ctx.axis(axis, ctx.rank(reduced.x));
    }
    const auto first = static_cast<std::int64_t>(ctx.rank(reduced.x) - reduced.axes.size());
    Ints sorted = reduced.axes;
    std::ranges::sort(sorted);
    const bool isLast = sorted.empty() || sorted.front() == first;
    const bool isRms = arguments.boolean({"rms_scaling"}, false) || layer.op() == "ops.RMSNorm";
    const double epsilon = arguments.number({"epsilon"}, 1e-7);
    const Precision precision(ctx, reduced.x);
    reduced.x = precision.widen(reduced.x);
    OnnxValue y;
    if (layer.op() == "ops.RMSNorm") {
        const OnnxValue mean =
            reducedAlong(ctx, "ReduceMean", ctx.emit("Mul", {reduced.x, reduced.x}), reduced.axes, true);
        const OnnxValue raised = ctx.emit("Add", {mean, emit::scalarLike(ctx, mean, epsilon)});
        y = ctx.emit("Div", {reduced.x, elementary::sqrt(ctx, raised)});
    } else {
        const Moments moments = momentsOf(ctx, reduced.x, reduced.axes, epsilon);
        y = ctx.emit("Div", {isRms ? reduced.x : moments.centered, moments.deviation});
    }
    const auto withWeight = [&](const char* op, Arguments::Names names) {
        if (arguments.has(names)) {
            if (!isLast) {
                layer.refuse("a normalisation with weights over axes that are not the last ones", "axis");
            }
            y = ctx.emit(op, {y, precision.widen(arguments.tensor(names))});
        }
    };
    withWeight("Mul", {"1", "gamma", "scale"});
    withWeight("Add", {"2", "beta"});
    return {precision.restore(y)};
}
} // namespace

std::span<const OpRow> reductionOperations()
{
    static constexpr OpRow rows[] = {
        {"ops.All", reduceAll, "ReduceMin"},
        {"ops.Amax", reduce<maxOp>, "ReduceMax"},
        {"ops.Amin", reduce<minOp>, "ReduceMin"},
        {"ops.Any", reduceAny, "ReduceMax"},
        {"ops.Argmax", argMax, "ArgMax"},
        {"ops.Argmin", argMin, "ArgMin"},
        {"ops.Cumsum", cumulativeSum, "CumSum"},
        {"ops.DotProductAttention", dotProductAttention, "MatMul, Softmax"},
        {"ops.Einsum", einsum, "Einsum"},
        {"ops.LayerNorm", layerNorm, "ReduceMean, Div"},
        {"ops.Logsumexp", logSumExp, "Exp, ReduceSum, Log"},
        {"ops.Matmul", matmul, "MatMul"},
        {"ops.Max", reduceFrom<maxOp, arithmetic::maximum>, "ReduceMax"},
        {"ops.Mean", mean, "ReduceMean"},
        {"ops.Min", reduceFrom<minOp, arithmetic::minimum>, "ReduceMin"},
        {"ops.Prod", reduceInSumType<prodOp>, "ReduceProd"},
        {"ops.RMSNorm", layerNorm, "ReduceMean, Div"},
        {"ops.Std", spread<true>, "ReduceMean, Sqrt"},
        {"ops.Sum", reduceInSumType<sumOp>, "ReduceSum"},
        {"ops.Var", spread<false>, "ReduceMean"},
        {"tf.argmax", argMax, "ArgMax"},
        {"tf.argmin", argMin, "ArgMin"},
        {"tf.linalg.matmul", matmul, "MatMul"},
        {"tf.linalg.norm", norm, "ReduceSum, Sqrt"},
        {"tf.math.argmax", argMax, "ArgMax"},
        {"tf.math.argmin", argMin, "ArgMin"},
        {"tf.math.cumsum", cumulativeSum, "CumSum"},
        {"tf.math.l2_normalize", l2Normalize, "ReduceSum, Sqrt, Div"},
        {"tf.math.reduce_all", reduceAll, "ReduceMin"},
        {"tf.math.reduce_any", reduceAny, "ReduceMax"},
        {"tf.math.reduce_logsumexp", logSumExp, "Exp, ReduceSum, Log"},
        {"tf.math.reduce_max", reduce<maxOp>, "ReduceMax"},
        {"tf.math.reduce_mean", mean, "ReduceMean"},
        {"tf.math.reduce_min", reduce<minOp>, "ReduceMin"},
        {"tf.math.reduce_prod", reduce<prodOp>, "ReduceProd"},
        {"tf.math.reduce_std", spread<true>, "ReduceMean, Sqrt"},
        {"tf.math.reduce_sum", reduce<sumOp>, "ReduceSum"},
        {"tf.math.reduce_variance", spread<false>, "ReduceMean"},
        {"tf.norm", norm, "ReduceSum, Sqrt"},
    };
    return rows;
}

} // namespace crosswalk::keras
