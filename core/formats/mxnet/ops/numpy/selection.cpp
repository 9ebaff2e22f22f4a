// Elements selected by a condition or by value.

#include "core/convert/emit.h"
#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/tensor/reduce.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/ops/tensor/scalar_operand.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace crosswalk::mxnet {
namespace {

/// Through int32 for the types that ONNX Runtime's Where lacks.
OnnxValue chosen(const NodeContext& ctx, OnnxValue condition, OnnxValue a, OnnxValue b)
{
    const ElementType own = ctx.element(a);
    const bool isLacking =
        own == ElementType::Bool || own == ElementType::Int8 || own == ElementType::Int16 || own == ElementType::UInt16;
    const OnnxValue truth = emit::cast(ctx, condition, ElementType::Bool);
    return computedAs(ctx, isLacking ? ElementType::Int32 : own, a, b, [&](OnnxValue x, OnnxValue y) {
        return ctx.emit("Where", {truth, x, y});
    });
}

OnnxValue numberLike(const NodeContext& ctx, OnnxValue x, std::string_view attribute = "scalar")
{
    const ElementType type = ctx.element(x);
    const double number = Attributes(ctx).number(attribute);
    return ctx.onnx.scalar(type, castNumber(ctx, type, number, attribute));
}

OnnxValues where(NodeContext& ctx)
{
    if (ctx.element(ctx.input(1)) != ctx.element(ctx.input(2))) {
        ctx.invalid(fmt::format("where of {} and {}: MXNet requires one type",
                                elementTypeName(ctx.element(ctx.input(1))),
                                elementTypeName(ctx.element(ctx.input(2)))));
    }
    return {chosen(ctx, ctx.input(0), ctx.input(1), ctx.input(2))};
}

OnnxValues numberWhere(NodeContext& ctx)
{
    return {chosen(ctx, ctx.input(0), numberLike(ctx, ctx.input(1)), ctx.input(1))};
}

OnnxValues whereNumber(NodeContext& ctx)
{
    return {chosen(ctx, ctx.input(0), ctx.input(1), numberLike(ctx, ctx.input(1)))};
}

OnnxValues whereNumbers(NodeContext& ctx)
{
    const auto number = [&](std::string_view name) {
        return ctx.onnx.scalar(ElementType::Float32, Attributes(ctx).number(name));
    };
    return {chosen(ctx, ctx.input(0), number("x"), number("y"))};
}

/// The mask of an assignment, which covers some axes of the data from `start_axis` on.
struct AssignmentMask {
    explicit AssignmentMask(const NodeContext& ctx)
        : values(emit::cast(ctx, ctx.input(1), ElementType::Bool))
        , first(Attributes(ctx).integer("start_axis", 0))
        , count(static_cast<std::int64_t>(ctx.rank(values)))
        , rank(static_cast<std::int64_t>(ctx.rank(ctx.input(0))))
    {
        if (first < 0 || count < 1 || first + count > rank) {
            ctx.invalid(fmt::format("a mask of {} dimensions from axis {} on, for data of {}", count, first, rank),
                        "start_axis");
        }
    }

    OnnxValue values;
    std::int64_t first;
    std::int64_t count;
    std::int64_t rank;
};

OnnxValues numberAssigned(NodeContext& ctx)
{
    const AssignmentMask mask(ctx);
    const OnnxValue x = ctx.input(0);
    Ints behind(static_cast<std::size_t>(mask.rank - mask.first - mask.count));
    std::iota(behind.begin(), behind.end(), mask.count);
    return {chosen(ctx, emit::unsqueeze(ctx, mask.values, behind), numberLike(ctx, x, "value"), x)};
}

/// A value for each position of the mask, or one for all: (axes before the mask, positions, axes after it).
OnnxValues tensorAssigned(NodeContext& ctx)
{
    const AssignmentMask mask(ctx);
    const OnnxValue x = ctx.input(0);
    OnnxValue value = ctx.input(2);
    const auto others = static_cast<std::size_t>(mask.rank - mask.count);
    const auto& dims = ctx.shape(value);
    const bool isNumber = std::all_of(dims.begin(), dims.end(), [](const Dim& dim) { return dim == Dim(1); });
    if (!isNumber && dims.size() == others) {
        value = emit::unsqueeze(ctx, value, {mask.first});
    } else if (!isNumber && dims.size() != others + 1) {
        ctx.invalid(fmt::format("a value of {} dimensions for data of {} and a mask of {}", dims.size(), mask.rank,
                                mask.count));
    } else if (isNumber) {
        value = emit::reshape(ctx, value, Ints(others + 1, 1));
    }
    // ScatterND requires the positions first.
    Ints order(static_cast<std::size_t>(mask.count));
    std::iota(order.begin(), order.end(), mask.first);
    for (std::int64_t i = 0; i < mask.rank; ++i) {
        if (i < mask.first || i >= mask.first + mask.count) {
            order.push_back(i);
        }
    }
    Ints back(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
    }
    Ints ofValue(others + 1);
    std::iota(ofValue.begin(), ofValue.end(), 0);
    std::rotate(ofValue.begin(), ofValue.iteratorAt(mask.first), ofValue.iteratorAt(mask.first + 1));
    const OnnxValue data = emit::transpose(ctx, x, order);
    const OnnxValue places = emit::transpose(ctx, ctx.emit("NonZero", {mask.values}), {1, 0});
    OnnxValues sizes{emit::dimVector(ctx, places, 0)};
    for (std::int64_t i = mask.count; i < mask.rank; ++i) {
        sizes.push_back(emit::dimVector(ctx, data, i));
    }
    const OnnxValue spread = emit::expand(ctx, emit::transpose(ctx, value, ofValue), emit::concat(ctx, sizes, 0));
    return {emit::transpose(ctx, ctx.emit("ScatterND", {data, places, spread}), back)};
}

/// For an output whose size depends on the data, MXNet's executor before version 2 returns an empty tensor, its gluon
/// blocks the whole result: the expected result is ambiguous. Inside a graph only the latter works.
void expectInside(const NodeContext& ctx)
{
    if (isOfVersion2(ctx)) {
        return;
    }
    for (const ValueId value : ctx.node.outputs) {
        const auto& outputs = ctx.graph.outputs;
        if (std::find(outputs.begin(), outputs.end(), value) != outputs.end()) {
            ctx.refuse(
                fmt::format(
                    "as an output of the model, {} is empty in MXNet's executor but complete in its gluon blocks",
                    ctx.node.op),
                {}, "append another operator to it, _np_copy or a Cast");
        }
    }
}

/// The positions of nonzero elements, one row each.
OnnxValues nonZero(NodeContext& ctx)
{
    expectInside(ctx);
    const OnnxValue truth = emit::cast(ctx, ctx.input(0), ElementType::Bool);
    const OnnxValue found = ctx.emit("NonZero", {ctx.rank(truth) == 0 ? emit::unsqueeze(ctx, truth, {0}) : truth});
    return {emit::transpose(ctx, found, {1, 0})};
}

/// The unique elements in order (or slices along an axis) and, if requested, the index of the first occurrence of each,
/// the index of each element among the unique ones, and the counts.
OnnxValues unique(NodeContext& ctx)
{
    expectInside(ctx);
    const Attributes attributes(ctx);
    const OnnxValue source = ctx.input(0);
    const ElementType own = ctx.element(source);
    const auto axis = attributes.optionalInteger("axis");
    const ElementType type = own == ElementType::Float16 ? ElementType::Float32
                             : isFloating(own)           ? own
                                                         : ElementType::Int64;
    OnnxAttributes settings{{"sorted", 1}};
    if (axis) {
        settings.emplace_back("axis", ctx.axis(*axis, ctx.rank(source)));
    }
    const OnnxValue x = ctx.rank(source) == 0 ? emit::unsqueeze(ctx, source, {0}) : source;
    const OnnxValues found = ctx.onnx.add("Unique", {emit::cast(ctx, x, type)}, settings, 4);
    OnnxValues results{emit::cast(ctx, found[0], own)};
    std::size_t place = 1;
    for (const std::string_view name : {"return_index", "return_inverse", "return_counts"}) {
        if (attributes.boolean(name, false)) {
            results.push_back(found[place]);
        }
        ++place;
    }
    return results;
}

/// The count of each number, or the sum of its weights.
OnnxValues countNumbers(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const OnnxValue x = emit::cast(ctx, ctx.input(0), ElementType::Int64);
    const bool isWeighted = attributes.boolean("has_weights", false);
    const auto whole = [&](std::int64_t value) {
        return ctx.onnx.scalar(ElementType::Int64, static_cast<double>(value));
    };
    OnnxValue count = whole(attributes.integer("minlength", 0));
    if (ctx.shape(x).size() != 1) {
        ctx.invalid("bincount takes vectors");
    }
    if (ctx.shape(x).front() != Dim(0)) {
        const OnnxValue needed = ctx.emit("Add", {emit::reduce(ctx, "ReduceMax", x, {0}, false), whole(1)});
        count = arithmetic::maximum(ctx, needed, count);
    }
    const OnnxValue slots = emit::unsqueeze(ctx, ctx.emit("Range", {whole(0), count, whole(1)}), {1});
    const OnnxValue isHere = ctx.emit("Equal", {slots, x});
    if (!isWeighted) {
        const OnnxValue counts =
            reducedAlong(ctx, "ReduceSum", emit::cast(ctx, isHere, ElementType::Int64), {1}, false);
        return {emit::cast(ctx, counts, ctx.element(ctx.input(0)))};
    }
    const OnnxValue weights = ctx.input(1);
    const OnnxValue parts = arithmetic::multiply(ctx, emit::cast(ctx, isHere, ctx.element(weights)), weights);
    return {reducedAlong(ctx, "ReduceSum", parts, {1}, false)};
}

/// Whether the whole condition holds. ONNX cannot abort if it does not.
OnnxValues constraint(NodeContext& ctx)
{
    ctx.note("unchecked", "the condition is computed, but the model does not stop if it is false");
    const OnnxValue isFalse = ctx.emit("Not", {emit::cast(ctx, ctx.input(0), ElementType::Bool)});
    const OnnxValue counted = emit::cast(ctx, isFalse, ElementType::Int32);
    return {ctx.emit("Not", {emit::cast(ctx, emit::reduce(ctx, "ReduceSum", counted, {}, false), ElementType::Bool)})};
}

/// x[indices]: by integers along the first axis, by a mask along as many axes as it has.
OnnxValues indexed(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const OnnxValue indices = ctx.input(1);
    if (ctx.element(indices) != ElementType::Bool) {
        return {emit::gather(ctx, x, emit::cast(ctx, indices, ElementType::Int64), 0)};
    }
    if (ctx.rank(indices) == 1) {
        return {ctx.emit("Compress", {x, indices}, {{"axis", 0}})};
    }
    if (ctx.rank(indices) == 0) {
        ctx.refuse("a scalar as a mask");
    }
    return {ctx.emit("GatherND", {x, emit::transpose(ctx, ctx.emit("NonZero", {indices}), {1, 0})})};
}

} // namespace

std::span<const OpRow> numpySelectionOps()
{
    static constexpr OpRow rows[] = {
        {"_npi_advanced_indexing", indexed, "Gather, Compress or GatherND"},
        {"_npi_bincount", countNumbers, "Range, Equal, ReduceSum"},
        {"_npi_boolean_mask_assign_scalar", numberAssigned, "Where"},
        {"_npi_boolean_mask_assign_tensor", tensorAssigned, "NonZero, ScatterND"},
        {"_npi_unique", unique, "Unique"},
        {"_npi_where", where, "Where"},
        {"_npi_where_lscalar", numberWhere, "Where"},
        {"_npi_where_rscalar", whereNumber, "Where"},
        {"_npi_where_scalar2", whereNumbers, "Where"},
        {"_npx_constraint_check", constraint, "Not, ReduceSum", Support::Exact,
         "the model does not stop if the condition is false"},
        {"_npx_nonzero", nonZero, "NonZero, Transpose"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
