// UpSampling, Resizing, cropping and random changes of images, which inference leaves out.

#include "core/convert/forms/tensor/shape_terms.h"
#include "core/convert/forms/tensor/sizes.h"
#include "core/formats/keras/ops/call_arguments.h"
#include "core/formats/keras/ops/image_resizing.h"
#include "core/formats/keras/ops/keras_families.h"
#include "core/formats/keras/ops/spatial.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::keras {
namespace {

/// Each element along an axis `times` times in a row.
OnnxValue repeatedAlong(const NodeContext& ctx, OnnxValue x, std::int64_t axis, std::int64_t times)
{
    if (times == 1) {
        return x;
    }
    Ints counts(ctx.rank(x) + 1, 1);
    counts[static_cast<std::size_t>(axis) + 1] = times;
    const OnnxValue wide = ctx.emit("Tile", {emit::unsqueeze(ctx, x, {axis + 1}), ctx.onnx.ints(counts)});
    ShapeTerms terms;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(ctx.rank(x)); ++i) {
        terms.push_back(i < axis    ? termOf(ctx, wide, {i})
                        : i == axis ? termOf(ctx, wide, {i, i + 1})
                                    : termOf(ctx, wide, {i + 1}));
    }
    return reshapeTo(ctx, wide, terms);
}

OnnxValues upSampling(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    OnnxValue x = layer.input(0);
    if (ctx.rank(x) < 3) {
        ctx.invalid(fmt::format("data of {} dimensions", ctx.rank(x)));
    }
    const std::size_t rank = ctx.rank(x) - 2;
    const Ints times = perAxis(layer, "size", rank, 2);
    const std::string interpolation = layer.settings.text("interpolation", "nearest");
    if (interpolation == "nearest") {
        for (std::size_t i = 0; i < rank; ++i) {
            x = repeatedAlong(ctx, x, static_cast<std::int64_t>(i) + (hasChannelsLast(layer) ? 1 : 2), times[i]);
        }
        return {x};
    }
    const OnnxValue images = channelsFirst(layer, x);
    const OnnxValue height = sizes::times(ctx, emit::dimVector(ctx, images, 2), times.front());
    const OnnxValue width = sizes::times(ctx, emit::dimVector(ctx, images, 3), times.back());
    return {inLayout(layer, resizedImages(layer, images, height, width, interpolation))};
}

/// Images with channels first in a floating type, and a size.
struct Sized {
    OnnxValue x;
    std::int64_t height;
    std::int64_t width;
};

OnnxValue asFloating(const Layer& layer, OnnxValue x)
{
    return isFloating(layer.ctx.element(x))
               ? x
               : emit::cast(layer.ctx, x, layer.computeType().value_or(ElementType::Float32));
}

Sized sizedOf(const Layer& layer)
{
    const OnnxValue x = asFloating(layer, layer.input(0));
    if (layer.ctx.rank(x) != 4) {
        layer.refuse(fmt::format("images of {} dimensions", layer.ctx.rank(x)));
    }
    const Sized sized{channelsFirst(layer, x), layer.settings.integer("height"), layer.settings.integer("width")};
    if (sized.height < 1 || sized.width < 1) {
        layer.ctx.invalid(fmt::format("a size of {} x {}", sized.height, sized.width), "height");
    }
    return sized;
}

OnnxValue cropped(const NodeContext& ctx, OnnxValue x, std::int64_t top, std::int64_t left, std::int64_t height,
                  std::int64_t width)
{
    return emit::slice(ctx, x, Ints{top, left}, Ints{top + height, left + width}, Ints{2, 3});
}

/// The part of a length that keeps the aspect, computed in single precision and truncated as Keras does.
std::int64_t inAspect(std::int64_t other, std::int64_t target, std::int64_t otherTarget)
{
    return static_cast<std::int64_t>(static_cast<float>(other * target) / static_cast<float>(otherTarget));
}

/// The largest part in the middle that has the aspect of the target.
OnnxValue croppedToAspect(const NodeContext& ctx, const Sized& sized)
{
    const std::int64_t height = ctx.fixedDim(sized.x, 2);
    const std::int64_t width = ctx.fixedDim(sized.x, 3);
    const std::int64_t cropHeight = std::min(height, inAspect(width, sized.height, sized.width));
    const std::int64_t cropWidth = std::min(width, inAspect(height, sized.width, sized.height));
    return cropped(ctx, sized.x, (height - cropHeight) / 2, (width - cropWidth) / 2, cropHeight, cropWidth);
}

OnnxValue paddedToAspect(const Layer& layer, const Sized& sized)
{
    const NodeContext& ctx = layer.ctx;
    if (layer.settings.text("fill_mode", "constant") != "constant") {
        layer.refuse("a fill_mode other than constant", "fill_mode");
    }
    const std::int64_t height = ctx.fixedDim(sized.x, 2);
    const std::int64_t width = ctx.fixedDim(sized.x, 3);
    const std::int64_t padHeight = std::max(height, inAspect(width, sized.height, sized.width)) - height;
    const std::int64_t padWidth = std::max(width, inAspect(height, sized.width, sized.height)) - width;
    return padSpatial(ctx, sized.x, {padHeight / 2, padWidth / 2}, {padHeight - padHeight / 2, padWidth - padWidth / 2},
                      layer.settings.number("fill_value", 0));
}

OnnxValue resizedTo(const Layer& layer, OnnxValue x, const Sized& sized, const std::string& interpolation)
{
    const auto size = [&](std::int64_t value) { return layer.ctx.onnx.ints({value}); };
    return resizedImages(layer, x, size(sized.height), size(sized.width), interpolation);
}

OnnxValues resizing(const Layer& layer)
{
    const Sized sized = sizedOf(layer);
    if (layer.settings.boolean("antialias", false)) {
        layer.refuse("resizing with antialias", "antialias");
    }
    OnnxValue x = sized.x;
    if (layer.settings.boolean("crop_to_aspect_ratio", false)) {
        x = croppedToAspect(layer.ctx, sized);
    } else if (layer.settings.boolean("pad_to_aspect_ratio", false)) {
        x = paddedToAspect(layer, sized);
    }
    return {inLayout(layer, resizedTo(layer, x, sized, layer.settings.text("interpolation", "bilinear")))};
}

/// The middle of the image; of a smaller one the part with the same aspect, resized.
OnnxValues centerCrop(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Sized sized = sizedOf(layer);
    const std::int64_t top = ctx.fixedDim(sized.x, 2) - sized.height;
    const std::int64_t left = ctx.fixedDim(sized.x, 3) - sized.width;
    if (top >= 0 && left >= 0) {
        return {inLayout(layer, cropped(ctx, sized.x, top / 2, left / 2, sized.height, sized.width))};
    }
    return {inLayout(layer, resizedTo(layer, croppedToAspect(ctx, sized), sized, "bilinear"))};
}

OnnxValues unchanged(const Layer& layer)
{
    return {asFloating(layer, layer.input(0))};
}

/// At inference Keras 2 resizes the part in the middle that has the aspect of the target, Keras 3 changes nothing.
OnnxValues randomCrop(const Layer& layer)
{
    if (layer.major() >= 3) {
        return {layer.input(0)};
    }
    const Sized sized = sizedOf(layer);
    return {inLayout(layer, resizedTo(layer, croppedToAspect(layer.ctx, sized), sized, "bilinear"))};
}

/// ops.image.resize and tf.image.resize.
OnnxValues resizeOperation(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    OnnxValue x = arguments.tensor({"0", "images"});
    const Ints size = arguments.ints({"1", "size"});
    if (size.size() != 2 || ctx.rank(x) != 4) {
        layer.refuse(fmt::format("images of {} dimensions resized to {} sizes", ctx.rank(x), size.size()), "size");
    }
    for (const char* setting : {"antialias", "crop_to_aspect_ratio", "pad_to_aspect_ratio", "preserve_aspect_ratio"}) {
        if (arguments.boolean({setting}, false)) {
            layer.refuse(fmt::format("resizing with {}", setting), setting);
        }
    }
    if (!isFloating(ctx.element(x))) {
        layer.refuse("resizing of integers", "images", "cast the images to float32");
    }
    const bool isFirst = arguments.text({"data_format"}, "channels_last") == "channels_first";
    x = isFirst ? x : toChannelsFirst(ctx, x);
    const OnnxValue y = resizedImages(layer, x, ctx.onnx.ints({size[0]}), ctx.onnx.ints({size[1]}),
                                      arguments.text({"interpolation", "method", "2"}, "bilinear"));
    return {isFirst ? y : toChannelsLast(ctx, y)};
}

} // namespace

std::span<const OpRow> imageLayers()
{
    static constexpr OpRow rows[] = {
        {"CenterCrop", centerCrop, "Slice; Resize"},
        {"RandomBrightness", unchanged, ""},
        {"RandomContrast", unchanged, ""},
        {"RandomCrop", randomCrop, "Slice, Resize"},
        {"RandomFlip", unchanged, ""},
        {"RandomHeight", unchanged, ""},
        {"RandomRotation", unchanged, ""},
        {"RandomTranslation", unchanged, ""},
        {"RandomWidth", unchanged, ""},
        {"RandomZoom", unchanged, ""},
        {"Resizing", resizing, "Transpose, Resize; MatMul"},
        {"UpSampling1D", upSampling, "Tile, Reshape"},
        {"UpSampling2D", upSampling, "Tile, Reshape; Transpose, Resize"},
        {"UpSampling3D", upSampling, "Tile, Reshape"},
        {"ops.Resize", resizeOperation, "Transpose, Resize; MatMul"},
        {"tf.image.resize", resizeOperation, "Transpose, Resize; MatMul"},
    };
    return rows;
}

} // namespace crosswalk::keras
