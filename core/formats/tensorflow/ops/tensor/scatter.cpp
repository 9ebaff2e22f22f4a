// ScatterNd and TensorScatter*: the result of several updates of one element is defined except for the plain update.

#include "core/convert/forms/control/loops.h"
#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/slice_end.h"
#include "core/formats/tensorflow/lowering/lower.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <fmt/format.h>
#include <limits>

namespace crosswalk::tensorflow {
namespace {

/// Before ONNX's operator reduces: one update after the other, each of which reads the element before.
OnnxValue scatteredInTurn(const NodeContext& ctx, OnnxValue data, OnnxValue indices, OnnxValue updates,
                          const std::string& reduction)
{
    const auto join = reduction == "add"   ? arithmetic::add
                      : reduction == "max" ? arithmetic::maximum
                                           : arithmetic::minimum;
    const std::size_t outer = ctx.rank(indices) - 1;
    if (outer != 1) {
        // One row of indices for each update.
        const auto last = static_cast<std::int64_t>(outer);
        const OnnxValue behind = emit::slice(ctx, emit::shapeVector(ctx, updates), Ints{last},
                                             Ints{std::numeric_limits<std::int64_t>::max()}, Ints{0});
        const OnnxValue open = ctx.onnx.ints({-1});
        updates = emit::reshape(ctx, updates, emit::concat(ctx, {open, behind}, 0));
        indices = emit::reshape(ctx, indices, emit::concat(ctx, {open, emit::dimVector(ctx, indices, last)}, 0));
    }
    return scan(ctx, {data}, {indices, updates},
                [&](const OnnxValues& states, const OnnxValues& elements) -> ScanStep {
                    const OnnxValue index = emit::unsqueeze(ctx, elements[0], {0});
                    const OnnxValue before = ctx.emit("GatherND", {states[0], index});
                    const OnnxValue update = join(ctx, before, emit::unsqueeze(ctx, elements[1], {0}));
                    return {{ctx.emit("ScatterND", {states[0], index, update})}, {}};
                })
        .states.front();
}

OnnxValue scattered(const NodeContext& ctx, OnnxValue data, OnnxValue indices, OnnxValue updates,
                    const std::string& reduction)
{
    const OnnxValue places = asInt64(ctx, indices);
    if (reduction == "none") {
        return ctx.emit("ScatterND", {data, places, updates});
    }
    if (reduction != "add" && isFloating(ctx.element(updates))) {
        // A NaN does not replace an element.
        const OnnxValue wide = emit::cast(ctx, updates, widened(ctx.element(updates)));
        const double weakest = std::numeric_limits<double>::infinity() * (reduction == "max" ? -1 : 1);
        const OnnxValue isNan = ctx.emit(
            "IsNaN", {ctx.element(wide) == ElementType::Float16 ? emit::cast(ctx, wide, ElementType::Float32) : wide});
        const OnnxValue present = ctx.emit("Where", {isNan, emit::scalarLike(ctx, wide, weakest), wide});
        updates = emit::cast(ctx, present, ctx.element(updates));
    }
    if (ctx.onnx.opset() < (reduction == "add" ? 16 : 18)) {
        return scatteredInTurn(ctx, data, places, updates, reduction);
    }
    // ONNX Runtime does not reduce half precision here.
    const ElementType own = ctx.element(data);
    const bool isHalf = own == ElementType::Float16 || own == ElementType::BFloat16;
    const ElementType type = isHalf ? ElementType::Float32 : own;
    const OnnxValues wide{emit::cast(ctx, data, type), places, emit::cast(ctx, updates, type)};
    const OnnxValue result = ctx.emit("ScatterND", wide, {{"reduction", reduction}});
    if (reduction == "add" || !isFloating(own)) {
        return emit::cast(ctx, result, own);
    }
    // Nothing replaces a NaN.
    return emit::cast(ctx, ctx.emit("Where", {ctx.emit("IsNaN", {wide[0]}), wide[0], result}), own);
}

/// Updates of one element add up.
OnnxValues scatterNd(NodeContext& ctx)
{
    const OnnxValue updates = ctx.input(1);
    const ElementType type = ctx.element(updates);
    if (type == ElementType::String) {
        ctx.refuse(fmt::format("ScatterNd of {}", elementTypeName(type)), "T");
    }
    if (type == ElementType::Bool) { // true if any update is
        const OnnxValue counts = filledTo(ctx, ElementType::Int32, 0, intVector(ctx, ctx.input(2)));
        const OnnxValue ones = emit::cast(ctx, updates, ElementType::Int32);
        return {emit::cast(ctx, scattered(ctx, counts, ctx.input(0), ones, "add"), type)};
    }
    const OnnxValue zeros = filledTo(ctx, type, 0, intVector(ctx, ctx.input(2)));
    return {scattered(ctx, zeros, ctx.input(0), updates, "add")};
}

/// The updates of a TensorScatter. One that is a write to rows of a variable can have a scalar for all elements.
OnnxValue updatesOf(const NodeContext& ctx)
{
    const OnnxValue updates = ctx.input(2);
    if (ctx.node.attribute(updatesRows) == nullptr || ctx.rank(updates) != 0) {
        return updates;
    }
    const OnnxValue count = emit::slice(ctx, emit::shapeVector(ctx, ctx.input(1)), Ints{0}, Ints{-1}, Ints{0});
    const OnnxValue row = emit::slice(ctx, emit::shapeVector(ctx, ctx.input(0)), Ints{1}, Ints{emit::farEnd}, Ints{0});
    return emit::expand(ctx, updates, emit::concat(ctx, {count, row}, 0));
}

OnnxValues update(NodeContext& ctx)
{
    return {scattered(ctx, ctx.input(0), ctx.input(1), updatesOf(ctx), "none")};
}

OnnxValues add(NodeContext& ctx)
{
    return {scattered(ctx, ctx.input(0), ctx.input(1), updatesOf(ctx), "add")};
}

OnnxValue negated(const NodeContext& ctx, OnnxValue x)
{
    return arithmetic::subtract(ctx, emit::scalarLike(ctx, x, 0), x);
}

OnnxValues subtract(NodeContext& ctx)
{
    return {scattered(ctx, ctx.input(0), ctx.input(1), negated(ctx, updatesOf(ctx)), "add")};
}

OnnxValues largest(NodeContext& ctx)
{
    return {scattered(ctx, ctx.input(0), ctx.input(1), updatesOf(ctx), "max")};
}

OnnxValues smallest(NodeContext& ctx)
{
    return {scattered(ctx, ctx.input(0), ctx.input(1), updatesOf(ctx), "min")};
}

/// The rows of x that input 1 numbers in one dimension; numbers out of range count on from the other end.
OnnxValue numberedRows(const NodeContext& ctx)
{
    const OnnxValue rows = asInt64(ctx, ctx.input(1));
    return emit::unsqueeze(ctx, ctx.emit("Mod", {rows, emit::dimVector(ctx, ctx.input(0), 0)}), {1});
}

/// Of equal numbers the last one counts, as in TensorFlow.
OnnxValues updatedRows(NodeContext& ctx)
{
    return {scattered(ctx, ctx.input(0), numberedRows(ctx), ctx.input(2), "none")};
}

OnnxValues increasedRows(NodeContext& ctx)
{
    return {scattered(ctx, ctx.input(0), numberedRows(ctx), ctx.input(2), "add")};
}

OnnxValues decreasedRows(NodeContext& ctx)
{
    return {scattered(ctx, ctx.input(0), numberedRows(ctx), negated(ctx, ctx.input(2)), "add")};
}

/// x with its elements where their values are.
OnnxValues invertPermutation(NodeContext& ctx)
{
    const OnnxValue x = asInt64(ctx, ctx.input(0));
    const OnnxValue places = countTo(ctx, emit::dimVector(ctx, x, 0));
    return {emit::cast(ctx, ctx.emit("ScatterElements", {x, x, places}, {{"axis", 0}}), ctx.element(ctx.input(0)))};
}

} // namespace

std::span<const OpRow> scatterOps()
{
    static constexpr OpRow rows[] = {
        {"InplaceAdd", increasedRows, "ScatterND"},   {"InplaceSub", decreasedRows, "ScatterND"},
        {"InplaceUpdate", updatedRows, "ScatterND"},  {"InvertPermutation", invertPermutation, "ScatterElements"},
        {"ScatterNd", scatterNd, "ScatterND"},        {"ScatterNdNonAliasingAdd", add, "ScatterND"},
        {"TensorScatterAdd", add, "ScatterND"},       {"TensorScatterMax", largest, "ScatterND"},
        {"TensorScatterMin", smallest, "ScatterND"},  {"TensorScatterSub", subtract, "ScatterND"},
        {"TensorScatterUpdate", update, "ScatterND"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
