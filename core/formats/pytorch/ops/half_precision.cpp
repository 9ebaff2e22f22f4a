#include "core/formats/pytorch/ops/half_precision.h"

#include "core/convert/emit.h"
#include "core/formats/pytorch/lowering/functionalize.h"
#include "core/formats/pytorch/lowering/input_ranks.h"
#include "core/formats/pytorch/ops/operator_arguments.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <array>
#include <span>

namespace crosswalk::pytorch {
namespace {

/// Operators whose ONNX forms ONNX Runtime runs in bfloat16, and one whose numbers depend on the type.
constexpr auto moving = std::to_array<std::string_view>(
    {"aten::_to_copy", "aten::_unsafe_view", "aten::alias",      "aten::broadcast_tensors",
     "aten::cat",      "aten::chunk",        "aten::clone",      "aten::contiguous",
     "aten::detach",   "aten::dim",          "aten::dropout",    "aten::embedding",
     "aten::flatten",  "aten::len",          "aten::nan_to_num", "aten::narrow",
     "aten::numel",    "aten::permute",      "aten::reshape",    "aten::select",
     "aten::size",     "aten::slice",        "aten::split",      "aten::split_with_sizes",
     "aten::squeeze",  "aten::stack",        "aten::sym_numel",  "aten::sym_size",
     "aten::t",        "aten::to",           "aten::transpose",  "aten::type_as",
     "aten::unbind",   "aten::unflatten",    "aten::unsqueeze",  "aten::view"});

struct PromotedOperands {
    std::string_view op;
    std::array<std::string_view, 3> arguments;
};

/// Operators whose results have the common type of some operands, but which do not broadcast in every argument.
constexpr auto promoting = std::to_array<PromotedOperands>({
    {"aten::clamp", {"self", "min", "max"}},
    {"aten::clamp_max", {"self", "max"}},
    {"aten::clamp_min", {"self", "min"}},
    {"aten::clip", {"self", "min", "max"}},
    {"aten::cosine_embedding_loss", {"input1", "input2"}},
    {"aten::cosine_similarity", {"x1", "x2"}},
    {"aten::cross_entropy_loss", {"self", "target"}},
    {"aten::kl_div", {"self", "target"}},
    {"aten::l1_loss", {"self", "target"}},
    {"aten::margin_ranking_loss", {"input1", "input2", "target"}},
    {"aten::mse_loss", {"self", "target"}},
    {"aten::pairwise_distance", {"x1", "x2"}},
    {"aten::poisson_nll_loss", {"input", "target"}},
    {"aten::smooth_l1_loss", {"self", "target"}},
    {"aten::triplet_margin_loss", {"anchor", "positive", "negative"}},
});

/// Operators that first round a number beside a tensor to its type. Their forms compute in float32 then.
constexpr auto rounding = std::to_array<std::string_view>({
    "aten::eq",
    "aten::fmod",
    "aten::ge",
    "aten::greater",
    "aten::greater_equal",
    "aten::gt",
    "aten::le",
    "aten::less",
    "aten::less_equal",
    "aten::lt",
    "aten::ne",
    "aten::not_equal",
    "aten::remainder",
});

/// Operators whose forms of several nodes would round float16 between the nodes, where squares overflow and differences
/// cancel out. A single ONNX operator rounds once, as PyTorch does.
constexpr auto composed = std::to_array<std::string_view>({
    "aten::cosine_similarity",
    "aten::erfc",
    "aten::group_norm",
    "aten::instance_norm",
    "aten::layer_norm",
    "aten::linalg_vecdot",
    "aten::native_group_norm",
    "aten::native_layer_norm",
    "aten::rms_norm",
    "aten::sinc",
    "aten::special_erfc",
    "aten::special_sinc",
    "aten::std",
    "aten::std_mean",
    "aten::var",
    "aten::var_mean",
});

bool isOneOf(std::span<const std::string_view> names, const Node& node)
{
    return std::ranges::find(names, std::string_view(node.op)) != names.end();
}

bool hasType(const NodeContext& ctx, OnnxValue value, ElementType type)
{
    return value && ctx.onnx.element(value) == type;
}

bool readsTensorOf(const NodeContext& ctx, ElementType type)
{
    return std::ranges::any_of(ctx.inputs(), [&](OnnxValue input) { return hasType(ctx, input, type); });
}

bool computesInBfloat16(const NodeContext& ctx)
{
    return !isOneOf(moving, ctx.node) && !isOneOf(rounding, ctx.node) && ctx.node.op.starts_with("aten::") &&
           readsTensorOf(ctx, ElementType::BFloat16);
}

/// Whether floating results have the narrow type where the file does not state it: that of a dtype argument, which the
/// translator observes; of the tensor that is written in place; the common one of the operands that broadcast; or of
/// the first floating operand.
bool resultsIn(ElementType narrow, const NodeContext& ctx, const OnnxValues& operands)
{
    if (Arguments(ctx).has("dtype")) {
        return false;
    }
    const auto* writes = attributeOf<bool>(ctx.node, inPlace);
    if (writes != nullptr && *writes) {
        return !operands.empty() && hasType(ctx, operands[0], narrow);
    }
    const auto row = std::ranges::find(promoting, std::string_view(ctx.node.op), &PromotedOperands::op);
    if (row != promoting.end()) {
        const auto& [first, second, third] = row->arguments;
        return floatingType(resultType(ctx, Arguments(ctx), {first, second, third})) == narrow;
    }
    if (!broadcastsRanks(ctx.node.op)) {
        const auto first = std::ranges::find_if(
            operands, [&](OnnxValue value) { return value && isFloating(ctx.onnx.element(value)); });
        return first != operands.end() && hasType(ctx, *first, narrow);
    }
    ElementType dimensioned = ElementType::Undefined;
    ElementType scalars = ElementType::Undefined; // which count if no other operand is floating
    for (const OnnxValue value : operands) {
        const ElementType own = value ? ctx.onnx.element(value) : ElementType::Undefined;
        if (isFloating(own)) {
            const bool isScalar = ctx.onnx.shape(value) && ctx.onnx.shape(value)->empty();
            ElementType& type = isScalar ? scalars : dimensioned;
            type = type == ElementType::Undefined ? own : promoted(type, own);
        }
    }
    return (dimensioned == ElementType::Undefined ? scalars : dimensioned) == narrow;
}

} // namespace

bool computesInFloat32(const NodeContext& ctx)
{
    return computesInBfloat16(ctx) || (isOneOf(composed, ctx.node) && readsTensorOf(ctx, ElementType::Float16));
}

OnnxValues translateInFloat32(NodeContext& ctx, OnnxValues (*translate)(NodeContext&))
{
    const ElementType narrow = computesInBfloat16(ctx) ? ElementType::BFloat16 : ElementType::Float16;
    const OnnxValues operands = ctx.inputs();
    const bool isRounded = resultsIn(narrow, ctx, operands);
    OnnxValues wide = operands;
    for (OnnxValue& value : wide) {
        if (hasType(ctx, value, narrow)) {
            value = emit::cast(ctx, value, ElementType::Float32);
        }
    }
    ctx.replaceInputs(wide);
    OnnxValues results = translate(ctx);
    for (std::size_t i = 0; i < results.size(); ++i) {
        const ElementType stated =
            i < ctx.node.outputs.size() ? ctx.graph.value(ctx.node.outputs[i]).type.element : ElementType::Undefined;
        const bool isNarrow = stated == ElementType::Undefined ? isRounded : stated == narrow;
        if (results[i] && isNarrow && ctx.onnx.element(results[i]) == ElementType::Float32) {
            results[i] = emit::cast(ctx, results[i], narrow);
        }
    }
    return results;
}

} // namespace crosswalk::pytorch
