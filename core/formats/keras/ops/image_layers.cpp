// UpSampling, Resizing, cropping and random changes of images, which inference leaves out.

#include "core/base/saturating_product.h"
#include "core/convert/forms/elementwise/number_limits.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/convert/forms/tensor/sizes.h"
#include "core/formats/keras/ops/call_arguments.h"
#include "core/formats/keras/ops/image_resizing.h"
#include "core/formats/keras/ops/keras_families.h"
#include "core/formats/keras/ops/keras_op_table.h"
#include "core/formats/keras/ops/spatial.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

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
    if (!isFloating(ctx.element(x))) {
        layer.refuse(fmt::format("{} interpolation of integers", interpolation), "interpolation",
                     "cast the images to float32");
    }
    // TensorFlow's resizing returns float32 for every type, and Keras 2 leaves it so.
    const OnnxValue images = channelsFirst(layer, layer.major() < 3 ? emit::cast(ctx, x, ElementType::Float32) : x);
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
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    if (sized.height < 1 || sized.width < 1 || sized.height > most || sized.width > most) {
        layer.ctx.invalid(fmt::format("a size of {} x {}", sized.height, sized.width), "height");
    }
    return sized;
}

OnnxValue cropped(const NodeContext& ctx, OnnxValue x, std::int64_t top, std::int64_t left, std::int64_t height,
                  std::int64_t width)
{
    return emit::slice(ctx, x, Ints{top, left}, Ints{top + height, left + width}, Ints{2, 3});
}

/// The part of a length that keeps the aspect, truncated; Keras 2 computes it in single precision.
std::int64_t inAspect(const Layer& layer, std::int64_t other, std::int64_t target, std::int64_t otherTarget)
{
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 2; // of what a quotient can be
    const std::int64_t product = std::min(saturatingProduct(other, target), most);
    return layer.major() >= 3
               ? static_cast<std::int64_t>(static_cast<double>(product) / static_cast<double>(otherTarget))
               : static_cast<std::int64_t>(static_cast<float>(product) / static_cast<float>(otherTarget));
}

/// The largest part in the middle that has the aspect of the target.
OnnxValue croppedToAspect(const Layer& layer, const Sized& sized)
{
    const NodeContext& ctx = layer.ctx;
    const std::int64_t height = ctx.fixedDim(sized.x, 2);
    const std::int64_t width = ctx.fixedDim(sized.x, 3);
    const std::int64_t least = layer.major() >= 3 ? 1 : 0;
    const std::int64_t cropHeight =
        std::max(least, std::min(height, inAspect(layer, width, sized.height, sized.width)));
    const std::int64_t cropWidth = std::max(least, std::min(width, inAspect(layer, height, sized.width, sized.height)));
    return cropped(ctx, sized.x, (height - cropHeight) / 2, (width - cropWidth) / 2, cropHeight, cropWidth);
}

OnnxValue paddedToAspect(const Layer& layer, const Sized& sized, double fillValue)
{
    const NodeContext& ctx = layer.ctx;
    const std::int64_t height = ctx.fixedDim(sized.x, 2);
    const std::int64_t width = ctx.fixedDim(sized.x, 3);
    const std::int64_t padHeight = std::max(height, inAspect(layer, width, sized.height, sized.width)) - height;
    const std::int64_t padWidth = std::max(width, inAspect(layer, height, sized.width, sized.height)) - width;
    // Half of the difference at both ends: an odd one loses an element.
    const Ints half{padHeight / 2, padHeight / 2 > 0 ? 0 : padWidth / 2};
    return padSpatial(ctx, sized.x, half, half, fillValue);
}

OnnxValue resizedTo(const Layer& layer, OnnxValue x, const Sized& sized, const std::string& interpolation,
                    bool isSmoothed = false)
{
    const auto size = [&](std::int64_t value) { return layer.ctx.onnx.ints({value}); };
    return resizedImages(layer, x, size(sized.height), size(sized.width), interpolation, isSmoothed);
}

/// Numbers as Keras 3 returns them from images of integers: rounded and within the range of the type.
OnnxValue inTypeOfImages(const Layer& layer, OnnxValue y, ElementType type, std::string_view interpolation)
{
    const NodeContext& ctx = layer.ctx;
    if (isFloating(type) || layer.major() < 3) {
        return y;
    }
    if (!isInteger(type) || type == ElementType::UInt32 || byteSize(type) > 4) {
        layer.refuse(fmt::format("images of {}", elementTypeName(type)), {}, "cast the images to float32");
    }
    if (interpolation != "nearest") {
        ctx.note(
            "rounding",
            "pixels halfway between two integers can be rounded to the other one, as between the backends of Keras");
    }
    const OnnxValue rounded = ctx.emit("Round", {y});
    // 2^31 - 1 is no float32: the nearest one would not fit the type.
    const double highest = type == ElementType::Int32 ? 2147483520.0 : highestNumber(type);
    return emit::cast(ctx, emit::clip(ctx, rounded, lowestNumber(type), highest), type);
}

OnnxValues resizing(const Layer& layer)
{
    const Sized sized = sizedOf(layer);
    const bool isSmoothed = layer.settings.boolean("antialias", false);
    OnnxValue x = sized.x;
    const bool isCropped = layer.settings.boolean("crop_to_aspect_ratio", false);
    const bool isPadded = layer.settings.boolean("pad_to_aspect_ratio", false);
    if (isCropped && isPadded) {
        layer.ctx.invalid("both crop_to_aspect_ratio and pad_to_aspect_ratio are set", "pad_to_aspect_ratio");
    }
    if (isCropped) {
        x = croppedToAspect(layer, sized);
    } else if (isPadded) {
        if (layer.settings.text("fill_mode", "constant") != "constant") {
            layer.refuse("a fill_mode other than constant", "fill_mode");
        }
        x = paddedToAspect(layer, sized, layer.settings.number("fill_value", 0));
    }
    const std::string interpolation = layer.settings.text("interpolation", "bilinear");
    const OnnxValue y = inLayout(layer, resizedTo(layer, x, sized, interpolation, isSmoothed));
    return {inTypeOfImages(layer, y, layer.ctx.element(layer.input(0)), interpolation)};
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
    return {inLayout(layer, resizedTo(layer, croppedToAspect(layer, sized), sized, "bilinear"))};
}

/// Random changes are those of training. At inference some layers only cast to their type.
OnnxValues unchanged(const Layer& layer)
{
    return {asFloating(layer, layer.input(0))};
}

/// Layers of Keras 2 that do not cast.
OnnxValues sameImages(const Layer& layer)
{
    return {layer.input(0)};
}

/// Keras 3 does not even cast here.
OnnxValues unchangedInKeras3(const Layer& layer)
{
    return {layer.major() >= 3 ? layer.input(0) : asFloating(layer, layer.input(0))};
}

/// Values from one range brought to another.
OnnxValue betweenRanges(const NodeContext& ctx, OnnxValue x, const std::vector<double>& from,
                        const std::vector<double>& to)
{
    if (from == to) {
        return x;
    }
    const auto number = [&](double value) { return emit::scalarLike(ctx, x, value); };
    const OnnxValue share = ctx.emit("Div", {ctx.emit("Sub", {x, number(from[0])}), number(from[1] - from[0])});
    return ctx.emit("Add", {ctx.emit("Mul", {share, number(to[1] - to[0])}), number(to[0])});
}

/// Each channel of each image stretched to the whole range; a channel of one value stays.
OnnxValues autoContrast(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue given = asFloating(layer, layer.input(0));
    if (ctx.rank(given) != 4) {
        layer.refuse(fmt::format("images of {} dimensions", ctx.rank(given)));
    }
    std::vector<double> range =
        layer.settings.has("value_range") ? layer.settings.numbers("value_range") : std::vector<double>{0, 255};
    const std::vector<double> whole{0, 255};
    if (range.size() != 2 || range[0] == range[1]) {
        ctx.invalid("value_range is not two different numbers", "value_range");
    }
    const OnnxValue x = betweenRanges(ctx, given, range, whole);
    const OnnxValue low = emit::reduce(ctx, "ReduceMin", x, {1, 2}, true);
    const OnnxValue high = emit::reduce(ctx, "ReduceMax", x, {1, 2}, true);
    const OnnxValue scale = ctx.emit("Div", {emit::scalarLike(ctx, x, 255), ctx.emit("Sub", {high, low})});
    const OnnxValue offset = ctx.emit("Mul", {ctx.emit("Neg", {low}), scale});
    const OnnxValue stretched = ctx.emit("Add", {ctx.emit("Mul", {x, scale}), offset});
    const OnnxValue isFlat = ctx.emit("Equal", {high, low});
    const OnnxValue y = betweenRanges(ctx, emit::clip(ctx, stretched, 0, 255), whole, range);
    return {ctx.emit("Where", {isFlat, given, y})};
}

/// The layers of a list, one after the other.
OnnxValues pipeline(const Layer& layer)
{
    OnnxValues values{layer.input(0)};
    for (std::size_t i = 0; layer.settings.hasBelow(fmt::format("layers.{}", i)); ++i) {
        const std::string setting = fmt::format("layers.{}", i);
        values = translateLayer(layer.inner(setting, setting, values));
    }
    return values;
}

/// At inference Keras 2 resizes the part in the middle that has the aspect of the target, Keras 3 changes nothing.
OnnxValues randomCrop(const Layer& layer)
{
    if (layer.major() >= 3) {
        return {layer.input(0)};
    }
    const Sized sized = sizedOf(layer);
    return {inLayout(layer, resizedTo(layer, croppedToAspect(layer, sized), sized, "bilinear"))};
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
    if (arguments.boolean({"preserve_aspect_ratio"}, false)) {
        layer.refuse("resizing with preserve_aspect_ratio", "preserve_aspect_ratio");
    }
    const ElementType type = ctx.element(x);
    if (!isFloating(type)) {
        if (layer.major() < 3) {
            layer.refuse("resizing of integers", "images", "cast the images to float32");
        }
        x = emit::cast(ctx, x, ElementType::Float32);
    }
    const bool isFirst = arguments.text({"data_format"}, "channels_last") == "channels_first";
    Sized sized{isFirst ? x : toChannelsFirst(ctx, x), size[0], size[1]};
    if (arguments.boolean({"crop_to_aspect_ratio"}, false)) {
        sized.x = croppedToAspect(layer, sized);
    } else if (arguments.boolean({"pad_to_aspect_ratio"}, false)) {
        sized.x = paddedToAspect(layer, sized, arguments.number({"fill_value"}, 0));
    }
    const std::string interpolation = arguments.text({"interpolation", "method", "2"}, "bilinear");
    const OnnxValue y = resizedTo(layer, sized.x, sized, interpolation, arguments.boolean({"antialias"}, false));
    return {inTypeOfImages(layer, isFirst ? y : toChannelsLast(ctx, y), type, interpolation)};
}
} // namespace

std::span<const OpRow> imageLayers()
{
    static constexpr OpRow rows[] = {
        {"AugMix", unchanged, ""},
        {"AutoContrast", autoContrast, "ReduceMin, ReduceMax, Clip"},
        {"CenterCrop", centerCrop, "Slice; Resize"},
        {"CutMix", unchanged, ""},
        {"MixUp", unchangedInKeras3, ""},
        {"Pipeline", pipeline, ""},
        {"RandAugment", unchanged, ""},
        {"RandomBrightness", unchangedInKeras3, ""},
        {"RandomColorDegeneration", unchangedInKeras3, ""},
        {"RandomColorJitter", unchangedInKeras3, ""},
        {"RandomContrast", unchangedInKeras3, ""},
        {"RandomCrop", randomCrop, "Slice, Resize"},
        {"RandomElasticTransform", unchanged, ""},
        {"RandomErasing", unchanged, ""},
        {"RandomFlip", unchanged, ""},
        {"RandomGaussianBlur", unchanged, ""},
        {"RandomGrayscale", unchangedInKeras3, ""},
        {"RandomHeight", sameImages, ""},
        {"RandomHue", unchangedInKeras3, ""},
        {"RandomInvert", unchangedInKeras3, ""},
        {"RandomPerspective", unchanged, ""},
        {"RandomPosterization", unchangedInKeras3, ""},
        {"RandomRotation", unchanged, ""},
        {"RandomSaturation", unchangedInKeras3, ""},
        {"RandomSharpness", unchanged, ""},
        {"RandomShear", unchanged, ""},
        {"RandomTranslation", unchanged, ""},
        {"RandomWidth", sameImages, ""},
        {"RandomZoom", unchanged, ""},
        {"Solarization", unchanged, ""},
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
