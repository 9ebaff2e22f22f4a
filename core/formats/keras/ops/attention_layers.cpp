// Attention, AdditiveAttention, MultiHeadAttention and GroupedQueryAttention, written out: matrix products and a
// softmax.

#include "core/base/saturating_product.h"
#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/linalg/matrix_product.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/keras/ops/keras_families.h"
#include "core/formats/keras/ops/quantization.h"
#include "core/formats/keras/version.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace crosswalk::keras {
namespace {

OnnxValue asBool(const NodeContext& ctx, OnnxValue mask)
{
    return emit::cast(ctx, mask, ElementType::Bool);
}

/// Both masks, of which either may be absent.
OnnxValue combined(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    return a && b ? ctx.emit("And", {a, b}) : a ? a : b;
}

/// The positions (queries, values) that a query may look at: those up to its own.
OnnxValue causalMask(const NodeContext& ctx, OnnxValue queries, OnnxValue values, std::int64_t axis)
{
    const OnnxValue rows = emit::unsqueeze(ctx, countUp(ctx, queries, axis), {1});
    const OnnxValue columns = emit::unsqueeze(ctx, countUp(ctx, values, axis), {0});
    return ctx.emit("Not", {ctx.emit("Less", {rows, columns})});
}

/// The positions that are fewer than `window` steps away from a query, on either side.
OnnxValue windowMask(const Layer& layer, OnnxValue queries, OnnxValue values)
{
    const NodeContext& ctx = layer.ctx;
    const std::int64_t window = layer.settings.integer("sliding_window");
    if (window < 1) {
        ctx.invalid(fmt::format("a window of {} steps", window), "sliding_window");
    }
    const OnnxValue rows = emit::unsqueeze(ctx, countUp(ctx, queries, 1), {1});
    const OnnxValue columns = emit::unsqueeze(ctx, countUp(ctx, values, 1), {0});
    const OnnxValue distance = ctx.emit("Abs", {ctx.emit("Sub", {rows, columns})});
    return ctx.emit("Less", {distance, ctx.onnx.scalar(ElementType::Int64, static_cast<double>(window))});
}

/// Scores of positions outside the mask replaced, or lowered so far, that the softmax makes them zero. Where all of a
/// query are outside, it is even for replaced ones, and for those of half precision, of which nothing is left; ONNX
/// Runtime would lower these in single precision.
OnnxValue maskedScores(const NodeContext& ctx, OnnxValue scores, OnnxValue mask, bool isReplaced)
{
    if (!mask) {
        return scores;
    }
    const bool isHalf = ctx.element(scores) == ElementType::Float16;
    const double penalty = isHalf ? -65504 : -1e9;
    if (isReplaced || isHalf) {
        return ctx.emit("Where", {mask, scores, emit::scalarLike(ctx, scores, penalty)});
    }
    const OnnxValue added =
        ctx.emit("Where", {mask, emit::scalarLike(ctx, scores, 0), emit::scalarLike(ctx, scores, penalty)});
    return ctx.emit("Add", {scores, added});
}

bool isCausal(const Layer& layer)
{
    const Settings call = layer.settings.below("call");
    return call.boolean("use_causal_mask", false) || layer.settings.boolean("causal", false);
}

bool returnsScores(const Layer& layer)
{
    return layer.settings.below("call").boolean("return_attention_scores", false);
}

/// A sum of tanh(q + k) for each pair of a query and a key, with the weights of the layer.
OnnxValue additiveScores(const Layer& layer, OnnxValue query, OnnxValue key)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue pairs = ctx.emit("Add", {emit::unsqueeze(ctx, query, {2}), emit::unsqueeze(ctx, key, {1})});
    const auto summed = [&](OnnxValue x) { return emit::reduce(ctx, "ReduceSum", x, {3}, false); };
    if (layer.op() == "AdditiveAttention") {
        const OnnxValue bent = elementary::tanh(ctx, pairs);
        return summed(layer.hasWeight("scale") ? ctx.emit("Mul", {bent, layer.weight("scale")}) : bent);
    }
    const OnnxValue scaled = layer.hasWeight("scale") ? ctx.emit("Mul", {pairs, layer.weight("scale")}) : pairs;
    return ctx.emit("Mul", {summed(elementary::tanh(ctx, scaled)), layer.weight("concat_score_weight")});
}

OnnxValue scoresOf(const Layer& layer, OnnxValue query, OnnxValue key)
{
    const std::string mode = layer.settings.text("score_mode", "dot");
    if (layer.op() == "AdditiveAttention" || mode == "concat") {
        return additiveScores(layer, query, key);
    }
    if (mode != "dot") {
        layer.ctx.invalid(fmt::format("score_mode {} is neither dot nor concat", mode), "score_mode");
    }
    const OnnxValue scores = matrixProduct(layer.ctx, query, key, false, true);
    return layer.hasWeight("scale") ? layer.ctx.emit("Mul", {scores, layer.weight("scale")}) : scores;
}

/// The mask of query or value: passed as an argument, or carried by the tensor.
OnnxValue operandMask(const Layer& layer, std::size_t i)
{
    const OnnxValue given = layer.named(fmt::format("mask.{}", i));
    const OnnxValue mask = given ? given : layer.mask(i);
    return mask ? asBool(layer.ctx, mask) : mask;
}

/// The inputs are the query, the value and perhaps the key.
OnnxValues attention(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue query = layer.input(0);
    const OnnxValue value = layer.input(1);
    const OnnxValue key = layer.inputCount() > 2 ? layer.input(2) : value;
    if (ctx.rank(query) != 3 || ctx.rank(value) != 3) {
        layer.refuse("attention over tensors of other than 3 dimensions");
    }
    OnnxValue mask = operandMask(layer, 1);
    mask = mask ? emit::unsqueeze(ctx, mask, {1}) : mask;
    if (isCausal(layer)) {
        mask = combined(ctx, mask, emit::unsqueeze(ctx, causalMask(ctx, query, value, 1), {0}));
    }
    const OnnxValue weights = emit::softmax(ctx, maskedScores(ctx, scoresOf(layer, query, key), mask, false), -1);
    OnnxValue y = ctx.emit("MatMul", {weights, value});
    if (const OnnxValue queries = operandMask(layer, 0)) {
        y = ctx.emit("Mul", {y, emit::unsqueeze(ctx, emit::cast(ctx, queries, ctx.element(y)), {2})});
    }
    return returnsScores(layer) ? OnnxValues{y, weights} : OnnxValues{y};
}

/// An argument by its position or by its name.
OnnxValue argument(const Layer& layer, std::size_t position, const std::string& name)
{
    const OnnxValue named = layer.named(name);
    return named ? named : position < layer.inputCount() ? layer.input(position) : OnnxValue{};
}

/// Keras 2 casts the first argument of a call to the type of the layer, which makes a tensor without the mask.
bool losesMaskOfQuery(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    if (layer.major() >= 3 || !layer.computeType() || !layer.named("0") || !ctx.hasInput(0)) {
        return false;
    }
    const ElementType given = ctx.element(ctx.input(0));
    return isFloating(given) && given != *layer.computeType();
}

OnnxValue impliedMaskOf(const Layer& layer, std::size_t position, const std::string& name)
{
    // The argument for the query is overwritten where the layer takes the masks off its tensors.
    const bool isOverwritten =
        name == "query" && layer.op() == "MultiHeadAttention" && attentionTakesMasks(layer.ctx.graph);
    OnnxValue mask = isOverwritten ? OnnxValue{} : layer.named(name + "_mask");
    if (!mask && impliesMasksOfHeads(layer.ctx.graph) && !(name == "query" && losesMaskOfQuery(layer))) {
        mask = layer.named(fmt::format("{}{}", impliedMask, name));
        mask = mask ? mask : layer.mask(position);
    }
    return mask ? asBool(layer.ctx, mask) : mask;
}

/// Axes of the data: those that share weights (batch) and those that are attended to.
struct Axes {
    Ints batch;
    Ints attended;
    Ints permutation; ///< batch, attended, features
    bool isPlain() const { return std::ranges::is_sorted(permutation); }
};

Axes attentionAxes(const Layer& layer, std::size_t rank)
{
    Axes axes;
    if (layer.settings.has("attention_axes")) {
        for (const std::int64_t axis : layer.settings.ints("attention_axes")) {
            axes.attended.push_back(layer.ctx.axis(axis, rank, "attention_axes"));
        }
    } else {
        axes.attended.resize(rank - 2);
        std::iota(axes.attended.begin(), axes.attended.end(), 1);
    }
    for (std::int64_t i = 0; i + 1 < static_cast<std::int64_t>(rank); ++i) {
        if (std::ranges::find(axes.attended, i) == axes.attended.end()) {
            axes.batch.push_back(i);
        }
    }
    axes.permutation = axes.batch;
    axes.permutation.insert(axes.permutation.end(), axes.attended.begin(), axes.attended.end());
    axes.permutation.push_back(static_cast<std::int64_t>(rank) - 1);
    return axes;
}

/// The heads and their size that a dense layer of an attention layer has.
struct Heads {
    std::int64_t count;
    std::int64_t size;
};

Heads headsOf(const Layer& layer, const std::string& dense)
{
    const Settings& settings = layer.settings;
    if (layer.op() == "MultiHeadAttention") {
        const bool isValue = dense == "value_dense" || dense == "gate_dense";
        return {settings.requiredSize("num_heads"),
                settings.requiredSize(isValue && settings.has("value_dim") ? "value_dim" : "key_dim")};
    }
    const bool isQuery = dense == "query_dense" || dense == "gate_dense";
    return {settings.requiredSize(isQuery ? "num_query_heads" : "num_key_value_heads"),
            settings.requiredSize("head_dim")};
}

/// x through a dense layer into heads: (batch, heads, steps, size), where batch and steps are the joined axes.
OnnxValue intoHeads(const Layer& layer, OnnxValue given, const Axes& axes, const std::string& dense)
{
    const NodeContext& ctx = layer.ctx;
    const Layer part = layer.part(dense, given);
    OnnxValue x = part.input(0);
    const auto [heads, size] = headsOf(layer, dense);
    const std::int64_t features = ctx.fixedDim(x, -1);
    if (part.policy().mode != "int4") { // which packs the kernel into a matrix
        const Dim in = part.isQuantized() ? Dim() : Dim(features);
        part.requireShape("kernel", part.storedWeight("kernel"), {in, Dim(heads), Dim(size)});
    }
    if (!axes.isPlain()) {
        x = emit::transpose(ctx, x, axes.permutation);
    }
    OnnxValue y = timesMatrix(part, x, features, heads * size);
    if (part.hasWeight("bias")) {
        part.weight("bias", {Dim(heads), Dim(size)});
        y = ctx.emit("Add", {y, emit::reshape(ctx, biasOf(part), Ints{heads * size})});
    }
    Ints batch(axes.batch.size());
    std::iota(batch.begin(), batch.end(), 0);
    Ints steps(axes.attended.size());
    std::iota(steps.begin(), steps.end(), static_cast<std::int64_t>(batch.size()));
    y = reshapeTo(ctx, y, {termOf(ctx, y, batch), termOf(ctx, y, steps), fixedTerm(heads), fixedTerm(size)});
    return emit::transpose(ctx, y, {0, 2, 1, 3});
}

/// Each head `times` times in a row.
OnnxValue repeatedHeads(const NodeContext& ctx, OnnxValue x, std::int64_t times)
{
    if (times == 1) {
        return x;
    }
    const std::int64_t heads = ctx.fixedDim(x, 1);
    const std::int64_t size = ctx.fixedDim(x, 3);
    const OnnxValue wide = emit::expand(ctx, emit::unsqueeze(ctx, x, {2}), ctx.onnx.ints({1, 1, times, 1, 1}));
    return reshapeTo(ctx, wide, {termOf(ctx, x, {0}), fixedTerm(heads * times), termOf(ctx, x, {2}), fixedTerm(size)});
}

/// All masks together as (batch, 1, queries, values), or with axes of 1.
OnnxValue headMask(const Layer& layer, const Axes& axes, OnnxValue query, OnnxValue value, OnnxValue queryHeads,
                   OnnxValue valueHeads)
{
    const NodeContext& ctx = layer.ctx;
    OnnxValue mask;
    if (const OnnxValue queries = impliedMaskOf(layer, 0, "query")) {
        mask = emit::unsqueeze(ctx, queries, {2});
    }
    for (const auto& [position, name] : {std::pair{1, "value"}, std::pair{2, "key"}}) {
        if (const OnnxValue values = impliedMaskOf(layer, static_cast<std::size_t>(position), name)) {
            mask = combined(ctx, mask, emit::unsqueeze(ctx, values, {1}));
        }
    }
    if (mask && (ctx.rank(query) != 3 || ctx.rank(value) != 3)) {
        layer.refuse("masks of tensors with more than one axis of steps");
    }
    if (OnnxValue given = argument(layer, 3, "attention_mask")) {
        given = asBool(ctx, given);
        const std::size_t steps = 2 * axes.attended.size(); // axes of queries and values
        const std::size_t batches = axes.batch.size();
        if (ctx.rank(given) == steps) {
            given = emit::unsqueeze(ctx, given, {0});
        }
        if (ctx.rank(given) <= steps || ctx.rank(given) > batches + steps) {
            layer.refuse(fmt::format("an attention_mask of {} dimensions", ctx.rank(given)), "attention_mask");
        }
        for (std::size_t i = ctx.rank(given) - steps; i < batches; ++i) { // axes that share the mask
            given = emit::unsqueeze(ctx, given, {static_cast<std::int64_t>(i)});
        }
        if (batches > 1) {
            ShapeTerms wide;
            for (const std::int64_t axis : axes.batch) {
                wide.push_back(termOf(ctx, query, {axis}));
            }
            for (std::size_t i = batches; i < ctx.rank(given); ++i) {
                wide.push_back(termOf(ctx, given, {static_cast<std::int64_t>(i)}));
            }
            given = expandTo(ctx, given, wide);
        }
        if (ctx.rank(given) != 3) {
            Ints joined(batches);
            std::iota(joined.begin(), joined.end(), 0);
            given = reshapeTo(ctx, given,
                              {termOf(ctx, given, joined), termOf(ctx, queryHeads, {2}), termOf(ctx, valueHeads, {2})});
        }
        mask = combined(ctx, mask, given);
    }
    if (layer.settings.has("sliding_window")) {
        if (ctx.rank(query) != 3) {
            layer.refuse("a sliding window over several axes of steps", "sliding_window");
        }
        mask = combined(ctx, mask, emit::unsqueeze(ctx, windowMask(layer, query, value), {0}));
    }
    if (isCausal(layer)) {
        if (ctx.rank(query) != 3) {
            layer.refuse("a causal mask over several axes of steps", "use_causal_mask");
        }
        mask = combined(ctx, mask, emit::unsqueeze(ctx, causalMask(ctx, query, value, 1), {0}));
    }
    return mask ? emit::unsqueeze(ctx, mask, {1}) : mask;
}

/// The heads (batch, heads, steps, size) through the last dense layer, in the axes of the query.
OnnxValue fromHeads(const Layer& layer, OnnxValue heads, OnnxValue query, const Axes& axes)
{
    const NodeContext& ctx = layer.ctx;
    const Layer part = layer.part("output_dense", heads);
    const OnnxValue given = part.input(0);
    const std::int64_t inner = ctx.fixedDim(given, 1) * ctx.fixedDim(given, 3);
    Ints features; // of the output
    if (part.policy().mode == "int4") {
        features = layer.settings.ints("output_shape", {ctx.fixedDim(query, -1)});
    } else {
        const OnnxValue kernel = part.weight("kernel");
        const Settings& settings = layer.settings;
        Shape expected{ctx.shape(given)[1], ctx.shape(given)[3]};
        const Shape result =
            settings.has("output_shape") ? settings.shape("output_shape") : Shape{ctx.shape(query).back()};
        expected.insert(expected.end(), result.begin(), result.end());
        part.requireShape("kernel", kernel, expected);
        for (std::size_t i = 2; i < ctx.rank(kernel); ++i) {
            features.push_back(ctx.fixedDim(kernel, static_cast<std::int64_t>(i)));
        }
    }
    const std::int64_t outer = saturatingProduct(features);
    const OnnxValue joined = emit::reshape(ctx, emit::transpose(ctx, given, {0, 2, 1, 3}), Ints{0, 0, inner});
    OnnxValue y = timesMatrix(part, joined, inner, outer);
    if (part.hasWeight("bias")) {
        y = ctx.emit("Add", {y, emit::reshape(ctx, biasOf(part), Ints{outer})});
    }
    ShapeTerms terms;
    Ints back(axes.permutation.size() - 1); // of the axes before the features
    for (std::size_t i = 0; i + 1 < axes.permutation.size(); ++i) {
        terms.push_back(termOf(ctx, query, {axes.permutation[i]}));
        back[static_cast<std::size_t>(axes.permutation[i])] = static_cast<std::int64_t>(i);
    }
    for (const std::int64_t size : features) {
        terms.push_back(fixedTerm(size));
        back.push_back(static_cast<std::int64_t>(back.size()));
    }
    y = reshapeTo(ctx, y, terms);
    return axes.isPlain() ? y : emit::transpose(ctx, y, back);
}

/// The scores (batch, heads, queries, values) with the axes of the data in place of the joined ones.
OnnxValue apart(const Layer& layer, OnnxValue scores, OnnxValue query, OnnxValue value, const Axes& axes)
{
    const NodeContext& ctx = layer.ctx;
    if (axes.batch.size() == 1 && axes.attended.size() == 1) {
        return scores;
    }
    ShapeTerms terms;
    for (const std::int64_t axis : axes.batch) {
        terms.push_back(termOf(ctx, query, {axis}));
    }
    terms.push_back(termOf(ctx, scores, {1}));
    for (const OnnxValue x : {query, value}) {
        for (const std::int64_t axis : axes.attended) {
            terms.push_back(termOf(ctx, x, {axis}));
        }
    }
    return reshapeTo(ctx, scores, terms);
}

/// The floating type that holds the numbers of all.
ElementType widestType(const NodeContext& ctx, const OnnxValues& values)
{
    ElementType widest = ctx.element(values.front());
    for (const OnnxValue value : values) {
        const ElementType type = ctx.element(value);
        if (type != widest) {
            const bool hasDouble = type == ElementType::Float64 || widest == ElementType::Float64;
            widest = hasDouble ? ElementType::Float64 : ElementType::Float32;
        }
    }
    return widest;
}

OnnxValues multiHeadAttention(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue query = argument(layer, 0, "query");
    const OnnxValue value = argument(layer, 1, "value");
    const OnnxValue given = argument(layer, 2, "key");
    const OnnxValue key = given ? given : value;
    if (!query || !value) {
        ctx.invalid("it has no query or no value");
    }
    if (ctx.rank(query) < 3 || ctx.rank(value) != ctx.rank(query) || ctx.rank(key) != ctx.rank(query)) {
        ctx.invalid(
            fmt::format("tensors of {}, {} and {} dimensions", ctx.rank(query), ctx.rank(value), ctx.rank(key)));
    }
    if (layer.settings.boolean("assumed_quantizer", false)) {
        ctx.note("assumed-quantizer", "its weights are quantized, but the file does not contain the quantizer of its "
                                      "inputs; exported with Keras's default: int8 by the largest magnitude in mode "
                                      "int8, none in other modes");
    }
    const Axes axes = attentionAxes(layer, ctx.rank(query));
    OnnxValue q = intoHeads(layer, query, axes, "query_dense");
    OnnxValue k = intoHeads(layer, key, axes, "key_dense");
    OnnxValue v = intoHeads(layer, value, axes, "value_dense");
    if (const ElementType type = widestType(ctx, {q, k, v}); layer.settings.hasBelow("part_dtypes")) {
        q = emit::cast(ctx, q, type);
        k = emit::cast(ctx, k, type);
        v = emit::cast(ctx, v, type);
    }
    const std::int64_t heads = ctx.fixedDim(q, 1);
    if (const std::int64_t fewer = ctx.fixedDim(k, 1); fewer != heads) {
        if (fewer == 0 || heads % fewer != 0) {
            ctx.invalid(fmt::format("{} heads of keys for {} of queries", fewer, heads));
        }
        k = repeatedHeads(ctx, k, heads / fewer);
        v = repeatedHeads(ctx, v, heads / fewer);
    }
    const double scale = 1 / std::sqrt(static_cast<double>(ctx.fixedDim(q, 3)));
    const OnnxValue scaled = ctx.emit("Mul", {q, emit::scalarLike(ctx, q, scale)});
    const OnnxValue mask = headMask(layer, axes, query, value, q, v);
    const OnnxValue scores = maskedScores(ctx, matrixProduct(ctx, scaled, k, false, true), mask, layer.major() >= 3);
    OnnxValue weights = emit::softmax(ctx, scores, -1);
    // Keras has two ways: a single operation, and the layer Softmax for all that this lacks.
    const bool isByLayer = returnsScores(layer) || ctx.rank(query) != 3 || layer.settings.number("dropout", 0) > 0;
    if (isByLayer && layer.settings.hasBelow("part_dtypes") &&
        ctx.element(q) != layer.part("softmax", q).computeType()) {
        layer.refuse("parts of several types with a softmax of another one", "dtype");
    }
    if (mask && isByLayer && zeroesMaskedSoftmax(ctx.graph)) {
        weights = ctx.emit("Where", {mask, weights, emit::scalarLike(ctx, weights, 0)});
    }
    OnnxValue taken = ctx.emit("MatMul", {weights, v});
    if (layer.settings.boolean("use_gate", false)) { // each element of the heads by a share of its own
        const OnnxValue gate = intoHeads(layer, query, axes, "gate_dense");
        const ElementType type = widestType(ctx, {taken, gate});
        const OnnxValue share = emit::cast(ctx, elementary::sigmoid(ctx, gate), type);
        taken = ctx.emit("Mul", {emit::cast(ctx, taken, type), share});
    }
    const OnnxValue y = fromHeads(layer, taken, query, axes);
    return returnsScores(layer) ? OnnxValues{y, apart(layer, weights, query, value, axes)} : OnnxValues{y};
}

} // namespace

std::span<const OpRow> attentionLayers()
{
    static constexpr OpRow rows[] = {
        {"AdditiveAttention", attention, "Add, Tanh, ReduceSum, Softmax, MatMul"},
        {"Attention", attention, "MatMul, Softmax"},
        {"GroupQueryAttention", multiHeadAttention, "MatMul, Softmax"},
        {"GroupedQueryAttention", multiHeadAttention, "MatMul, Softmax"},
        {"MultiHeadAttention", multiHeadAttention, "MatMul, Softmax"},
    };
    return rows;
}

} // namespace crosswalk::keras
