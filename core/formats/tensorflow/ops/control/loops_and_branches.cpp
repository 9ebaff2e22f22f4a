// While and If created by lowering, and the rows of lists.

#include "core/convert/emit.h"
#include "core/convert/forms/control/carried_loop.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/formats/tensorflow/lowering/recurrent_loops.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"
#include "core/graph/attributes.h"

#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

using Difference = OnnxValues::difference_type;

OnnxValues joined(OnnxValues first, const OnnxValues& second)
{
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

/// A condition of TensorFlow as a bool scalar: a scalar is true if it is not 0, a non-scalar tensor if it has elements.
OnnxValue truth(NodeContext& ctx, OnnxValue value)
{
    const auto isPositive = [&](OnnxValue count) {
        return ctx.emit("Greater", {count, ctx.onnx.scalar(ctx.element(count), 0)});
    };
    const std::optional<Shape> shape = ctx.onnx.shape(value);
    if (shape && !shape->empty()) {
        return isPositive(ctx.emit("Size", {value}));
    }
    if (ctx.element(value) == ElementType::String) {
        ctx.refuse("its condition is a string, which ONNX does not convert to bool");
    }
    const OnnxValue flag = emit::cast(ctx, value, ElementType::Bool);
    if (shape) {
        return flag;
    }
    const OnnxValue hasElements = isPositive(ctx.emit("Size", {value}));
    const OnnxValue hasAxes = isPositive(ctx.emit("Size", {ctx.emit("Shape", {value})}));
    const OnnxValue trueElements = emit::reduce(ctx, "ReduceSum", emit::cast(ctx, flag, ElementType::Int32), {}, false);
    return ctx.emit("And", {hasElements, ctx.emit("Or", {hasAxes, isPositive(trueElements)})});
}

SubgraphId bodyOf(const NodeContext& ctx, std::string_view name)
{
    return *attributeOf<SubgraphId>(ctx.node, name);
}

OnnxValues whileLoop(NodeContext& ctx)
{
    const auto rows = static_cast<std::size_t>(intOf(ctx.node, "stacked_outputs", 0));
    const auto variables = static_cast<Difference>(ctx.node.outputs.size() - rows);
    const auto border = variables + static_cast<Difference>(intOf(ctx.node, "condition_captures", 0));
    const OnnxValues& inputs = ctx.inputs();
    const OnnxValues initial(inputs.begin(), inputs.iteratorAt(variables));
    const OnnxValues conditionCaptures(inputs.iteratorAt(variables), inputs.iteratorAt(border));
    const OnnxValues bodyCaptures(inputs.iteratorAt(border), inputs.end());
    const auto goesOn = [&](const OnnxValues& states) {
        return truth(ctx, ctx.translateSubgraph(bodyOf(ctx, "cond"), joined(states, conditionCaptures)).at(0));
    };
    const OnnxValue begins = goesOn(initial);
    const auto step = [&](OnnxValue /*iteration*/, const OnnxValues& states) {
        const OnnxValues results = ctx.translateSubgraph(bodyOf(ctx, "body"), joined(states, bodyCaptures));
        const OnnxValues next(results.begin(), results.iteratorAt(variables));
        return forms::CarriedStep{goesOn(next), next, {results.iteratorAt(variables), results.end()}};
    };
    OnnxValues made = forms::carriedLoop(ctx, {}, begins, initial, step);
    if (const auto* difference = attributeOf<std::string>(ctx.node, stepDifference)) {
        ctx.note("rnn-step",
                 "its step has recurrent weights, but it is not an LSTM, GRU or RNN of ONNX: " + *difference);
    }
    return made;
}

OnnxValues conditional(NodeContext& ctx)
{
    const auto border = 1 + static_cast<Difference>(intOf(ctx.node, "then_captures", 0));
    const OnnxValues& inputs = ctx.inputs();
    const auto branch = [&](std::string_view name, const OnnxValues& captures) {
        ctx.onnx.beginBody();
        return ctx.onnx.endBody(ctx.translateSubgraph(bodyOf(ctx, name), captures));
    };
    const OnnxValue condition = truth(ctx, ctx.input(0));
    const OnnxBody then = branch("then_branch", {inputs.iteratorAt(1), inputs.iteratorAt(border)});
    const OnnxBody otherwise = branch("else_branch", {inputs.iteratorAt(border), inputs.end()});
    return ctx.onnx.add("If", {condition}, {{"then_branch", then}, {"else_branch", otherwise}},
                        ctx.node.outputs.size());
}

/// Pads a tensor with rows of zeros to a number of rows.
OnnxValues extendRows(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const std::size_t rank = ctx.rank(x);
    const OnnxValue size = emit::reshape(ctx, emit::cast(ctx, ctx.input(1), ElementType::Int64), Ints{1});
    const OnnxValue difference = ctx.emit("Sub", {size, emit::dimVector(ctx, x, 0)});
    const OnnxValue missing = ctx.emit("Max", {difference, ctx.onnx.ints({0})});
    const OnnxValue before = ctx.onnx.ints(Ints(rank, 0));
    OnnxValues pads{before, missing};
    if (rank > 1) {
        pads.push_back(ctx.onnx.ints(Ints(rank - 1, 0)));
    }
    return {ctx.emit("Pad", {x, emit::concat(ctx, pads, 0), emit::scalarLike(ctx, x, 0)})};
}

/// Prepends rows of zeros to a tensor; input 1 contains their number. A negative number fails at run time, as writing
/// to a negative index does in TensorFlow.
OnnxValues prependRows(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const std::size_t rank = ctx.rank(x);
    OnnxValue dims = emit::reshape(ctx, emit::cast(ctx, ctx.input(1), ElementType::Int64), Ints{1});
    if (rank > 1) {
        const OnnxValue ofRow =
            emit::slice(ctx, emit::shapeVector(ctx, x), Ints{1}, Ints{static_cast<std::int64_t>(rank)}, Ints{0});
        dims = emit::concat(ctx, {dims, ofRow}, 0);
    }
    return {emit::concat(ctx, {constantOfShape(ctx, ctx.element(x), dims, 0), x}, 0)};
}

} // namespace

std::span<const OpRow> loopOps()
{
    static constexpr OpRow rows[] = {
        {"ExtendRows", extendRows, "Pad"},
        {"If", conditional, "If"},
        {"PrependRows", prependRows, "ConstantOfShape, Concat"},
        {"While", whileLoop, "Loop"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
