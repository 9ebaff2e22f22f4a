#include "core/formats/pytorch/ops/bfloat16.h"

#include "core/convert/emit.h"
#include "core/formats/pytorch/lowering/functionalize.h"
#include "core/formats/pytorch/lowering/input_ranks.h"
#include "core/formats/pytorch/ops/operator_arguments.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <array>

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

bool isBfloat16(const NodeContext& ctx, OnnxValue value)
{
    return value && ctx.onnx.element(value) == ElementType::BFloat16;
}

/// The type of floating results where the file does not state it: that of a dtype argument, which the translator
/// observes; of the tensor that is written in place; the common one of the operands that broadcast; or of the first
/// floating operand.
bool resultsInBfloat16(const NodeContext& ctx, const OnnxValues& operands)
{
    if (Arguments(ctx).has("dtype")) {
        return false;
    }
    const auto* writes = attributeOf<bool>(ctx.node, inPlace);
    if (writes != nullptr && *writes) {
        return !operands.empty() && isBfloat16(ctx, operands[0]);
    }
    const auto row = std::ranges::find(promoting, std::string_view(ctx.node.op), &PromotedOperands::op);
    if (row != promoting.end()) {
        const auto& [first, second, third] = row->arguments;
        return floatingType(resultType(ctx, Arguments(ctx), {first, second, third})) == ElementType::BFloat16;
    }
    if (!broadcastsRanks(ctx.node.op)) {
        const auto first = std::ranges::find_if(
            operands, [&](OnnxValue value) { return value && isFloating(ctx.onnx.element(value)); });
        return first != operands.end() && isBfloat16(ctx, *first);
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
    return (dimensioned == ElementType::Undefined ? scalars : dimensioned) == ElementType::BFloat16;
}

} // namespace

bool computesInBfloat16(const NodeContext& ctx)
{
    const auto isOneOf = [&](const auto& names) {
        return std::ranges::find(names, std::string_view(ctx.node.op)) != names.end();
    };
    return !isOneOf(moving) && !isOneOf(rounding) && ctx.node.op.starts_with("aten::") &&
           std::ranges::any_of(ctx.inputs(), [&](OnnxValue input) { return isBfloat16(ctx, input); });
}

OnnxValues translateInFloat32(NodeContext& ctx, OnnxValues (*translate)(NodeContext&))
{
    const OnnxValues operands = ctx.inputs();
    const bool isRounded = resultsInBfloat16(ctx, operands);
    OnnxValues wide = operands;
    for (OnnxValue& value : wide) {
        if (isBfloat16(ctx, value)) {
            value = emit::cast(ctx, value, ElementType::Float32);
        }
    }
    ctx.replaceInputs(wide);
    OnnxValues results = translate(ctx);
    for (std::size_t i = 0; i < results.size(); ++i) {
        const ElementType stated =
            i < ctx.node.outputs.size() ? ctx.graph.value(ctx.node.outputs[i]).type.element : ElementType::Undefined;
        const bool isNarrow = stated == ElementType::Undefined ? isRounded : stated == ElementType::BFloat16;
        if (results[i] && isNarrow && ctx.onnx.element(results[i]) == ElementType::Float32) {
            results[i] = emit::cast(ctx, results[i], ElementType::BFloat16);
        }
    }
    return results;
}

} // namespace crosswalk::pytorch
