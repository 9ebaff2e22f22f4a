// ImageProjectiveTransform: images read where a projective transform maps the pixels of the result.

#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/vision/coordinate_sampling.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

/// Single precision, in which TensorFlow computes the coordinates of every type.
class Singles {
public:
    explicit Singles(const NodeContext& ctx)
        : m_ctx(ctx)
    {
    }
    OnnxValue number(double value) const { return m_ctx.onnx.scalar(ElementType::Float32, value); }
    OnnxValue of(OnnxValue x) const { return emit::cast(m_ctx, x, ElementType::Float32); }
    OnnxValue add(OnnxValue a, OnnxValue b) const { return m_ctx.emit("Add", {a, b}); }
    OnnxValue sub(OnnxValue a, OnnxValue b) const { return m_ctx.emit("Sub", {a, b}); }
    OnnxValue mul(OnnxValue a, OnnxValue b) const { return m_ctx.emit("Mul", {a, b}); }
    OnnxValue div(OnnxValue a, OnnxValue b) const { return m_ctx.emit("Div", {a, b}); }
    OnnxValue truncated(OnnxValue x) const { return elementary::truncate(m_ctx, x); }
    OnnxValue less(OnnxValue a, OnnxValue b) const { return m_ctx.emit("Less", {a, b}); }
    OnnxValue where(OnnxValue condition, OnnxValue a, OnnxValue b) const
    {
        return m_ctx.emit("Where", {condition, a, b});
    }

private:
    const NodeContext& m_ctx;
};

/// A coordinate beyond the ends of an axis, brought back by the formula of TensorFlow's kernel. `length`: of the axis,
/// one element.
OnnxValue reflected(const NodeContext& ctx, OnnxValue x, OnnxValue length)
{
    const Singles f(ctx);
    const OnnxValue period = f.mul(length, f.number(2));
    const OnnxValue turns = f.mul(period, f.truncated(f.div(f.sub(f.number(0), x), period)));
    const OnnxValue fromBelow = f.where(f.less(x, period), f.add(turns, x), x);
    const OnnxValue below = f.where(f.less(fromBelow, f.sub(f.number(0), length)), f.add(fromBelow, period),
                                    f.sub(f.sub(f.number(0), fromBelow), f.number(1)));
    const OnnxValue fromAbove = f.sub(x, f.mul(period, f.truncated(f.div(x, period))));
    const OnnxValue isWithin = f.less(fromAbove, length);
    const OnnxValue above = f.where(isWithin, fromAbove, f.sub(f.sub(period, fromAbove), f.number(1)));
    return f.where(f.less(x, f.number(0)), below, above);
}

/// Whole lengths are added or subtracted, as many as the coordinate has distances between the first and the last pixel.
OnnxValue wrapped(const NodeContext& ctx, OnnxValue x, OnnxValue length)
{
    const Singles f(ctx);
    const OnnxValue last = f.sub(length, f.number(1));
    const OnnxValue distance = ctx.emit("Max", {last, f.number(1)}); // of a single pixel, which the caller returns
    const OnnxValue turnsBelow = f.add(f.truncated(f.div(f.sub(f.number(0), x), distance)), f.number(1));
    const OnnxValue below = f.add(x, f.mul(length, turnsBelow));
    const OnnxValue above = f.sub(x, f.mul(length, f.truncated(f.div(x, distance))));
    return f.where(f.less(x, f.number(0)), below, f.where(f.less(last, x), above, x));
}

/// The coordinate within 0 to `length` - 1.
OnnxValue mapped(const NodeContext& ctx, const std::string& mode, OnnxValue x, OnnxValue length)
{
    const Singles f(ctx);
    const OnnxValue inside = mode == "REFLECT" ? reflected(ctx, x, length)
                             : mode == "WRAP"  ? wrapped(ctx, x, length)
                                               : x;
    const OnnxValue last = f.sub(length, f.number(1));
    return ctx.emit("Min", {ctx.emit("Max", {inside, f.number(0)}), last});
}

OnnxValues projectiveTransform(NodeContext& ctx, double fill)
{
    const Settings settings(ctx);
    const std::string mode = settings.text("fill_mode");
    const std::string interpolation = settings.text("interpolation");
    if (mode != "CONSTANT" && mode != "REFLECT" && mode != "WRAP" && mode != "NEAREST") {
        ctx.invalid(fmt::format("{} is not a valid fill mode", mode), "fill_mode");
    }
    if (interpolation != "NEAREST" && interpolation != "BILINEAR") {
        ctx.invalid(fmt::format("{} is not a valid interpolation", interpolation), "interpolation");
    }
    const OnnxValue images = ctx.input(0);
    if (ctx.rank(images) != 4) {
        ctx.invalid("the images must have 4 dimensions");
    }
    const Singles f(ctx);
    const OnnxValue size = intVector(ctx, ctx.input(2));
    const auto counted = [&](std::int64_t i, const Ints& axes) {
        const OnnxValue count = emit::slice(ctx, size, Ints{i}, Ints{i + 1}, Ints{0});
        return emit::unsqueeze(ctx, f.of(countTo(ctx, count)), axes);
    };
    const OnnxValue row = counted(0, {0, 2}); // (1, H', 1)
    const OnnxValue column = counted(1, {0, 1});
    // (a0 x + a1 y + a2) / (c0 x + c1 y + 1) and (b0 x + b1 y + b2) / (c0 x + c1 y + 1), one transform an image or one
    // for all.
    const OnnxValue transforms = emit::unsqueeze(ctx, ctx.input(1), {2, 3}); // (N or 1, 8, 1, 1)
    OnnxValues t;
    for (const OnnxValue part : emit::split(ctx, transforms, 1, Ints(8, 1))) {
        t.push_back(emit::squeeze(ctx, part, {1}));
    }
    const auto plane = [&](std::size_t first) { return f.add(f.mul(t[first], column), f.mul(t[first + 1], row)); };
    const OnnxValue projection = f.add(plane(6), f.number(1));
    const OnnxValue isNowhere = ctx.emit("Equal", {projection, f.number(0)});
    const OnnxValue divisor = f.where(isNowhere, f.number(1), projection);
    OnnxValues coordinates{f.div(f.add(plane(3), t[5]), divisor), f.div(f.add(plane(0), t[2]), divisor)};
    const OnnxValues sizes{emit::dimVector(ctx, images, 1), emit::dimVector(ctx, images, 2)};
    for (std::size_t i = 0; i < coordinates.size() && mode != "CONSTANT"; ++i) {
        coordinates[i] = mapped(ctx, mode, coordinates[i], f.of(sizes[i]));
    }
    const bool isLinear = interpolation == "BILINEAR";
    const ElementType type = ctx.element(images);
    const bool isHalf = type == ElementType::Float16 || type == ElementType::BFloat16;
    const OnnxValue pixels = isLinear || isHalf ? f.of(images) : images;
    const OnnxValue channels = emit::dimVector(ctx, images, 3);
    GridRows data;
    data.rows = emit::reshape(ctx, pixels, emit::concat(ctx, {emit::dimProduct(ctx, images, {0, 1, 2}), channels}, 0));
    data.sizes = sizes;
    data.grid = emit::unsqueeze(ctx, countUp(ctx, images, 0), {1, 2});
    const OnnxValue read = sampledAt(ctx, data, coordinates, {isLinear, Continuation::Value, fill});
    const OnnxValue result = f.where(emit::unsqueeze(ctx, isNowhere, {3}), emit::scalarLike(ctx, read, fill), read);
    return {emit::cast(ctx, result, type)};
}

OnnxValues filledWithZero(NodeContext& ctx)
{
    return projectiveTransform(ctx, 0);
}

OnnxValues filledWithOperand(NodeContext& ctx)
{
    const std::vector<double> fill = constantNumbers(ctx, 3, "the fill value");
    if (fill.size() != 1) {
        ctx.invalid("the fill value must be one number", "fill_value");
    }
    return projectiveTransform(ctx, fill.front());
}

} // namespace

std::span<const OpRow> projectiveTransformOps()
{
    static constexpr OpRow rows[] = {
        {"ImageProjectiveTransformV2", filledWithZero, "Div, Gather, Where"},
        {"ImageProjectiveTransformV3", filledWithOperand, "Div, Gather, Where"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
