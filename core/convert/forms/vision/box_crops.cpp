#include "core/convert/forms/vision/box_crops.h"

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/int_vector.h"

namespace crosswalk::forms {
namespace {

/// One axis of the crops: where each of `count` samples lies in the image, by the box's two ends (boxes, 1).
struct CropSamples {
    OnnxValue before;   ///< int64 (boxes, count): the pixel at or before, in range
    OnnxValue after;    ///< the one behind it
    OnnxValue fraction; ///< float32: how near the second is
    OnnxValue isInside; ///< bool
};

CropSamples cropSamples(const NodeContext& ctx, OnnxValue first, OnnxValue last, OnnxValue count, OnnxValue size,
                        bool isNearest)
{
    const auto number = [&](double value) { return ctx.onnx.scalar(ElementType::Float32, value); };
    const OnnxValue end = ctx.emit("Sub", {emit::cast(ctx, size, ElementType::Float32), number(1)});
    const OnnxValue gaps = ctx.emit("Sub", {emit::cast(ctx, count, ElementType::Float32), number(1)});
    const OnnxValue places = emit::cast(ctx, countTo(ctx, count), ElementType::Float32);
    const OnnxValue isMany = ctx.emit("Greater", {gaps, number(0)});
    const OnnxValue scale =
        ctx.emit("Div", {ctx.emit("Mul", {ctx.emit("Sub", {last, first}), end}), ctx.emit("Max", {gaps, number(1)})});
    const OnnxValue along = ctx.emit("Add", {ctx.emit("Mul", {first, end}), ctx.emit("Mul", {places, scale})});
    const OnnxValue middle = ctx.emit("Mul", {ctx.emit("Mul", {ctx.emit("Add", {first, last}), number(0.5)}), end});
    const OnnxValue place = ctx.emit("Where", {isMany, along, middle});
    const OnnxValue isInside =
        ctx.emit("And", {arithmetic::greaterOrEqual(ctx, place, number(0)), arithmetic::lessOrEqual(ctx, place, end)});
    const OnnxValue inside = ctx.emit("Where", {isInside, place, number(0)});
    CropSamples samples;
    samples.isInside = isInside;
    if (isNearest) {
        samples.before = asInt64(ctx, elementary::roundAwayFromZero(ctx, inside));
        return samples;
    }
    const OnnxValue floor = ctx.emit("Floor", {inside});
    samples.before = asInt64(ctx, floor);
    samples.after = asInt64(ctx, ctx.emit("Ceil", {inside}));
    samples.fraction = ctx.emit("Sub", {inside, floor});
    return samples;
}

} // namespace

OnnxValue boxCrops(const NodeContext& ctx, const BoxCrops& how)
{
    const OnnxValue images = emit::cast(ctx, how.images, ElementType::Float32);
    const OnnxValues ends = emit::split(ctx, how.boxes, 1, {1, 1, 1, 1});
    const OnnxValue sizes = how.size;
    const auto part = [&](std::int64_t i) { return emit::slice(ctx, sizes, Ints{i}, Ints{i + 1}, Ints{0}); };
    const OnnxValue height = emit::dimVector(ctx, images, 1);
    const OnnxValue width = emit::dimVector(ctx, images, 2);
    const CropSamples y = cropSamples(ctx, ends[0], ends[2], part(0), height, how.isNearest);
    const CropSamples x = cropSamples(ctx, ends[1], ends[3], part(1), width, how.isNearest);
    // All pixels one behind the other: a pixel's number is (image * height + row) * width + column.
    const OnnxValue channels = emit::dimVector(ctx, images, 3);
    const OnnxValue pixels = emit::reshape(ctx, images, emit::concat(ctx, {ctx.onnx.ints({-1}), channels}, 0));
    const OnnxValue image = emit::unsqueeze(ctx, asInt64(ctx, how.imageOfBox), {1, 2});
    const auto at = [&](OnnxValue row, OnnxValue column) {
        const OnnxValue rows = ctx.emit("Add", {ctx.emit("Mul", {image, height}), emit::unsqueeze(ctx, row, {2})});
        const OnnxValue index = ctx.emit("Add", {ctx.emit("Mul", {rows, width}), emit::unsqueeze(ctx, column, {1})});
        return emit::gather(ctx, pixels, index, 0);
    };
    const auto between = [&](OnnxValue a, OnnxValue b, OnnxValue fraction) {
        return ctx.emit("Add", {a, ctx.emit("Mul", {ctx.emit("Sub", {b, a}), fraction})});
    };
    OnnxValue value = at(y.before, x.before);
    if (!how.isNearest) {
        const OnnxValue down = emit::unsqueeze(ctx, y.fraction, {2, 3});
        const OnnxValue right = emit::unsqueeze(ctx, x.fraction, {1, 3});
        const OnnxValue top = between(value, at(y.before, x.after), right);
        const OnnxValue bottom = between(at(y.after, x.before), at(y.after, x.after), right);
        value = between(top, bottom, down);
    }
    const OnnxValue isInside =
        ctx.emit("And", {emit::unsqueeze(ctx, y.isInside, {2, 3}), emit::unsqueeze(ctx, x.isInside, {1, 3})});
    const OnnxValue beyond = ctx.onnx.scalar(ElementType::Float32, how.beyond);
    return ctx.emit("Where", {isInside, value, beyond});
}

} // namespace crosswalk::forms
