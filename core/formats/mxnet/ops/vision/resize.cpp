// _contrib_BilinearResize2D and _contrib_AdaptiveAvgPooling2D.

#include "core/convert/forms/vision/resize.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/sizes.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"

#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

OnnxValue wantedSize(const NodeContext& ctx, const Attributes& attributes, const std::string& mode, std::int64_t axis)
{
    const std::string suffix = axis == 2 ? "height" : "width";
    const OnnxValue size = emit::dimVector(ctx, ctx.input(0), axis);
    if (mode == "like") {
        return emit::dimVector(ctx, ctx.input(1), axis);
    }
    if (mode == "size") { // MXNet reads only scale_height
        return attributes.has("scale_height")
                   ? sizes::scaled(ctx, size, static_cast<float>(attributes.number("scale_" + suffix)))
                   : ctx.onnx.ints({attributes.integer(suffix, 1)});
    }
    const OnnxValue odd = sizes::modulo(ctx, size, 2);
    if (mode == "odd_scale") {
        const auto scale = static_cast<float>(attributes.number("scale_" + suffix));
        return sizes::plus(ctx, sizes::scaled(ctx, sizes::minus(ctx, size, odd), scale), odd);
    }
    if (mode == "to_even_down") {
        return sizes::minus(ctx, size, odd);
    }
    if (mode == "to_even_up") {
        return sizes::plus(ctx, size, odd);
    }
    const OnnxValue even = sizes::minus(ctx, ctx.onnx.ints({1}), odd);
    return mode == "to_odd_down" ? sizes::minus(ctx, size, even) : sizes::plus(ctx, size, even);
}

OnnxValues bilinearResize(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const std::string mode = attributes.choice(
        "mode", {"size", "odd_scale", "like", "to_even_down", "to_even_up", "to_odd_down", "to_odd_up"}, "size");
    const bool alignCorners = attributes.boolean("align_corners", true);
    const OnnxValue x = ctx.input(0);
    if (ctx.rank(x) != 4) {
        ctx.invalid("BilinearResize2D requires images: data of 4 dimensions");
    }
    const ElementType type = ctx.element(x);
    if (!isFloating(type)) {
        ctx.invalid(fmt::format("BilinearResize2D requires floating-point data, not {}", elementTypeName(type)));
    }
    const OnnxValue height = wantedSize(ctx, attributes, mode, 2);
    const OnnxValue width = wantedSize(ctx, attributes, mode, 3);
    const Dim toHeight = sizes::asDim(ctx, height);
    const Dim toWidth = sizes::asDim(ctx, width);
    if ((toHeight.isFixed() && toHeight.size < 1) || (toWidth.isFixed() && toWidth.size < 1)) {
        ctx.invalid("the result is empty");
    }
    const forms::Coordinates coordinates =
        alignCorners ? forms::Coordinates::AlignCorners : forms::Coordinates::HalfPixelFromFirst;
    return {forms::bilinearResize(ctx, x, height, width, coordinates)};
}

OnnxValues adaptiveAverage(NodeContext& ctx)
{
    const Ints given = Attributes(ctx).ints("output_size");
    const OnnxValue x = ctx.input(0);
    if (ctx.rank(x) != 4) {
        ctx.invalid("AdaptiveAvgPooling2D requires images: data of 4 dimensions");
    }
    const bool isGlobal = given.empty() || given.size() > 2;
    const std::int64_t height = isGlobal ? 1 : given.front();
    const std::int64_t width = isGlobal ? 1 : given.back();
    if (height < 1 || width < 1) {
        ctx.invalid("output_size is not positive", "output_size");
    }
    if (height > forms::elementLimit / width) {
        ctx.invalid("the result would have more than 2^31 elements", "output_size");
    }
    return {forms::adaptiveAverage(ctx, x, height, width)};
}

} // namespace

std::span<const OpRow> resizeOps()
{
    static constexpr OpRow rows[] = {
        {"_contrib_AdaptiveAvgPooling2D", adaptiveAverage, "GlobalAveragePool, AveragePool or MatMul"},
        {"_contrib_BilinearResize2D", bilinearResize, "Resize"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
