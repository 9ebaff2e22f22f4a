// Operations of Keras 3, and functions of TensorFlow like them, on images: colours, parts and borders, patches,
// filters.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/nn/window_padding.h"
#include "core/formats/keras/ops/call_arguments.h"
#include "core/formats/keras/ops/keras_families.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace crosswalk::keras {
namespace {

/// Images (N, C, H, W), whatever the layout of the call.
struct Images {
    OnnxValue x;
    bool isLast;
    bool isSingle; ///< without a batch axis
};

Images imagesOf(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    OnnxValue x = arguments.tensor({"0", "images", "image", "input"});
    const std::string format = arguments.text({"data_format"}, "channels_last");
    const bool isSingle = ctx.rank(x) == 3;
    if ((ctx.rank(x) != 4 && !isSingle) || (format != "channels_last" && format != "channels_first")) {
        layer.refuse(fmt::format("images of {} dimensions in {}", ctx.rank(x), format), "images");
    }
    x = isSingle ? emit::unsqueeze(ctx, x, {0}) : x;
    const bool isLast = format == "channels_last";
    return {isLast ? toChannelsFirst(ctx, x) : x, isLast, isSingle};
}

OnnxValue inLayout(const NodeContext& ctx, const Images& images, OnnxValue y)
{
    y = images.isLast ? toChannelsLast(ctx, y) : y;
    return images.isSingle ? emit::squeeze(ctx, y, {0}) : y;
}

OnnxValues colours(const Layer& layer, const Images& images)
{
    if (layer.ctx.fixedDim(images.x, 1) != 3) {
        layer.ctx.invalid(fmt::format("images of {} channels, not 3", layer.ctx.fixedDim(images.x, 1)), "images");
    }
    if (!isFloating(layer.ctx.element(images.x))) {
        layer.refuse(fmt::format("images of {}", elementTypeName(layer.ctx.element(images.x))), "images",
                     "cast the images to float32");
    }
    return emit::split(layer.ctx, images.x, 1, {1, 1, 1});
}

OnnxValues grayscale(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Images images = imagesOf(layer);
    const OnnxValues rgb = colours(layer, images);
    const auto part = [&](std::size_t i, double share) {
        return ctx.emit("Mul", {rgb[i], emit::scalarLike(ctx, images.x, share)});
    };
    const OnnxValue sum = ctx.emit("Add", {ctx.emit("Add", {part(0, 0.2989), part(1, 0.587)}), part(2, 0.114)});
    return {inLayout(ctx, images, sum)};
}

OnnxValues hsvOfRgb(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Images images = imagesOf(layer);
    const OnnxValues rgb = colours(layer, images);
    const auto number = [&](double value) { return emit::scalarLike(ctx, images.x, value); };
    const OnnxValue value = emit::reduce(ctx, "ReduceMax", images.x, {1}, true);
    const OnnxValue least = emit::reduce(ctx, "ReduceMin", images.x, {1}, true);
    const OnnxValue range = ctx.emit("Sub", {value, least});
    const auto ratio = [&](OnnxValue a, OnnxValue b) { // 0 where b is not above 0
        const OnnxValue isAbove = ctx.emit("Greater", {b, number(0)});
        return ctx.emit("Where",
                        {isAbove, ctx.emit("Div", {a, ctx.emit("Where", {isAbove, b, number(1)})}), number(0)});
    };
    const OnnxValue saturation = ratio(range, value);
    const OnnxValue norm = ratio(number(1.0 / 6), range);
    const auto sector = [&](std::size_t a, std::size_t b, double offset) {
        return ctx.emit("Add", {ctx.emit("Mul", {norm, ctx.emit("Sub", {rgb[a], rgb[b]})}), number(offset)});
    };
    const OnnxValue isGreen = ctx.emit("Equal", {rgb[1], value});
    const OnnxValue isRed = ctx.emit("Equal", {rgb[0], value});
    OnnxValue hue = ctx.emit("Where", {isGreen, sector(2, 0, 2.0 / 6), sector(0, 1, 4.0 / 6)});
    hue = ctx.emit("Where", {isRed, sector(1, 2, 0), hue});
    hue = ctx.emit("Where", {ctx.emit("Greater", {range, number(0)}), hue, number(0)});
    const OnnxValue isBelow = emit::cast(ctx, ctx.emit("Less", {hue, number(0)}), ctx.element(hue));
    hue = ctx.emit("Add", {hue, isBelow});
    return {inLayout(ctx, images, emit::concat(ctx, {hue, saturation, value}, 1))};
}

OnnxValues rgbOfHsv(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Images images = imagesOf(layer);
    const OnnxValues hsv = colours(layer, images);
    const auto number = [&](double value) { return emit::scalarLike(ctx, images.x, value); };
    const OnnxValue sixths = ctx.emit("Mul", {hsv[0], number(6)});
    const auto distance = [&](double centre) { return ctx.emit("Abs", {ctx.emit("Sub", {sixths, number(centre)})}); };
    const OnnxValue red = emit::clip(ctx, ctx.emit("Sub", {distance(3), number(1)}), 0, 1);
    const OnnxValue green = emit::clip(ctx, ctx.emit("Sub", {number(2), distance(2)}), 0, 1);
    const OnnxValue blue = emit::clip(ctx, ctx.emit("Sub", {number(2), distance(4)}), 0, 1);
    const OnnxValue rest = ctx.emit("Sub", {number(1), hsv[1]});
    OnnxValues rgb;
    for (const OnnxValue share : {red, green, blue}) {
        const OnnxValue mixed = ctx.emit("Add", {rest, ctx.emit("Mul", {hsv[1], share})});
        rgb.push_back(ctx.emit("Mul", {mixed, hsv[2]}));
    }
    return {inLayout(ctx, images, emit::concat(ctx, rgb, 1))};
}

/// What is before and after a part of a length; two of the three numbers are given.
struct Ends {
    std::int64_t before;
    std::int64_t after;
};

Ends endsOf(const Layer& layer, std::int64_t size, const char* before, const char* after, const char* target,
            bool isCropped)
{
    const Arguments arguments(layer);
    const auto given = [&](const char* name) {
        return arguments.has({name}) ? std::optional(arguments.integer({name})) : std::nullopt;
    };
    const auto first = given(before);
    const auto last = given(after);
    const auto goal = given(target);
    if (!first && !last) {
        layer.ctx.invalid(fmt::format("neither {} nor {} is given", before, after), before);
    }
    std::int64_t rest = 0;
    if (!first || !last) {
        if (!goal) {
            layer.ctx.invalid(fmt::format("{} is missing", target), target);
        }
        rest = (isCropped ? size - *goal : *goal - size) - (first ? *first : *last);
    }
    const Ends ends{first.value_or(rest), last.value_or(rest)};
    if (ends.before < 0 || ends.after < 0) {
        layer.ctx.invalid(fmt::format("{} or {} is negative", before, after), before);
    }
    return ends;
}

OnnxValues croppedImages(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Images images = imagesOf(layer);
    const std::int64_t height = ctx.fixedDim(images.x, 2);
    const std::int64_t width = ctx.fixedDim(images.x, 3);
    const Ends rows = endsOf(layer, height, "top_cropping", "bottom_cropping", "target_height", true);
    const Ends columns = endsOf(layer, width, "left_cropping", "right_cropping", "target_width", true);
    const OnnxValue y = emit::slice(ctx, images.x, Ints{rows.before, columns.before},
                                    Ints{height - rows.after, width - columns.after}, Ints{2, 3});
    return {inLayout(ctx, images, y)};
}

OnnxValues paddedImages(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Images images = imagesOf(layer);
    const Ends rows = endsOf(layer, ctx.fixedDim(images.x, 2), "top_padding", "bottom_padding", "target_height", false);
    const Ends columns =
        endsOf(layer, ctx.fixedDim(images.x, 3), "left_padding", "right_padding", "target_width", false);
    const OnnxValue y = padSpatial(ctx, images.x, {rows.before, columns.before}, {rows.after, columns.after}, 0);
    return {inLayout(ctx, images, y)};
}

/// The windows of an image, each with the channels of its pixels in the order of the rows.
OnnxValues patches(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    const Images images = imagesOf(layer);
    const auto pairOf = [&](Arguments::Names names, const Ints& otherwise) {
        Ints pair = arguments.has(names) ? arguments.ints(names) : otherwise;
        const char* setting = *names.begin();
        if (pair.size() == 1) {
            pair.push_back(pair.front());
        } else if (pair.size() == 4 && pair.front() == 1 && pair.back() == 1) { // of TensorFlow
            pair = {pair[1], pair[2]};
        }
        if (pair.size() != 2 || pair[0] < 1 || pair[1] < 1) {
            layer.refuse(fmt::format("patches with {} of {} numbers", setting, pair.size()), setting);
        }
        return pair;
    };
    Window window{
        .kernel = pairOf({"size", "sizes"}, {}), .stride = {}, .dilate = pairOf({"dilation_rate", "rates"}, {1})};
    window.stride = pairOf({"strides"}, window.kernel);
    if (!isFloating(ctx.element(images.x))) {
        layer.refuse("patches of images of integers", "images", "cast the images to float32");
    }
    const std::string kind = arguments.text({"padding"}, "valid");
    OnnxValue x = images.x;
    if (kind == "same" || kind == "SAME") {
        const WindowPadding padding = samePadding(ctx, x, window, 0);
        if (padding.isSame) {
            layer.refuse("patches require fixed sizes", "padding", "fix the shapes of the inputs");
        }
        x = padSpatial(ctx, padding.x, padding.begin, padding.end, 0);
    } else if (kind != "valid" && kind != "VALID") {
        ctx.invalid(fmt::format("padding {} is neither valid nor same", kind), "padding");
    }
    return {inLayout(ctx, images, emit::concat(ctx, windowSlices(ctx, x, window), 1))};
}

/// A kernel applied to each channel alone, with zeros around the image.
OnnxValue filtered(const NodeContext& ctx, OnnxValue x, const std::vector<double>& kernel, std::int64_t height,
                   std::int64_t width)
{
    const std::int64_t channels = ctx.fixedDim(x, 1);
    std::vector<double> all;
    for (std::int64_t i = 0; i < channels; ++i) {
        all.insert(all.end(), kernel.begin(), kernel.end());
    }
    const Ints dims{channels, 1, height, width};
    const Tensor doubles = Tensor::of<double>(ElementType::Float64, dims, all);
    const OnnxValue weight =
        ctx.onnx.constant(Tensor::owned(ctx.element(x), dims, doubles.converted(ctx.element(x)).toBytes()));
    const Ints pads{(height - 1) / 2, (width - 1) / 2, height / 2, width / 2};
    return ctx.emit("Conv", {x, weight}, {{"group", channels}, {"pads", pads}, {"kernel_shape", Ints{height, width}}});
}

OnnxValues gaussianBlur(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    const Images images = imagesOf(layer);
    const Ints size = arguments.ints({"kernel_size", "1"});
    const std::vector<double> sigma = layer.settings.numbers(arguments.key({"sigma", "2"}));
    if (size.size() != 2 || sigma.size() != 2 || size[0] < 1 || size[1] < 1 || size[0] > 4096 || size[1] > 4096 ||
        ctx.element(images.x) != ElementType::Float32) {
        layer.refuse("a blur of this form", "kernel_size");
    }
    if (size[0] != size[1]) {
        layer.refuse("a blur of another height than width, which Keras's backends compute differently", "kernel_size");
    }
    const auto weights = [](std::int64_t count, double deviation) {
        std::vector<double> values;
        double sum = 0;
        for (std::int64_t i = 0; i < count; ++i) {
            const double place = static_cast<double>(2 * i + 1 - count) / 2;
            values.push_back(std::exp(-0.5 * (place / deviation) * (place / deviation)));
            sum += values.back();
        }
        std::ranges::for_each(values, [=](double& value) { value /= sum; });
        return values;
    };
    const std::vector<double> rows = weights(size[0], sigma[1]); // the first deviation is that along the width
    const std::vector<double> columns = weights(size[1], sigma[0]);
    std::vector<double> kernel;
    for (const double row : rows) {
        for (const double column : columns) {
            kernel.push_back(row * column);
        }
    }
    return {inLayout(ctx, images, filtered(ctx, images.x, kernel, size[0], size[1]))};
}
} // namespace

std::span<const OpRow> imageOperations()
{
    static constexpr OpRow rows[] = {
        {"ops.CropImages", croppedImages, "Slice"},
        {"ops.ExtractPatches", patches, "Slice, Concat"},
        {"ops.GaussianBlur", gaussianBlur, "Conv"},
        {"ops.HSVToRGB", rgbOfHsv, "Abs, Clip, Mul"},
        {"ops.PadImages", paddedImages, "Pad"},
        {"ops.RGBToGrayscale", grayscale, "Mul, Add"},
        {"ops.RGBToHSV", hsvOfRgb, "ReduceMax, ReduceMin, Where"},
        {"tf.image.extract_patches", patches, "Slice, Concat"},
        {"tf.image.hsv_to_rgb", rgbOfHsv, "Abs, Clip, Mul"},
        {"tf.image.rgb_to_hsv", hsvOfRgb, "ReduceMax, ReduceMin, Where"},
    };
    return rows;
}

} // namespace crosswalk::keras
