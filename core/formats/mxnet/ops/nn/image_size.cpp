// Operators without weights that change the size of an image: Pad, Crop, UpSampling, Flatten.

#include "core/convert/forms/nn/transposed_convolution.h"
#include "core/convert/forms/tensor/sizes.h"
#include "core/convert/forms/vision/resize.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/ops/tensor/scalar_operand.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

OnnxValues flatten(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    return {ctx.rank(x) == 2 ? x : ctx.emit("Flatten", {x}, {{"axis", 1}})};
}

OnnxValues pad(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const OnnxValue x = ctx.input(0);
    const std::size_t rank = ctx.rank(x);
    const std::string mode = attributes.choice("mode", {"constant", "edge", "reflect"}, "");
    const Ints widths = attributes.ints("pad_width"); // before and after, for each dimension in turn
    if (widths.size() != 2 * rank || std::any_of(widths.begin(), widths.end(), [](auto width) { return width < 0; })) {
        ctx.invalid(fmt::format("pad_width has {} numbers, but data of {} dimensions requires {} that are not negative",
                                widths.size(), rank, 2 * rank),
                    "pad_width");
    }
    Ints begin;
    Ints end;
    for (std::size_t i = 0; i < rank; ++i) {
        begin.push_back(widths[2 * i]);
        end.push_back(widths[2 * i + 1]);
    }
    const Shape& shape = ctx.shape(x);
    for (std::size_t i = 0; mode == "reflect" && i < rank; ++i) {
        // MXNet refuses it for images, and reads other memory for volumes.
        if (shape[i].isFixed() && std::max(begin[i], end[i]) >= shape[i].size) {
            ctx.invalid(fmt::format("pad_width = {} is too large to reflect a dimension of {}",
                                    std::max(begin[i], end[i]), shape[i].size),
                        "pad_width");
        }
    }
    const OnnxValue pads = ctx.onnx.ints(onnxPads(begin, end));
    if (mode == "constant") {
        return {ctx.emit("Pad", {x, pads, castLike(ctx, x, attributes.number("constant_value", 0), "constant_value")})};
    }
    return {ctx.emit("Pad", {x, pads}, {{"mode", mode}})};
}

/// Crops the first input to the size of the second, or to h_w, at offset or centered.
OnnxValues crop(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const OnnxValue x = ctx.input(0);
    if (ctx.rank(x) != 4) {
        ctx.invalid("Crop requires images: data of 4 dimensions");
    }
    const bool like = attributes.integer("num_args") == 2;
    const Ints wanted = attributes.ints("h_w", {0, 0});
    const Ints offset = attributes.ints("offset", {0, 0});
    if (wanted.size() != 2 || offset.size() != 2) {
        ctx.invalid("h_w and offset are pairs of a height and a width");
    }
    if (!attributes.boolean("center_crop", false) && !like) {
        const Ints ends{offset[0] + wanted[0], offset[1] + wanted[1]};
        return {emit::slice(ctx, x, offset, ends, Ints{2, 3})};
    }
    const auto sizeAt = [&](std::int64_t axis) {
        return like ? emit::dimVector(ctx, ctx.input(1), axis)
                    : ctx.onnx.ints({wanted[static_cast<std::size_t>(axis) - 2]});
    };
    OnnxValues starts;
    OnnxValues ends;
    for (std::int64_t axis = 2; axis < 4; ++axis) {
        const OnnxValue size = sizeAt(axis);
        OnnxValue start = ctx.onnx.ints({offset[static_cast<std::size_t>(axis) - 2]});
        if (attributes.boolean("center_crop", false)) {
            start = sizes::over(ctx, sizes::minus(ctx, emit::dimVector(ctx, x, axis), size), 2);
        }
        starts.push_back(start);
        ends.push_back(sizes::plus(ctx, start, size));
    }
    const OnnxValue y =
        emit::slice(ctx, x, emit::concat(ctx, starts, 0), emit::concat(ctx, ends, 0), ctx.onnx.ints({2, 3}));
    Shape shape = ctx.shape(x);
    for (std::size_t axis = 2; axis < 4; ++axis) {
        shape[axis] = like ? ctx.shape(ctx.input(1))[axis] : Dim(wanted[axis - 2]);
    }
    ctx.onnx.refine(y, shape);
    return {y};
}

OnnxValues upSamplingNearest(NodeContext& ctx, const Attributes& attributes, std::int64_t scale)
{
    const std::string mode = attributes.choice("multi_input_mode", {"concat", "sum"}, "concat");
    const OnnxValue first = ctx.input(0);
    OnnxValues parts;
    for (std::size_t i = 0; i < ctx.inputCount(); ++i) {
        const OnnxValue x = ctx.input(i);
        if (ctx.rank(x) != 4) {
            ctx.invalid("UpSampling requires images: data of 4 dimensions");
        }
        std::int64_t times = scale;
        if (i > 0 && ctx.shape(x)[2] != ctx.shape(first)[2]) { // all get the size of the first
            const std::int64_t height = ctx.fixedDim(first, 2) * scale;
            times = height / std::max<std::int64_t>(ctx.fixedDim(x, 2), 1);
            if (times < 1 || times * ctx.fixedDim(x, 2) != height) {
                ctx.invalid(fmt::format("input {} does not divide the output's height {}", i, height));
            }
        }
        parts.push_back(enlarge(ctx, x, times));
    }
    if (parts.size() == 1) {
        return {parts[0]};
    }
    return {mode == "sum" ? ctx.emit("Sum", parts) : emit::concat(ctx, parts, 1)};
}

/// A depthwise Deconvolution.
OnnxValues upSamplingBilinear(NodeContext& ctx, std::int64_t scale)
{
    const OnnxValue x = ctx.input(0);
    const std::int64_t channels = ctx.fixedDim(x, 1);
    const std::int64_t kernel = 2 * scale - scale % 2;
    const std::int64_t margin = scale / 2;
    ctx.expectWeight(1, {Dim(channels), Dim(1), Dim(kernel), Dim(kernel)});
    Window window;
    window.kernel = Ints(2, kernel);
    window.stride = Ints(2, scale);
    window.dilate = Ints(2, 1);
    const TransposedEnds ends{Ints(2, margin), Ints(2, margin)};
    return {transposedConvolution(ctx, x, ctx.input(1), {}, window, channels, ends)};
}

OnnxValues upSampling(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const std::int64_t scale = attributes.integer("scale");
    if (scale < 1 || scale > 4096) {
        ctx.invalid(fmt::format("scale = {} is out of range", scale), "scale");
    }
    return attributes.choice("sample_type", {"nearest", "bilinear"}, "") == "nearest"
               ? upSamplingNearest(ctx, attributes, scale)
               : upSamplingBilinear(ctx, scale);
}

} // namespace

std::span<const OpRow> imageSizeOps()
{
    static constexpr OpRow rows[] = {
        {"Crop", crop, "Slice"},
        {"Flatten", flatten, "Flatten"},
        {"Pad", pad, "Pad"},
        {"UpSampling", upSampling, "Resize, or ConvTranspose where bilinear"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
