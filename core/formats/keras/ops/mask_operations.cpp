// The operators that lowering makes for masks.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/reduce.h"
#include "core/formats/keras/layer_graph.h"
#include "core/formats/keras/mask_propagation.h"
#include "core/formats/keras/ops/keras_families.h"

#include <numeric>

namespace crosswalk::keras {
namespace {

OnnxValues ofIds(const Layer& layer)
{
    const OnnxValue x = layer.input(0);
    if (!isNumeric(layer.ctx.element(x))) {
        throw UnknownShape("unsupported-operator", "the numbers of the tokens are unknown"); // behind a gap
    }
    return {arithmetic::notEqual(layer.ctx, x, emit::scalarLike(layer.ctx, x, 0))};
}

OnnxValues ofValues(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = layer.input(0);
    const OnnxValue value = emit::scalarLike(ctx, x, layer.settings.number("mask_value", 0));
    const Ints last{static_cast<std::int64_t>(ctx.rank(x)) - 1};
    return {anyAlong(ctx, arithmetic::notEqual(ctx, x, value), last, false)};
}

OnnxValue combinedMasks(const Layer& layer, arithmetic::Binary operation)
{
    const OnnxValues& masks = layer.inputs();
    return std::accumulate(masks.iteratorAt(1), masks.end(), layer.input(0),
                           [&](OnnxValue a, OnnxValue b) { return operation(layer.ctx, a, b); });
}

OnnxValues allOf(const Layer& layer)
{
    return {combinedMasks(layer, arithmetic::logicalAnd)};
}

OnnxValues anyOf(const Layer& layer)
{
    return {combinedMasks(layer, arithmetic::logicalOr)};
}

/// A mask lacks the last axis of its tensor. Along that one, Keras 2 takes what is valid in all, Keras 3 in any.
OnnxValues oneAfterOther(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const std::size_t rank = ctx.rank(layer.input(0));
    const std::int64_t axis = ctx.axis(layer.settings.integer("axis"), rank + 1);
    if (axis == static_cast<std::int64_t>(rank)) {
        return layer.major() >= 3 ? anyOf(layer) : allOf(layer);
    }
    return {emit::concat(ctx, layer.inputs(), axis)};
}

OnnxValues ofAllElements(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = layer.input(0);
    OnnxValues sizes;
    for (std::size_t i = 0; i + 1 < ctx.rank(x); ++i) {
        sizes.push_back(emit::dimVector(ctx, x, static_cast<std::int64_t>(i)));
    }
    return {filledTo(ctx, ElementType::Bool, 1, emit::concat(ctx, sizes, 0))};
}

OnnxValues ofSteps(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue mask = layer.input(0);
    Ints axes;
    for (std::int64_t i = layer.settings.integer("time", 1) + 1; i < static_cast<std::int64_t>(ctx.rank(mask)); ++i) {
        axes.push_back(i);
    }
    return {axes.empty() ? mask : anyAlong(ctx, mask, axes, false)};
}

/// Only lowering heeds the mask.
OnnxValues firstOperand(const Layer& layer)
{
    return {layer.input(0)};
}

} // namespace

std::span<const OpRow> maskOperations()
{
    static constexpr OpRow rows[] = {
        {attachMask, firstOperand, ""},        {maskAnd, allOf, "And"},
        {maskJoin, oneAfterOther, "Concat"},   {maskOfAll, ofAllElements, "Expand"},
        {maskOfIds, ofIds, "Not, Equal"},      {maskOfSteps, ofSteps, "Cast, ReduceMax"},
        {maskOfValues, ofValues, "ReduceMax"}, {maskOr, anyOf, "Or"},
    };
    return rows;
}

} // namespace crosswalk::keras
