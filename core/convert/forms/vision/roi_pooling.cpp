#include "core/convert/forms/vision/roi_pooling.h"

#include "core/convert/forms/control/loops.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/elementwise/precision.h"
#include "core/convert/forms/tensor/fill.h"

#include <algorithm>
#include <limits>

namespace crosswalk::forms {
namespace {

/// Rounded to the type that bins are computed in, where that is narrower than the one here.
OnnxValue roundedTo(const NodeContext& ctx, OnnxValue x, ElementType type)
{
    return emit::cast(ctx, emit::cast(ctx, x, type), ctx.element(x));
}

/// Which pixels along one axis each bin of a region covers: bool (bins, size).
OnnxValue binMask(const NodeContext& ctx, OnnxValue start, OnnxValue binSize, OnnxValue image, std::int64_t axis,
                  std::int64_t bins, ElementType inner, bool addsStartFirst)
{
    const OnnxValue first = emit::cast(ctx, emit::unsqueeze(ctx, countTo(ctx, bins), {1}), ctx.element(start));
    const OnnxValue second = ctx.emit("Add", {first, emit::scalarLike(ctx, first, 1)});
    const auto edge = [&](OnnxValue bin, std::string_view rounding) {
        const OnnxValue along = roundedTo(ctx, ctx.emit("Mul", {bin, binSize}), inner);
        return addsStartFirst ? ctx.emit(rounding, {ctx.emit("Add", {along, start})})
                              : ctx.emit("Add", {ctx.emit(rounding, {along}), start});
    };
    const OnnxValue pixels = emit::cast(ctx, countUp(ctx, image, axis), ctx.element(start));
    const OnnxValue notBefore = ctx.emit("Not", {ctx.emit("Less", {pixels, edge(first, "Floor")})});
    return ctx.emit("And", {notBefore, ctx.emit("Less", {pixels, edge(second, "Ceil")})});
}

/// The largest element of every bin, 0 for an empty bin and for a region of no image.
OnnxValue pooledOne(const NodeContext& ctx, OnnxValue images, OnnxValue region, const Bins& bins, ElementType inner)
{
    const auto column = [&](std::int64_t i) { return columnOf(ctx, region, i); };
    const auto scaled = [&](std::int64_t i) {
        const OnnxValue product = ctx.emit("Mul", {column(i), emit::scalarLike(ctx, region, bins.scale)});
        return elementary::roundAwayFromZero(ctx, roundedTo(ctx, product, inner));
    };
    const auto mask = [&](std::int64_t low, std::int64_t high, std::int64_t axis, std::int64_t count) {
        const OnnxValue start = scaled(low);
        const OnnxValue one = emit::scalarLike(ctx, start, 1);
        const OnnxValue size = ctx.emit("Max", {ctx.emit("Add", {ctx.emit("Sub", {scaled(high), start}), one}), one});
        const OnnxValue binSize =
            roundedTo(ctx, ctx.emit("Div", {size, emit::scalarLike(ctx, size, static_cast<double>(count))}), inner);
        return binMask(ctx, start, binSize, images, axis, count, inner, false);
    };
    const RegionImage from = imageOf(ctx, column(0), images);
    const OnnxValue image = emit::squeeze(ctx, emit::gather(ctx, images, from.index, 0), {0}); // (C, H, W)
    const OnnxValue lowest = emit::scalarLike(ctx, image, static_cast<double>(std::numeric_limits<float>::lowest()));
    const OnnxValue rows = mask(2, 4, 2, bins.height);   // (PH, H)
    const OnnxValue columns = mask(1, 3, 3, bins.width); // (PW, W)
    const auto largest = [&](OnnxValue covered, OnnxValue x, std::int64_t axis) {
        return emit::reduce(ctx, "ReduceMax", ctx.emit("Where", {covered, x, lowest}), {axis}, false);
    };
    const OnnxValue byRows = largest(emit::unsqueeze(ctx, rows, {1, 3}), image, 2);  // (PH, C, W)
    const OnnxValue byBoth = largest(columns, emit::unsqueeze(ctx, byRows, {2}), 3); // (PH, C, PW)
    const auto any = [&](OnnxValue covered) {
        const OnnxValue most = emit::reduce(ctx, "ReduceMax", emit::cast(ctx, covered, ctx.element(image)), {1}, false);
        return emit::cast(ctx, most, ElementType::Bool);
    };
    const OnnxValue anyRow = ctx.emit("And", {any(rows), from.exists});
    const OnnxValue counts = ctx.emit("And", {emit::unsqueeze(ctx, anyRow, {1, 2}), any(columns)}); // (PH, 1, PW)
    return emit::transpose(ctx, ctx.emit("Where", {counts, byBoth, emit::scalarLike(ctx, image, 0)}), {1, 0, 2});
}

/// ONNX Runtime has it in single precision alone, and not in the form of opset 22.
constexpr int lastMaxRoiPoolOpset = 21;

/// The mean of every bin over the channels that belong to it.
OnnxValue averagedOne(const NodeContext& ctx, OnnxValue images, OnnxValue region, const Bins& bins, ElementType inner)
{
    const auto mask = [&](std::int64_t low, std::int64_t high, std::int64_t axis, std::int64_t count) {
        const OnnxValue scale = emit::scalarLike(ctx, region, bins.scale);
        const auto rounded = [&](std::int64_t i) {
            return elementary::roundAwayFromZero(ctx, columnOf(ctx, region, i));
        };
        const OnnxValue start = ctx.emit("Mul", {rounded(low), scale});
        const OnnxValue end =
            ctx.emit("Mul", {ctx.emit("Add", {rounded(high), emit::scalarLike(ctx, region, 1)}), scale});
        const OnnxValue size = ctx.emit("Max", {ctx.emit("Sub", {end, start}), emit::scalarLike(ctx, region, 0.1)});
        const OnnxValue binSize = ctx.emit("Div", {size, emit::scalarLike(ctx, size, static_cast<double>(count))});
        return emit::cast(ctx, binMask(ctx, start, binSize, images, axis, count, inner, true), ctx.element(images));
    };
    const RegionImage from = imageOf(ctx, columnOf(ctx, region, 0), images);
    const OnnxValue image = emit::squeeze(ctx, emit::gather(ctx, images, from.index, 0), {0}); // (C, H, W)
    const OnnxValue rows = mask(2, 4, 2, bins.height);
    const OnnxValue columns = mask(1, 3, 3, bins.width);
    const OnnxValue sums =
        ctx.emit("MatMul", {ctx.emit("MatMul", {rows, image}), emit::transpose(ctx, columns, {1, 0})}); // (C, PH, PW)
    const OnnxValue heights = emit::reduce(ctx, "ReduceSum", rows, {1}, true);                          // (PH, 1)
    const OnnxValue widths = emit::reduce(ctx, "ReduceSum", columns, {1}, false);                       // (PW)
    const OnnxValue area = ctx.emit("Mul", {heights, widths});
    const OnnxValue means = ctx.emit("Div", {sums, ctx.emit("Max", {area, emit::scalarLike(ctx, area, 1)})});
    return bins.ownChannels(ctx, means);
}

} // namespace

OnnxValue maxRoiPooling(const NodeContext& ctx, OnnxValue images, OnnxValue regions, const Bins& bins)
{
    const Shape shape{ctx.shape(regions)[0], ctx.shape(images)[1], Dim(bins.height), Dim(bins.width)};
    if (ctx.element(images) != ElementType::Float32 || ctx.onnx.opset() > lastMaxRoiPoolOpset) {
        const Precision precision(ctx, images);
        const OnnxValue wide = precision.widen(images);
        const OnnxValue y = forEach(ctx, {precision.widen(regions)}, [&](const OnnxValues& region) -> OnnxValues {
            return {pooledOne(ctx, wide, region[0], bins, precision.type())};
        })[0];
        ctx.onnx.refine(y, shape);
        return precision.restore(y);
    }
    const OnnxValue numbers = emit::slice(ctx, regions, Ints{0}, Ints{1}, Ints{1});
    const RegionImage from = imageOf(ctx, numbers, images);
    const OnnxValue corners = emit::slice(ctx, regions, Ints{1}, Ints{5}, Ints{1});
    const OnnxValue safe = emit::concat(ctx, {emit::cast(ctx, from.index, ElementType::Float32), corners}, 1);
    const OnnxValue y = ctx.emit("MaxRoiPool", {images, safe},
                                 {{"pooled_shape", Ints{bins.height, bins.width}}, {"spatial_scale", bins.scale}});
    ctx.onnx.refine(y, shape);
    const OnnxValue exists = emit::unsqueeze(ctx, from.exists, {2, 3});
    return ctx.emit("Where", {exists, y, emit::scalarLike(ctx, y, 0)});
}

OnnxValue positionSensitivePooling(const NodeContext& ctx, OnnxValue images, OnnxValue regions, const Bins& bins)
{
    const Precision precision(ctx, images);
    const OnnxValue wide = precision.widen(images);
    const OnnxValue y = forEach(ctx, {precision.widen(regions)}, [&](const OnnxValues& region) -> OnnxValues {
        return {averagedOne(ctx, wide, region[0], bins, precision.wide())};
    })[0];
    ctx.onnx.refine(y, {ctx.shape(regions)[0], Dim(bins.channels), Dim(bins.height), Dim(bins.width)});
    return precision.restore(y);
}

} // namespace crosswalk::forms
