// Inserts slices into a tensor, or removes them.

#include "core/convert/forms/tensor/insert_delete.h"
#include "core/convert/emit.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/ops/tensor/scalar_operand.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace crosswalk::mxnet {
namespace {

/// The tensor that the node works on: flattened if axis is None.
struct Target {
    OnnxValue x;
    std::int64_t axis = 0;
};

Target target(const NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const auto axis = Attributes(ctx).optionalInteger("axis");
    if (axis) {
        return {x, ctx.axis(*axis, ctx.rank(x))};
    }
    return {ctx.rank(x) == 1 ? x : reshapeTo(ctx, x, {restTerm()}), 0};
}

std::int64_t counted(const NodeContext& ctx, std::int64_t place, std::int64_t size, std::string_view attribute)
{
    if (place < -size || place > size) {
        ctx.invalid(fmt::format("{} is outside of {}", place, size), std::string(attribute));
    }
    return place < 0 ? place + size : place;
}

/// The indices that start, stop and step select, as in Python's slices.
Ints slicePlaces(const NodeContext& ctx, std::int64_t size)
{
    const Attributes attributes(ctx);
    const std::int64_t step = attributes.integer("step", 1);
    if (step == 0) {
        ctx.invalid("step must not be 0", "step");
    }
    const auto end = [&](std::string_view name, std::int64_t fallback) {
        const auto given = attributes.optionalInteger(name);
        const std::int64_t place = given.value_or(fallback) + (given && *given < 0 ? size : 0);
        return step > 0 ? std::clamp<std::int64_t>(place, 0, size) : std::clamp<std::int64_t>(place, -1, size - 1);
    };
    const std::int64_t first = end("start", step > 0 ? 0 : size - 1);
    const std::int64_t last = end("stop", step > 0 ? size : -1);
    Ints places;
    for (std::int64_t i = first; step > 0 ? i < last : i > last; i += step) {
        places.push_back(i);
    }
    return places;
}

/// Stored indices, counted from the front.
std::optional<Ints> storedPlaces(const NodeContext& ctx, OnnxValue places, const Target& t)
{
    const Tensor* stored = ctx.onnx.content(places);
    const Dim& dim = ctx.shape(t.x)[static_cast<std::size_t>(t.axis)];
    if (stored == nullptr || !dim.isFixed() || stored->elements() > elementLimit) {
        return std::nullopt;
    }
    Ints list = stored->toInts();
    for (auto& place : list) {
        place = counted(ctx, place, dim.size, "obj");
    }
    return list;
}

/// Computed indices, counted from the front, as an int64 vector.
OnnxValue computedPlaces(const NodeContext& ctx, OnnxValue places, const Target& t)
{
    const OnnxValue given = emit::cast(ctx, places, ElementType::Int64);
    const OnnxValue list = ctx.rank(given) == 1 ? given : reshapeTo(ctx, given, {restTerm()});
    const OnnxValue zero = ctx.onnx.scalar(ElementType::Int64, 0);
    const OnnxValue moved = ctx.emit("Add", {list, emit::dimVector(ctx, t.x, t.axis)});
    return ctx.emit("Where", {ctx.emit("Less", {list, zero}), moved, list});
}

OnnxValues remove(NodeContext& ctx)
{
    const Target t = target(ctx);
    if (const auto place = Attributes(ctx).optionalInteger("int_ind")) {
        const std::int64_t size = ctx.fixedDim(t.x, t.axis);
        if (*place == size) {
            ctx.invalid(fmt::format("{} is outside of {}", *place, size), "int_ind");
        }
        return {deletedAt(ctx, t.x, t.axis, Ints{counted(ctx, *place, size, "int_ind")})};
    }
    if (!ctx.hasInput(1)) {
        return {deletedAt(ctx, t.x, t.axis, slicePlaces(ctx, ctx.fixedDim(t.x, t.axis)))};
    }
    if (const auto places = storedPlaces(ctx, ctx.input(1), t)) {
        return {deletedAt(ctx, t.x, t.axis, *places)};
    }
    return {deletedAt(ctx, t.x, t.axis, computedPlaces(ctx, ctx.input(1), t))};
}

/// The values to insert, in x's type and rank, `count` slices wide (1: as wide as they are) and as large as x in other
/// dimensions. For a single index the first axis of the values becomes the axis.
OnnxValue inserted(const NodeContext& ctx, const Target& t, OnnxValue values, std::int64_t count, bool isSingle)
{
    const std::size_t rank = ctx.rank(t.x);
    if (!values) {
        const ElementType type = ctx.element(t.x);
        values = ctx.onnx.scalar(type, castNumber(ctx, type, Attributes(ctx).number("val"), "val"));
    }
    values = emit::cast(ctx, values, ctx.element(t.x));
    if (ctx.rank(values) > rank) {
        if (rank != 1) {
            ctx.invalid(fmt::format("values of {} dimensions for {}", ctx.rank(values), rank));
        }
        values = reshapeTo(ctx, values, {restTerm()});
    }
    Ints front(rank - ctx.rank(values));
    std::iota(front.begin(), front.end(), 0);
    values = emit::unsqueeze(ctx, values, front);
    if (isSingle && t.axis != 0) {
        Ints order(rank);
        std::iota(order.begin(), order.end(), 0);
        std::rotate(order.begin(), order.iteratorAt(1), order.iteratorAt(t.axis + 1));
        values = emit::transpose(ctx, values, order);
    }
    ShapeTerms terms = termsOf(ctx, t.x);
    const auto along = static_cast<std::size_t>(t.axis);
    terms[along] = count == 1 ? termOf(ctx, values, {t.axis}) : fixedTerm(count);
    return knownShape(terms) == ctx.shape(values) ? values : expandTo(ctx, values, terms);
}

OnnxValue valuesOf(const NodeContext& ctx)
{
    return Attributes(ctx).has("val") ? OnnxValue{} : ctx.input(1);
}

OnnxValues insertAtPlace(NodeContext& ctx)
{
    const Target t = target(ctx);
    const std::int64_t place = counted(ctx, Attributes(ctx).integer("int_ind"), ctx.fixedDim(t.x, t.axis), "int_ind");
    const OnnxValue values = inserted(ctx, t, valuesOf(ctx), 1, true);
    return {insertedAt(ctx, t.x, t.axis, values, Ints(static_cast<std::size_t>(ctx.fixedDim(values, t.axis)), place))};
}

/// One index for each slice of the values, or one for all.
OnnxValue insertedOneEach(const NodeContext& ctx, const Target& t, Ints places)
{
    const OnnxValue values = inserted(ctx, t, valuesOf(ctx), static_cast<std::int64_t>(places.size()), false);
    if (places.size() == 1) {
        places.resize(static_cast<std::size_t>(ctx.fixedDim(values, t.axis)), places.front());
    }
    return insertedAt(ctx, t.x, t.axis, values, places);
}

OnnxValues insertAtSlice(NodeContext& ctx)
{
    const Target t = target(ctx);
    const Ints places = slicePlaces(ctx, ctx.fixedDim(t.x, t.axis));
    return {places.empty() ? t.x : insertedOneEach(ctx, t, places)};
}

OnnxValues insertAtPlaces(NodeContext& ctx)
{
    const Target t = target(ctx);
    const OnnxValue obj = ctx.input(valuesOf(ctx) ? 2 : 1);
    if (const auto places = storedPlaces(ctx, obj, t)) {
        return {places->empty() ? t.x : insertedOneEach(ctx, t, *places)};
    }
    const std::int64_t count = ctx.rank(obj) == 0 ? 1 : ctx.fixedDim(obj, 0);
    if (count == 0) {
        return {t.x};
    }
    const OnnxValue values = inserted(ctx, t, valuesOf(ctx), count, false);
    OnnxValue places = computedPlaces(ctx, obj, t);
    if (count == 1) {
        places = expandTo(ctx, places, {termOf(ctx, values, {t.axis})});
    }
    return {insertedAt(ctx, t.x, t.axis, values, places)};
}

} // namespace

std::span<const OpRow> numpyInsertDeleteOps()
{
    static constexpr OpRow rows[] = {
        {"_npi_delete", remove, "Gather, or Compress"},
        {"_npi_insert_scalar", insertAtPlace, "Concat, Gather"},
        {"_npi_insert_slice", insertAtSlice, "Concat, Gather"},
        {"_npi_insert_tensor", insertAtPlaces, "Concat, Gather"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
