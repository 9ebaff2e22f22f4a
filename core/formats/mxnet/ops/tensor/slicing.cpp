// Slices of a tensor, and assignment to slices.

#include "core/convert/emit.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/convert/slice_end.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/ops/tensor/scalar_operand.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

/// One axis of a slice, as ONNX's Slice takes it.
struct Range {
    std::int64_t axis = 0;
    std::int64_t begin = 0;
    std::int64_t end = emit::farEnd;
    std::int64_t step = 1;
};
using Ranges = std::vector<Range>;
using OptionalInt = std::optional<std::int64_t>;

/// A range in a dimension of known size, with its ends normalized as in MXNet. For a start before the first element of
/// a backward slice MXNet returns an empty range, while ONNX would clamp it.
Range resolved(std::int64_t axis, std::int64_t size, OptionalInt begin, OptionalInt end, std::int64_t step)
{
    std::int64_t first = begin.value_or(step < 0 ? size - 1 : 0);
    std::int64_t last = end.value_or(step < 0 ? -1 : size);
    first += first < 0 && begin ? size : 0;
    last += last < 0 && end ? size : 0;
    first = step > 0 ? std::max<std::int64_t>(first, 0) : std::min(first, size - 1);
    last = std::clamp<std::int64_t>(last, -1, size);
    if (first < 0 || first >= size || (step > 0 ? last <= first : last >= first)) {
        return {axis, 0, 0, 1};
    }
    return {axis, first, last < 0 ? -emit::farEnd : last, step};
}

Range openRange(std::int64_t axis, OptionalInt begin, OptionalInt end, std::int64_t step)
{
    return {axis, begin.value_or(step < 0 ? emit::farEnd : 0), end.value_or(step < 0 ? -emit::farEnd : emit::farEnd),
            step};
}

/// The axes that the node's begin, end and step slice.
Ranges rangesOf(const NodeContext& ctx, OnnxValue x)
{
    const Attributes attributes(ctx);
    const auto begin = attributes.optionalInts("begin");
    const auto end = attributes.optionalInts("end");
    auto step = attributes.optionalInts("step");
    const Shape& shape = ctx.shape(x);
    if (begin.size() != end.size() || begin.size() > shape.size()) {
        ctx.invalid(fmt::format("begin and end have {} and {} entries for {} dimensions", begin.size(), end.size(),
                                shape.size()),
                    "begin");
    }
    if (!step.empty() && step.size() != begin.size()) {
        ctx.invalid(fmt::format("step has {} entries, but begin has {}", step.size(), begin.size()), "step");
    }
    step.resize(begin.size());
    Ranges ranges;
    for (std::size_t i = 0; i < begin.size(); ++i) {
        const std::int64_t stride = step[i].value_or(1);
        if (stride == 0) {
            ctx.invalid("step must not be 0", "step");
        }
        if ((!begin[i] && !end[i] && stride == 1) || (begin[i] == 0 && !end[i] && stride == 1)) {
            continue;
        }
        const auto axis = static_cast<std::int64_t>(i);
        if (!shape[i].isFixed()) {
            ranges.push_back(openRange(axis, begin[i], end[i], stride));
            continue;
        }
        const Range range = resolved(axis, shape[i].size, begin[i], end[i], stride);
        if (range.begin != 0 || range.end != shape[i].size || range.step != 1) {
            ranges.push_back(range);
        }
    }
    return ranges;
}

OnnxValue cut(const NodeContext& ctx, OnnxValue x, const Ranges& ranges)
{
    if (ranges.empty()) {
        return x;
    }
    Ints begins;
    Ints ends;
    Ints axes;
    Ints steps;
    for (const Range& range : ranges) {
        begins.push_back(range.begin);
        ends.push_back(range.end);
        axes.push_back(range.axis);
        steps.push_back(range.step);
    }
    return emit::slice(ctx, x, begins, ends, axes, steps);
}

OnnxValues slice(NodeContext& ctx)
{
    return {cut(ctx, ctx.input(0), rangesOf(ctx, ctx.input(0)))};
}

OnnxValues sliceAxis(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const OnnxValue x = ctx.input(0);
    const std::int64_t axis = ctx.axis(attributes.integer("axis"), ctx.rank(x));
    const std::int64_t begin = attributes.integer("begin");
    const OptionalInt end = attributes.optionalInteger("end");
    const Dim& dim = ctx.shape(x)[static_cast<std::size_t>(axis)];
    if (!dim.isFixed()) {
        return {begin == 0 && !end ? x : cut(ctx, x, {openRange(axis, begin, end, 1)})};
    }
    const std::int64_t first = begin < 0 ? begin + dim.size : begin;
    const std::int64_t last = end.value_or(dim.size) < 0 ? *end + dim.size : end.value_or(dim.size);
    if (first < 0 || first >= last || last > dim.size) {
        ctx.invalid(fmt::format("{} to {} is not a range in a dimension of {}", first, last, dim.size), "begin");
    }
    return {first == 0 && last == dim.size ? x : cut(ctx, x, {{axis, first, last, 1}})};
}

/// The leading part of x, cropped to the size of another tensor in some dimensions.
OnnxValues sliceLike(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const OnnxValue other = ctx.input(1);
    Ints axes = Attributes(ctx).ints("axes");
    const std::size_t rank = ctx.rank(x);
    if (axes.empty()) {
        if (rank != ctx.rank(other)) {
            ctx.invalid(fmt::format("slice_like without axes requires two tensors of equal rank, not {} and {}", rank,
                                    ctx.rank(other)),
                        "axes");
        }
        for (std::size_t i = 0; i < rank; ++i) {
            axes.push_back(static_cast<std::int64_t>(i));
        }
    }
    Ints cutAxes;
    ShapeTerms ends;
    for (const auto given : axes) {
        const std::int64_t axis = ctx.axis(given, rank, "axes");
        ctx.axis(axis, ctx.rank(other), "axes");
        const Dim& have = ctx.shape(x)[static_cast<std::size_t>(axis)];
        const Dim& want = ctx.shape(other)[static_cast<std::size_t>(axis)];
        if (have.isFixed() && want.isFixed() && want.size > have.size) {
            ctx.invalid(fmt::format("dimension {} of size {} cannot be cropped to {}", axis, have.size, want.size),
                        "axes");
        }
        if (have != want && std::find(cutAxes.begin(), cutAxes.end(), axis) == cutAxes.end()) {
            cutAxes.push_back(axis);
            ends.push_back(termOf(ctx, other, {axis}));
        }
    }
    if (cutAxes.empty()) {
        return {x};
    }
    Shape shape = ctx.shape(x);
    for (std::size_t i = 0; i < cutAxes.size(); ++i) {
        shape[static_cast<std::size_t>(cutAxes[i])] = ends[i].dim;
    }
    const OnnxValue y =
        emit::slice(ctx, x, ctx.onnx.ints(Ints(cutAxes.size(), 0)), shapeVector(ctx, ends), ctx.onnx.ints(cutAxes));
    ctx.onnx.refine(y, shape);
    return {y};
}

/// x with the slice of `ranges` replaced by `part`: concatenates the elements before and after it, axis by axis.
OnnxValue replaced(const NodeContext& ctx, OnnxValue x, const Ranges& ranges, OnnxValue part, std::size_t depth = 0)
{
    if (depth == ranges.size()) {
        return part;
    }
    const Range& range = ranges[depth];
    const Dim& dim = ctx.shape(x)[static_cast<std::size_t>(range.axis)];
    OnnxValues parts;
    if (range.begin != 0) {
        parts.push_back(cut(ctx, x, {{range.axis, 0, range.begin, 1}}));
    }
    const bool isLast = depth + 1 == ranges.size();
    const OnnxValue middle = isLast ? part : replaced(ctx, cut(ctx, x, {range}), ranges, part, depth + 1);
    parts.push_back(middle);
    if (range.end != emit::farEnd && (!dim.isFixed() || range.end < dim.size)) {
        parts.push_back(cut(ctx, x, {{range.axis, range.end, emit::farEnd, 1}}));
    }
    return emit::concat(ctx, parts, range.axis);
}

/// Positions of a strided slice, as ScatterND requires them: each has one index per axis up to the last sliced one.
Tensor positions(const NodeContext& ctx, OnnxValue x, const Ranges& ranges)
{
    const auto axes = static_cast<std::size_t>(ranges.back().axis) + 1;
    Ints dims;
    std::vector<Ints> places(axes);
    for (std::size_t axis = 0; axis < axes; ++axis) {
        const std::int64_t size = ctx.fixedDim(x, static_cast<std::int64_t>(axis));
        const auto range = std::find_if(ranges.begin(), ranges.end(),
                                        [&](const Range& r) { return static_cast<std::size_t>(r.axis) == axis; });
        const Range all{static_cast<std::int64_t>(axis), 0, size, 1};
        const Range& r = range == ranges.end() ? all : *range;
        for (std::int64_t i = r.begin; r.step > 0 ? i < r.end : i > std::max<std::int64_t>(r.end, -1); i += r.step) {
            places[axis].push_back(i);
        }
        dims.push_back(static_cast<std::int64_t>(places[axis].size()));
    }
    Ints indices;
    Ints at(axes, 0);
    for (bool isDone = false; !isDone;) {
        for (std::size_t axis = 0; axis < axes; ++axis) {
            indices.push_back(places[axis][static_cast<std::size_t>(at[axis])]);
        }
        isDone = true;
        for (std::size_t axis = axes; isDone && axis-- > 0;) {
            at[axis] = at[axis] + 1 == dims[axis] ? 0 : at[axis] + 1;
            isDone = at[axis] == 0;
        }
    }
    dims.push_back(static_cast<std::int64_t>(axes));
    return Tensor::of<std::int64_t>(ElementType::Int64, dims, indices);
}

OnnxValue withPart(const NodeContext& ctx, OnnxValue x, const Ranges& ranges, OnnxValue part)
{
    const bool isContiguous = std::all_of(ranges.begin(), ranges.end(), [](const Range& r) { return r.step == 1; });
    if (isContiguous) {
        return replaced(ctx, x, ranges, part);
    }
    return ctx.emit("ScatterND", {x, ctx.onnx.constant(positions(ctx, x, ranges)), part});
}

/// Reverses some axes.
OnnxValues reverse(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    Ranges ranges;
    for (const auto axis : Attributes(ctx).ints("axis")) {
        if (axis < 0) { // MXNet does not count axes of this operator from the end
            ctx.invalid(fmt::format("axis {} is negative", axis), "axis");
        }
        ranges.push_back(openRange(ctx.axis(axis, ctx.rank(x)), {}, {}, -1));
    }
    return {cut(ctx, x, ranges)};
}

bool isEmpty(const Ranges& ranges)
{
    return std::any_of(ranges.begin(), ranges.end(), [](const Range& r) { return r.begin == r.end; });
}

OnnxValues sliceAssign(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const Ranges ranges = rangesOf(ctx, x);
    return {isEmpty(ranges) ? x : withPart(ctx, x, ranges, ctx.input(1))};
}

OnnxValues sliceAssignScalar(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const Ranges ranges = rangesOf(ctx, x);
    if (isEmpty(ranges)) {
        return {x};
    }
    const OnnxValue scalar = castLike(ctx, x, Attributes(ctx).number("scalar", 0), "scalar");
    const OnnxValue part = emit::expand(ctx, scalar, emit::shapeVector(ctx, cut(ctx, x, ranges)));
    return {withPart(ctx, x, ranges, part)};
}

} // namespace

std::span<const OpRow> slicingOps()
{
    static constexpr OpRow rows[] = {
        {"_slice_assign", sliceAssign, "Slice, Concat or ScatterND"},
        {"_slice_assign_scalar", sliceAssignScalar, "Slice, Expand, Concat or ScatterND"},
        {"reverse", reverse, "Slice"},
        {"slice", slice, "Slice"},
        {"slice_axis", sliceAxis, "Slice"},
        {"slice_like", sliceLike, "Slice"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
