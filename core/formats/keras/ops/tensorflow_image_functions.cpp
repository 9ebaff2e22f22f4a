// Functions of tf.image in functional models that turn, cut and brighten images with channels last.

#include "core/convert/forms/nn/window_padding.h"
#include "core/formats/keras/ops/call_arguments.h"
#include "core/formats/keras/ops/keras_families.h"
#include "core/formats/keras/ops/spatial.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::keras {
namespace {

OnnxValue batchOfImages(const Layer& layer)
{
    const OnnxValue x = Arguments(layer).tensor({"0", "image", "images"});
    if (layer.ctx.rank(x) != 4) {
        layer.refuse(fmt::format("images of {} dimensions", layer.ctx.rank(x)), "images");
    }
    return x;
}

/// Images of integers have another range, which the functions convert from and to.
OnnxValue floatingImages(const Layer& layer)
{
    const OnnxValue x = batchOfImages(layer);
    if (!isFloating(layer.ctx.element(x))) {
        layer.refuse(fmt::format("images of {}", elementTypeName(layer.ctx.element(x))), "images",
                     "cast the images to float32");
    }
    return x;
}

/// Turned counterclockwise by quarters.
OnnxValues turnedImages(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = batchOfImages(layer);
    const auto swapped = [&](OnnxValue image) { return emit::transpose(ctx, image, {0, 2, 1, 3}); };
    switch (((Arguments(layer).integer({"k"}, 1) % 4) + 4) % 4) {
    case 1:
        return {swapped(reversed(ctx, x, {2}))};
    case 2:
        return {reversed(ctx, x, {1, 2})};
    case 3:
        return {reversed(ctx, swapped(x), {2})};
    default:
        return {x};
    }
}

OnnxValues centralCrop(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = batchOfImages(layer);
    const double fraction = Arguments(layer).number({"central_fraction", "1"}, 1);
    if (!(fraction > 0 && fraction <= 1)) {
        ctx.invalid(fmt::format("a fraction of {}", fraction), "central_fraction");
    }
    Ints begin;
    Ints end;
    for (const std::int64_t axis : {1, 2}) {
        const auto size = static_cast<double>(ctx.fixedDim(x, axis));
        begin.push_back(static_cast<std::int64_t>((size - size * fraction) / 2));
        end.push_back(ctx.fixedDim(x, axis) - begin.back());
    }
    return {emit::slice(ctx, x, begin, end, Ints{1, 2})};
}

/// The middle of the target's size, with zeros around it where the image is smaller.
OnnxValues croppedOrPadded(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = batchOfImages(layer);
    const Arguments arguments(layer);
    const Ints target{arguments.integer({"target_height"}), arguments.integer({"target_width"})};
    Ints begin;
    Ints end;
    Ints pads(8, 0);
    for (std::size_t i = 0; i < 2; ++i) {
        const std::int64_t size = ctx.fixedDim(x, static_cast<std::int64_t>(i) + 1);
        if (target[i] < 1) {
            ctx.invalid(fmt::format("a target of {}", target[i]), "target_height");
        }
        const std::int64_t kept = std::min(size, target[i]);
        begin.push_back((size - kept) / 2);
        end.push_back(begin.back() + kept);
        pads[1 + i] = (target[i] - kept) / 2;
        pads[5 + i] = target[i] - kept - pads[1 + i];
    }
    return {ctx.emit("Pad", {emit::slice(ctx, x, begin, end, Ints{1, 2}), ctx.onnx.ints(pads)})};
}

OnnxValues brightened(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = floatingImages(layer);
    return {ctx.emit("Add", {x, emit::scalarLike(ctx, x, Arguments(layer).number({"delta", "1"}, 0))})};
}

/// The distances from the mean of each channel, multiplied.
OnnxValues contrasted(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = floatingImages(layer);
    const OnnxValue mean = emit::reduce(ctx, "ReduceMean", x, {1, 2}, true);
    const OnnxValue factor = emit::scalarLike(ctx, x, Arguments(layer).number({"contrast_factor", "1"}, 1));
    return {ctx.emit("Add", {ctx.emit("Mul", {ctx.emit("Sub", {x, mean}), factor}), mean})};
}

} // namespace

std::span<const OpRow> tensorflowImageFunctions()
{
    static constexpr OpRow table[] = {
        {"tf.image.adjust_brightness", brightened, "Add"},
        {"tf.image.adjust_contrast", contrasted, "ReduceMean, Mul"},
        {"tf.image.central_crop", centralCrop, "Slice"},
        {"tf.image.resize_with_crop_or_pad", croppedOrPadded, "Slice, Pad"},
        {"tf.image.rot90", turnedImages, "Slice, Transpose"},
    };
    return table;
}

} // namespace crosswalk::keras
