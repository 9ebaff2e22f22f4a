#include "core/convert/forms/vision/image_sampling.h"

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/precision.h"

namespace crosswalk::forms {
namespace {

OnnxValue behind(const NodeContext& ctx, OnnxValue x)
{
    return emit::unsqueeze(ctx, x, {-1});
}

} // namespace

ImageSampler::ImageSampler(const NodeContext& ctx, OnnxValue images)
    : m_ctx(ctx)
{
    if (ctx.rank(images) != 4) {
        ctx.invalid("the data must be images, of 4 dimensions");
    }
    const Precision precision(ctx, images);
    m_type = precision.wide();
    const OnnxValue last = emit::transpose(ctx, precision.widen(images), {0, 2, 3, 1});
    m_rows = emit::reshape(ctx, last, emit::concat(ctx, {ctx.onnx.ints({-1}), emit::dimVector(ctx, images, 1)}, 0));
    m_heightInts = emit::dimVector(ctx, images, 2);
    m_widthInts = emit::dimVector(ctx, images, 3);
    m_height = emit::cast(ctx, m_heightInts, m_type);
    m_width = emit::cast(ctx, m_widthInts, m_type);
}

OnnxValue ImageSampler::at(OnnxValue image, OnnxValue y, OnnxValue x) const
{
    const OnnxValue line = m_ctx.emit("Add", {m_ctx.emit("Mul", {image, m_heightInts}), y});
    const OnnxValue pixel = m_ctx.emit("Add", {m_ctx.emit("Mul", {line, m_widthInts}), x});
    return emit::gather(m_ctx, m_rows, pixel, 0);
}

ImageSampler::Neighbours ImageSampler::around(OnnxValue coordinate, OnnxValue size, Beyond beyond) const
{
    const OnnxValue one = m_ctx.onnx.scalar(m_type, 1);
    const OnnxValue zero = m_ctx.onnx.scalar(m_type, 0);
    Neighbours found;
    OnnxValue first;
    OnnxValue second;
    if (beyond == Beyond::Edge) {
        const OnnxValue last = m_ctx.emit("Sub", {size, one});
        coordinate = m_ctx.emit("Min", {m_ctx.emit("Max", {coordinate, zero}), last});
        first = m_ctx.emit("Floor", {coordinate});
        second = m_ctx.emit("Min", {m_ctx.emit("Add", {first, one}), last});
    } else {
        first = m_ctx.emit("Floor", {coordinate});
        second = m_ctx.emit("Add", {first, one});
        const OnnxValue before = m_ctx.onnx.scalar(m_type, -1);
        found.inside[0] = isStrictlyWithin(m_ctx, first, before, size);
        found.inside[1] = isStrictlyWithin(m_ctx, second, before, size);
    }
    const OnnxValue part = m_ctx.emit("Sub", {coordinate, first});
    found.weights[0] = behind(m_ctx, m_ctx.emit("Sub", {one, part}));
    found.weights[1] = behind(m_ctx, part);
    for (std::size_t i = 0; i < 2; ++i) {
        const OnnxValue place = i == 0 ? first : second;
        const OnnxValue safe = found.inside[i] ? m_ctx.emit("Where", {found.inside[i], place, zero}) : place;
        found.places[i] = emit::cast(m_ctx, safe, ElementType::Int64);
    }
    return found;
}

OnnxValue ImageSampler::between(OnnxValue image, OnnxValue y, OnnxValue x, Beyond beyond) const
{
    const Neighbours rows = around(y, m_height, beyond);
    const Neighbours columns = around(x, m_width, beyond);
    OnnxValues parts;
    for (std::size_t i = 0; i < 2; ++i) {
        for (std::size_t k = 0; k < 2; ++k) {
            OnnxValue pixel = at(image, rows.places[i], columns.places[k]);
            if (rows.inside[i]) {
                const OnnxValue inside = m_ctx.emit("And", {rows.inside[i], columns.inside[k]});
                pixel = m_ctx.emit("Where", {behind(m_ctx, inside), pixel, m_ctx.onnx.scalar(m_type, 0)});
            }
            const OnnxValue weight = m_ctx.emit("Mul", {rows.weights[i], columns.weights[k]});
            parts.push_back(m_ctx.emit("Mul", {pixel, weight}));
        }
    }
    return m_ctx.emit("Sum", parts);
}

OnnxValue isWithin(const NodeContext& ctx, OnnxValue x, OnnxValue low, OnnxValue high)
{
    return ctx.emit("And", {arithmetic::greaterOrEqual(ctx, x, low), arithmetic::lessOrEqual(ctx, x, high)});
}

OnnxValue isStrictlyWithin(const NodeContext& ctx, OnnxValue x, OnnxValue low, OnnxValue high)
{
    return ctx.emit("And", {ctx.emit("Greater", {x, low}), ctx.emit("Less", {x, high})});
}

} // namespace crosswalk::forms
