// Contrast, hue and saturation of images with channels last.

#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/shared_forms.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

namespace crosswalk::tensorflow {
namespace {

/// Arithmetic on values of one type, and numbers of it.
class Arithmetic {
public:
    Arithmetic(const NodeContext& ctx, OnnxValue like)
        : m_ctx(ctx)
        , m_like(like)
    {
    }
    OnnxValue number(double value) const { return emit::scalarLike(m_ctx, m_like, value); }
    OnnxValue add(OnnxValue a, OnnxValue b) const { return m_ctx.emit("Add", {a, b}); }
    OnnxValue sub(OnnxValue a, OnnxValue b) const { return m_ctx.emit("Sub", {a, b}); }
    OnnxValue mul(OnnxValue a, OnnxValue b) const { return m_ctx.emit("Mul", {a, b}); }
    OnnxValue div(OnnxValue a, OnnxValue b) const { return m_ctx.emit("Div", {a, b}); }
    OnnxValue isEqual(OnnxValue a, OnnxValue b) const { return m_ctx.emit("Equal", {a, b}); }
    OnnxValue where(OnnxValue condition, OnnxValue a, OnnxValue b) const
    {
        return m_ctx.emit("Where", {condition, a, b});
    }
    OnnxValue fraction(OnnxValue x) const { return sub(x, m_ctx.emit("Floor", {x})); }
    OnnxValue limited(OnnxValue x) const { return emit::clip(m_ctx, x, 0, 1); }

private:
    const NodeContext& m_ctx;
    OnnxValue m_like;
};

/// Channels apart, each (..., 1).
struct Hsv {
    OnnxValue hue; ///< 0 to 1
    OnnxValue saturation;
    OnnxValue value;
};

Hsv toHsv(const NodeContext& ctx, OnnxValue images)
{
    const Arithmetic a(ctx, images);
    const auto last = static_cast<std::int64_t>(ctx.rank(images)) - 1;
    const OnnxValues rgb = emit::split(ctx, images, last, {1, 1, 1});
    const OnnxValue top = ctx.emit("Max", rgb);
    const OnnxValue range = a.sub(top, ctx.emit("Min", rgb));
    const OnnxValue isGrey = a.isEqual(range, a.number(0));
    const OnnxValue norm = a.div(a.number(1.0 / 6), a.where(isGrey, a.number(1), range));
    const auto side = [&](OnnxValue x, OnnxValue y, double start) {
        return a.add(a.mul(norm, a.sub(x, y)), a.number(start));
    };
    const OnnxValue fromGreen =
        a.where(a.isEqual(rgb[1], top), side(rgb[2], rgb[0], 2.0 / 6), side(rgb[0], rgb[1], 4.0 / 6));
    const OnnxValue turned = a.where(a.isEqual(rgb[0], top), side(rgb[1], rgb[2], 0), fromGreen);
    const OnnxValue hasLight = ctx.emit("Greater", {top, a.number(0)});
    Hsv hsv;
    hsv.hue = a.where(isGrey, a.number(0), a.fraction(turned));
    hsv.saturation = a.where(hasLight, a.div(range, a.where(hasLight, top, a.number(1))), a.number(0));
    hsv.value = top;
    return hsv;
}

OnnxValue toRgb(const NodeContext& ctx, const Hsv& hsv)
{
    const Arithmetic a(ctx, hsv.value);
    const OnnxValue chroma = a.mul(hsv.saturation, hsv.value);
    const OnnxValue base = a.sub(hsv.value, chroma);
    const OnnxValue six = a.mul(hsv.hue, a.number(6));
    const auto distance = [&](double middle) { return ctx.emit("Abs", {a.sub(six, a.number(middle))}); };
    const OnnxValues parts{
        a.limited(a.sub(distance(3), a.number(1))),
        a.limited(a.sub(a.number(2), distance(2))),
        a.limited(a.sub(a.number(2), distance(4))),
    };
    const auto last = static_cast<std::int64_t>(ctx.rank(hsv.value)) - 1;
    return a.add(a.mul(emit::concat(ctx, parts, last), chroma), base);
}

/// Numbers for the channels.
OnnxValue ofChannels(const NodeContext& ctx, OnnxValue like, std::vector<double> numbers)
{
    return ctx.onnx.constant(Tensor::of<double>(ElementType::Float64, {3}, numbers).converted(ctx.element(like)));
}

/// The hue turns while the largest and the smallest channel keep their values.
OnnxValues adjustHue(NodeContext& ctx)
{
    const OnnxValue images = ctx.input(0);
    return {computedAs(ctx, ElementType::Float32, images, [&](OnnxValue x) {
        const Arithmetic a(ctx, x);
        const auto last = static_cast<std::int64_t>(ctx.rank(x)) - 1;
        const OnnxValue top = emit::reduce(ctx, "ReduceMax", x, {last}, true);
        const OnnxValue bottom = emit::reduce(ctx, "ReduceMin", x, {last}, true);
        const OnnxValue range = a.sub(top, bottom);
        // Grey has the hue 0: the differences of its channels are 0.
        const OnnxValue norm = a.div(a.number(1.0 / 6), a.where(a.isEqual(range, a.number(0)), a.number(1), range));
        const OnnxValue differences = a.sub(emit::gather(ctx, x, ctx.onnx.ints({1, 2, 0}), last),
                                            emit::gather(ctx, x, ctx.onnx.ints({2, 0, 1}), last));
        const OnnxValue hues = a.add(a.mul(differences, norm), ofChannels(ctx, x, {0, 2.0 / 6, 4.0 / 6}));
        const OnnxValue first = ctx.emit("ArgMax", {x}, {{"axis", last}, {"keepdims", 1}});
        const OnnxValue own = ctx.emit("GatherElements", {hues, first}, {{"axis", last}});
        const OnnxValue hue = a.fraction(a.add(own, emit::cast(ctx, ctx.input(1), ElementType::Float32)));
        const OnnxValue distances = ctx.emit("Abs", {a.sub(hue, ofChannels(ctx, x, {3.0 / 6, 2.0 / 6, 4.0 / 6}))});
        const OnnxValue parts =
            a.limited(a.add(a.mul(distances, ofChannels(ctx, x, {6, -6, -6})), ofChannels(ctx, x, {-1, 2, 2})));
        return a.add(a.mul(parts, range), bottom);
    })};
}

/// Every channel moves to or from the largest one, in proportion to the saturation. A pixel without saturation becomes
/// grey.
OnnxValues adjustSaturation(NodeContext& ctx)
{
    const OnnxValue images = ctx.input(0);
    return {computedAs(ctx, ElementType::Float32, images, [&](OnnxValue x) {
        const Arithmetic a(ctx, x);
        const auto last = static_cast<std::int64_t>(ctx.rank(x)) - 1;
        const OnnxValue top = emit::reduce(ctx, "ReduceMax", x, {last}, true);
        const OnnxValue range = a.sub(top, emit::reduce(ctx, "ReduceMin", x, {last}, true));
        const OnnxValue saturation = a.div(range, top);
        const OnnxValue scaled = a.limited(a.mul(saturation, emit::cast(ctx, ctx.input(1), ElementType::Float32)));
        const OnnxValue isColored = ctx.emit("Greater", {saturation, a.number(0)});
        const OnnxValue factor = a.where(isColored, a.div(scaled, saturation), a.number(0));
        return a.sub(top, a.mul(a.sub(top, x), factor));
    })};
}

/// Away from the mean of each channel of an image.
OnnxValues adjustContrast(NodeContext& ctx)
{
    const OnnxValue images = ctx.input(0);
    const auto rank = static_cast<std::int64_t>(ctx.rank(images));
    if (rank < 3) {
        ctx.invalid("images must have at least 3 dimensions");
    }
    return {computedAs(ctx, ElementType::Float32, images, [&](OnnxValue x) {
        const Arithmetic a(ctx, x);
        const OnnxValue mean = emit::reduce(ctx, "ReduceMean", x, {rank - 3, rank - 2}, true);
        return a.add(a.mul(a.sub(x, mean), emit::cast(ctx, ctx.input(1), ElementType::Float32)), mean);
    })};
}

OnnxValues rgbToHsv(NodeContext& ctx)
{
    const OnnxValue images = ctx.input(0);
    return {computedAs(ctx, widened(ctx.element(images)), images, [&](OnnxValue x) {
        const Hsv hsv = toHsv(ctx, x);
        return emit::concat(ctx, {hsv.hue, hsv.saturation, hsv.value}, static_cast<std::int64_t>(ctx.rank(x)) - 1);
    })};
}

OnnxValues hsvToRgb(NodeContext& ctx)
{
    const OnnxValue images = ctx.input(0);
    return {computedAs(ctx, widened(ctx.element(images)), images, [&](OnnxValue x) {
        const OnnxValues parts = emit::split(ctx, x, static_cast<std::int64_t>(ctx.rank(x)) - 1, {1, 1, 1});
        return toRgb(ctx, {parts[0], parts[1], parts[2]});
    })};
}

} // namespace

std::span<const OpRow> colorOps()
{
    static constexpr OpRow rows[] = {
        {"AdjustContrastv2", adjustContrast, "ReduceMean, Sub, Mul, Add"},
        {"AdjustHue", adjustHue, "ReduceMax, ReduceMin, GatherElements, Clip"},
        {"AdjustSaturation", adjustSaturation, "ReduceMax, ReduceMin, Where, Clip"},
        {"HSVToRGB", hsvToRgb, "Clip, Mul, Add"},
        {"RGBToHSV", rgbToHsv, "Max, Min, Where"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
