// Control flow, whose branches are graphs of their own.

#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"
#include "core/graph/attributes.h"

namespace crosswalk::pytorch {
namespace {

/// cond(predicate, true graph, false graph, operands): both graphs take all operands.
OnnxValues condition(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValues operands = arguments.tensors("operand3");
    const auto branch = [&](std::string_view name) {
        const auto* body = attributeOf<SubgraphId>(ctx.node, name);
        if (body == nullptr) {
            ctx.invalid("needs two graphs", std::string(name));
        }
        ctx.onnx.beginBody();
        return ctx.onnx.endBody(ctx.translateSubgraph(*body, operands));
    };
    const OnnxValue given = emit::cast(ctx, arguments.tensor("operand0"), ElementType::Bool);
    const OnnxValue predicate = ctx.rank(given) == 0 ? given : emit::reshape(ctx, given, ctx.onnx.ints({}));
    const OnnxBody whenTrue = branch("operand1");
    const OnnxBody whenFalse = branch("operand2");
    return ctx.onnx.add("If", {predicate}, {{"then_branch", whenTrue}, {"else_branch", whenFalse}},
                        ctx.node.outputs.size());
}

constexpr OpRow rows[] = {
    {"higher_order::cond", condition, "If"},
};

} // namespace

std::span<const OpRow> controlOps()
{
    return rows;
}

} // namespace crosswalk::pytorch
