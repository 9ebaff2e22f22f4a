// Scaled dot-product attention.

#include "core/base/budget.h"
#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/gelu.h"
#include "core/convert/forms/elementwise/precision.h"
#include "core/convert/forms/linalg/matrix_product.h"
#include "core/convert/forms/nn/normalization.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/int_vector.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace crosswalk::pytorch {
namespace {

namespace arithmetic = forms::arithmetic;

/// Each head of keys or values serves several heads of queries, one after the other.
OnnxValue repeatedHeads(const NodeContext& ctx, OnnxValue x, OnnxValue query)
{
    const std::int64_t wanted = ctx.fixedDim(query, -3);
    const std::int64_t heads = ctx.fixedDim(x, -3);
    if (wanted == heads) {
        return x;
    }
    if (heads < 1 || wanted % heads != 0 || wanted > mostParts) {
        ctx.invalid("the number of query heads is not a multiple of the number of key heads", "enable_gqa");
    }
    Ints indices;
    for (std::int64_t i = 0; i < wanted; ++i) {
        indices.push_back(i / (wanted / heads));
    }
    return emit::gather(ctx, x, ctx.onnx.ints(indices), static_cast<std::int64_t>(ctx.rank(x)) - 3);
}

/// True where position j of the keys is not behind position i of the queries.
OnnxValue causalMask(const NodeContext& ctx, OnnxValue query, OnnxValue key)
{
    const auto rank = static_cast<std::int64_t>(ctx.rank(query));
    const OnnxValue rows = emit::unsqueeze(ctx, forms::countUp(ctx, query, rank - 2), {1});
    const OnnxValue columns = forms::countUp(ctx, key, static_cast<std::int64_t>(ctx.rank(key)) - 2);
    return arithmetic::lessOrEqual(ctx, columns, rows);
}

/// 1 / sqrt(E) unless it is given.
OnnxValue attentionScale(const NodeContext& ctx, const Arguments& arguments, OnnxValue query)
{
    const Dim& width = ctx.shape(query).back();
    if (arguments.has("scale") || width.isFixed()) {
        const double scale =
            arguments.has("scale") ? arguments.number("scale", 1) : 1 / std::sqrt(static_cast<double>(width.size));
        return emit::scalarLike(ctx, query, scale);
    }
    const auto last = static_cast<std::int64_t>(ctx.rank(query)) - 1;
    const OnnxValue size = emit::cast(ctx, emit::dimVector(ctx, query, last), ElementType::Float64);
    const OnnxValue scale = ctx.emit("Div", {ctx.onnx.scalar(ElementType::Float64, 1), ctx.emit("Sqrt", {size})});
    return emit::cast(ctx, scale, ctx.element(query));
}

/// Whether ONNX's Attention computes the same: without a mask, on heads whose sizes are known to fit. It broadcasts
/// nothing, and a mask that hides all keys of a query results in NaN there, and in 0 here.
bool isAttentionOfOnnx(const NodeContext& ctx, const Arguments& arguments, const OnnxValues& operands)
{
    constexpr int firstOpset = 23;
    const ElementType type = ctx.element(operands[0]);
    const bool isCausalKnown = !arguments.optional("is_causal");
    // ONNX Runtime computes half precision less exactly in one operator, and accepts no other scales.
    if (ctx.onnx.opset() < firstOpset || arguments.optional("attn_mask") || !isCausalKnown ||
        type != ElementType::Float32 || arguments.number("scale", 1) <= 0) {
        return false;
    }
    for (const OnnxValue operand : operands) {
        const auto& shape = ctx.onnx.shape(operand);
        if (!shape || shape->size() != 4 || ctx.element(operand) != type || !(*shape)[1].isFixed() ||
            !(*shape)[3].isFixed()) {
            return false;
        }
    }
    const Shape& query = ctx.shape(operands[0]);
    const Shape& key = ctx.shape(operands[1]);
    const Shape& value = ctx.shape(operands[2]);
    const auto areEqual = [](const Dim& a, const Dim& b) { return a == b && (a.isFixed() || !a.symbol().empty()); };
    return areEqual(query[0], key[0]) && areEqual(key[0], value[0]) && query[1] == key[1] && key[1] == value[1] &&
           areEqual(key[2], value[2]) && query[3] == key[3] &&
           (!arguments.truth("is_causal") || areEqual(query[2], key[2]));
}

/// Whether a stored mask leaves a key to each query.
bool hasKeyInEachRow(const NodeContext& ctx, OnnxValue mask)
{
    const Tensor* stored = ctx.onnx.content(mask);
    if (stored == nullptr || stored->elements() > Budget::listedElements || stored->dims().empty() ||
        stored->dims().back() < 1) {
        return false;
    }
    const bool isCondition = stored->type() == ElementType::Bool;
    const std::vector<double> numbers = stored->toDoubles();
    const auto width = static_cast<std::size_t>(stored->dims().back());
    for (std::size_t row = 0; row < numbers.size(); row += width) {
        const auto leaves = [&](double number) {
            return isCondition ? number != 0 : number > -std::numeric_limits<double>::infinity();
        };
        if (std::none_of(numbers.begin() + static_cast<std::ptrdiff_t>(row),
                         numbers.begin() + static_cast<std::ptrdiff_t>(row + width), leaves)) {
            return false;
        }
    }
    return true;
}

/// softmax(scale Q K^T + mask) V; a row that is masked throughout results in 0.
OnnxValues attention(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue query = arguments.tensor("query");
    OnnxValue key = arguments.tensor("key");
    OnnxValue value = arguments.tensor("value");
    if (arguments.truth("enable_gqa")) {
        key = repeatedHeads(ctx, key, query);
        value = repeatedHeads(ctx, value, query);
    }
    if (arguments.number("dropout_p", 0) != 0) {
        ctx.refuse("the model was saved in training mode, in which dropout is random", "dropout_p",
                   "call model.eval() before saving");
    }
    if (isAttentionOfOnnx(ctx, arguments, {query, key, value})) {
        const auto width = static_cast<double>(ctx.shape(query).back().size);
        const double scale = arguments.number("scale", 1 / std::sqrt(width));
        return {ctx.emit("Attention", {query, key, value},
                         {{"is_causal", static_cast<std::int64_t>(arguments.truth("is_causal"))}, {"scale", scale}})};
    }
    const OnnxValue scaled = arithmetic::multiply(ctx, query, attentionScale(ctx, arguments, query));
    OnnxValue scores = ctx.emit("MatMul", {scaled, forms::transposedMatrices(ctx, key)});
    OnnxValue mask = arguments.optional("attn_mask");
    // The first key is never behind a query.
    const bool hasKeys = !mask || hasKeyInEachRow(ctx, mask);
    if (const OnnxValue isCausal = arguments.optional("is_causal"); isCausal && !forms::knownInts(ctx, isCausal)) {
        if (!mask) { // with a mask, it is false
            mask = ctx.emit("Or", {causalMask(ctx, query, key), ctx.emit("Not", {isCausal})});
        }
    } else if (arguments.truth("is_causal")) {
        const OnnxValue causal = causalMask(ctx, query, key);
        if (mask) {
            ctx.refuse("a causal mask beside another mask is not supported", "is_causal");
        }
        mask = causal;
    }
    if (!mask) {
        return {
            ctx.emit("MatMul", {emit::softmax(ctx, scores, static_cast<std::int64_t>(ctx.rank(scores)) - 1), value})};
    }
    const OnnxValue lowest = emit::scalarLike(ctx, scores, -std::numeric_limits<double>::infinity());
    scores = ctx.element(mask) == ElementType::Bool ? ctx.emit("Where", {mask, scores, lowest})
                                                    : arithmetic::add(ctx, scores, mask);
    const std::int64_t last = static_cast<std::int64_t>(ctx.rank(scores)) - 1;
    const OnnxValue weights = emit::softmax(ctx, scores, last);
    if (hasKeys) {
        return {ctx.emit("MatMul", {weights, value})};
    }
    const OnnxValue highest = emit::reduce(ctx, "ReduceMax", scores, {last}, true);
    const OnnxValue isMasked = ctx.emit("Equal", {highest, lowest});
    const OnnxValue kept = ctx.emit("Where", {isMasked, emit::scalarLike(ctx, weights, 0), weights});
    return {ctx.emit("MatMul", {kept, value})};
}

OnnxValue projection(const NodeContext& ctx, OnnxValue x, OnnxValue weight, OnnxValue bias)
{
    return arithmetic::add(ctx, ctx.emit("MatMul", {x, emit::transpose(ctx, weight, {1, 0})}), bias);
}

/// The layer of attention with its projections. A mask is true, or not zero, where a position is left out: of type 0 it
/// is (queries, keys), of type 1 (batch, keys), else it broadcasts with (batch, heads, queries, keys).
struct HeadedAttention {
    OnnxValue y;
    OnnxValue weights; ///< (batch, heads, queries, keys)
};

HeadedAttention headedAttention(const NodeContext& ctx, const Arguments& arguments, const OnnxValues& operands,
                                std::string_view headsName)
{
    const std::int64_t heads = arguments.positive(headsName, 1);
    const std::int64_t width = arguments.positive("embed_dim", 1);
    if (width % heads != 0) {
        ctx.invalid("the number of features is not a multiple of the number of heads", std::string(headsName));
    }
    const std::int64_t features = width / heads;
    const OnnxValue weight = arguments.tensor("qkv_weight");
    const OnnxValue bias = arguments.tensor("qkv_bias");
    OnnxValues parts;
    for (std::size_t i = 0; i < 3; ++i) {
        const std::int64_t first = static_cast<std::int64_t>(i) * width;
        const auto rows = [&](OnnxValue x) { return emit::slice(ctx, x, Ints{first}, Ints{first + width}, Ints{0}); };
        const OnnxValue projected = projection(ctx, operands[i], rows(weight), rows(bias));
        const OnnxValue split = emit::reshape(ctx, projected, Ints{0, 0, heads, features});
        parts.push_back(emit::transpose(ctx, split, {0, 2, 1, 3}));
    }
    const double scale = 1 / std::sqrt(static_cast<double>(features));
    const OnnxValue query = arithmetic::multiply(ctx, parts[0], emit::scalarLike(ctx, parts[0], scale));
    OnnxValue scores = ctx.emit("MatMul", {query, forms::transposedMatrices(ctx, parts[1])});
    if (const OnnxValue given = arguments.optional("mask")) {
        OnnxValue mask = emit::cast(ctx, given, ElementType::Bool);
        const std::int64_t kind = arguments.integer("mask_type", 2);
        mask = kind == 1 ? emit::unsqueeze(ctx, mask, {1, 2}) : mask;
        const OnnxValue lowest = emit::scalarLike(ctx, scores, -std::numeric_limits<double>::infinity());
        scores = ctx.emit("Where", {mask, lowest, scores});
    }
    HeadedAttention made;
    made.weights = emit::softmax(ctx, scores, 3);
    const OnnxValue context = emit::transpose(ctx, ctx.emit("MatMul", {made.weights, parts[2]}), {0, 2, 1, 3});
    made.y = projection(ctx, emit::reshape(ctx, context, Ints{0, 0, width}), arguments.tensor("proj_weight"),
                        arguments.tensor("proj_bias"));
    return made;
}

OnnxValues nativeAttention(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValues operands{arguments.tensor("query"), arguments.tensor("key"), arguments.tensor("value")};
    const HeadedAttention made = headedAttention(ctx, arguments, operands, "num_head");
    if (!arguments.truth("need_weights", true)) {
        return {made.y};
    }
    return {made.y, arguments.truth("average_attn_weights", true)
                        ? emit::reduce(ctx, "ReduceMean", made.weights, {1}, false)
                        : made.weights};
}

/// Attention and two linear layers, each added to its input and normalized before or after.
OnnxValues encoderLayer(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("src");
    const bool isFirst = arguments.truth("norm_first");
    const double epsilon = arguments.number("eps", 1e-5);
    const forms::Precision precision(ctx, x);
    const auto normalized = [&](OnnxValue value, const char* weight, const char* bias) {
        const forms::Moments moments = forms::momentsOf(ctx, precision.widen(value), {2}, epsilon);
        const OnnxValue unit = ctx.emit("Div", {moments.centered, moments.deviation});
        const OnnxValue scaled = ctx.emit("Mul", {unit, precision.widen(arguments.tensor(weight))});
        return precision.restore(ctx.emit("Add", {scaled, precision.widen(arguments.tensor(bias))}));
    };
    const auto attended = [&](OnnxValue value) {
        return headedAttention(ctx, arguments, {value, value, value}, "num_heads").y;
    };
    const auto fed = [&](OnnxValue value) {
        const OnnxValue inner =
            projection(ctx, value, arguments.tensor("ffn_weight_1"), arguments.tensor("ffn_bias_1"));
        const OnnxValue active = arguments.truth("use_gelu") ? forms::gelu(ctx, inner) : ctx.emit("Relu", {inner});
        return projection(ctx, active, arguments.tensor("ffn_weight_2"), arguments.tensor("ffn_bias_2"));
    };
    constexpr const char* first[]{"norm_weight_1", "norm_bias_1"};
    constexpr const char* second[]{"norm_weight_2", "norm_bias_2"};
    if (isFirst) {
        const OnnxValue y = ctx.emit("Add", {x, attended(normalized(x, first[0], first[1]))});
        return {ctx.emit("Add", {y, fed(normalized(y, second[0], second[1]))})};
    }
    const OnnxValue y = normalized(ctx.emit("Add", {x, attended(x)}), first[0], first[1]);
    return {normalized(ctx.emit("Add", {y, fed(y)}), second[0], second[1])};
}

} // namespace

std::span<const OpRow> attentionOps()
{
    static constexpr OpRow rows[] = {
        {"aten::scaled_dot_product_attention", attention, "MatMul, Softmax, or Attention"},
        {"aten::_scaled_dot_product_flash_attention_for_cpu", attention, "MatMul, Softmax, or Attention"},
        {"aten::_native_multi_head_attention", nativeAttention, "MatMul, Softmax"},
        {"aten::_transformer_encoder_layer_fwd", encoderLayer, "MatMul, Softmax, ReduceMean"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
