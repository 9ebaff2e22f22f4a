// Control flow, whose branches are graphs of their own.

#include "core/convert/forms/control/loops.h"
#include "core/formats/pytorch/ops/operator_arguments.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"
#include "core/formats/pytorch/ops/reshaping.h"
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
    const OnnxValue predicate = asScalar(ctx, given);
    const OnnxBody whenTrue = branch("operand1");
    const OnnxBody whenFalse = branch("operand2");
    return ctx.onnx.add("If", {predicate}, {{"then_branch", whenTrue}, {"else_branch", whenFalse}},
                        ctx.node.outputs.size());
}

OnnxValues appended(OnnxValues first, const OnnxValues& second)
{
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

/// The results of a graph; each is a node of its own, as the outputs of a body have to be.
OnnxValues resultsOf(const NodeContext& ctx, SubgraphId body, const OnnxValues& operands)
{
    OnnxValues results = ctx.translateSubgraph(body, operands);
    for (OnnxValue& result : results) {
        result = ctx.emit("Identity", {result});
    }
    return results;
}

/// while_loop(condition, body, carried, others): both graphs take the carried values and the others.
OnnxValues whileLoop(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const SubgraphId condition = bodyOf(ctx, "operand0");
    const SubgraphId body = bodyOf(ctx, "operand1");
    const OnnxValues states = arguments.tensors("operand2");
    const OnnxValues others = arguments.tensors("operand3");
    const auto goesOn = [&](const OnnxValues& carried) {
        const OnnxValues results = ctx.translateSubgraph(condition, appended(carried, others));
        if (results.size() != 1) {
            ctx.invalid("the condition of a loop has one result", "operand0");
        }
        const OnnxValue truth = emit::cast(ctx, results[0], ElementType::Bool);
        return asScalar(ctx, truth);
    };
    const OnnxValue first = goesOn(states);
    ctx.onnx.beginBody();
    ctx.onnx.bodyInput({ElementType::Int64, Shape{}});
    ctx.onnx.bodyInput({ElementType::Bool, Shape{}});
    OnnxValues carried;
    for (const OnnxValue state : states) {
        carried.push_back(ctx.onnx.bodyInput({ctx.element(state), ctx.shape(state)}));
    }
    const OnnxValues next = resultsOf(ctx, body, appended(carried, others));
    if (next.size() != states.size()) {
        ctx.invalid("the body of a loop returns another number of values than it carries", "operand1");
    }
    for (std::size_t i = 0; i < next.size(); ++i) {
        if (ctx.rank(next[i]) != ctx.rank(states[i]) || ctx.element(next[i]) != ctx.element(states[i])) {
            ctx.refuse("a value changes its rank or type in the loop", "operand1");
        }
    }
    const OnnxValue again = ctx.emit("Identity", {goesOn(next)});
    const OnnxBody made = ctx.onnx.endBody(appended({again}, next));
    OnnxValues last = ctx.onnx.add("Loop", appended({OnnxValue{}, first}, states), {{"body", made}}, states.size());
    for (std::size_t i = 0; i < last.size(); ++i) {
        ctx.onnx.refine(last[i], Shape(ctx.rank(states[i])));
    }
    return last;
}

/// map_impl(body, mapped, others): the body takes an element of each mapped value.
OnnxValues mapElements(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const SubgraphId body = bodyOf(ctx, "operand0");
    const OnnxValues others = arguments.tensors("operand2");
    return forms::forEach(ctx, arguments.tensors("operand1"),
                          [&](const OnnxValues& elements) { return resultsOf(ctx, body, appended(elements, others)); });
}

/// scan(body, states, elements, others): the body returns the next states, and what is stacked.
OnnxValues scanElements(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const SubgraphId body = bodyOf(ctx, "operand0");
    const OnnxValues states = arguments.tensors("operand1");
    const OnnxValues others = arguments.tensors("operand3");
    const auto scanned = forms::scan(
        ctx, states, arguments.tensors("operand2"), [&](const OnnxValues& carried, const OnnxValues& elements) {
            const OnnxValues results = resultsOf(ctx, body, appended(appended(carried, elements), others));
            if (results.size() < states.size()) {
                ctx.invalid("the body returns fewer values than it carries", "operand0");
            }
            const auto border = results.iteratorAt(states.size());
            return forms::ScanStep{{results.begin(), border}, {border, results.end()}};
        });
    return appended(scanned.states, scanned.stacked);
}

OnnxValues autocast(NodeContext& ctx)
{
    ctx.refuse("autocast, which computes some operators in lower precision, is not supported", {},
               "export the model with enabled=False");
}

} // namespace

std::span<const OpRow> controlOps()
{
    static constexpr OpRow rows[] = {
        {"higher_order::while_loop", whileLoop, "Loop"},
        {"higher_order::map_impl", mapElements, "Scan"},
        {"higher_order::scan", scanElements, "Scan"},
        {"higher_order::cond", condition, "If"},
        {"higher_order::wrap_with_autocast", autocast, "", Support::NotSupported, "unless it is disabled"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
