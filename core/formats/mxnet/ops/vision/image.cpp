// mx.nd.image: image preprocessing, (H, W, C) or (N, H, W, C).

#include "core/convert/forms/elementwise/precision.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/vision/image_resize.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>

namespace crosswalk::mxnet {
namespace {

/// The height axis of input 0; the width and the channels follow.
std::int64_t heightAxis(const NodeContext& ctx)
{
    const std::size_t rank = ctx.rank(ctx.input(0));
    if (rank != 3 && rank != 4) {
        ctx.invalid(fmt::format("{} requires one image or a batch, data of 3 or 4 dimensions", ctx.node.op));
    }
    return static_cast<std::int64_t>(rank) - 3;
}

OnnxValues toTensor(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const Ints channelsFirst = heightAxis(ctx) == 0 ? Ints{2, 0, 1} : Ints{0, 3, 1, 2};
    const bool isDouble = ctx.element(x) == ElementType::Float64;
    const Precision precision(ctx, x, isDouble ? ElementType::Float64 : ElementType::Float32);
    OnnxValue scaled = ctx.emit("Div", {precision.widen(x), ctx.onnx.scalar(precision.wide(), 255)});
    if (isFloating(precision.type())) { // these divide in their own type
        scaled = precision.restore(scaled);
    }
    return {emit::transpose(ctx, emit::cast(ctx, scaled, ElementType::Float32), channelsFirst)};
}

/// One number per channel, or one for all, that broadcasts with (C, H, W).
OnnxValue perChannel(const NodeContext& ctx, const Attributes& attributes, std::string_view name, double fallback,
                     ElementType type)
{
    std::vector<double> numbers = attributes.numbers(name);
    if (numbers.empty()) {
        numbers.assign(4, fallback); // MXNet's own default, which fits no image
    }
    const std::int64_t axis = heightAxis(ctx);
    const Dim& channels = ctx.shape(ctx.input(0))[static_cast<std::size_t>(axis)];
    if (channels.isFixed() && channels.size != 1 && channels.size != 3) {
        ctx.invalid(fmt::format("normalize requires 1 or 3 channels, not {}", channels.size));
    }
    const auto count = static_cast<std::int64_t>(numbers.size());
    if (count != 1 && (count > 3 || (channels.isFixed() && count != channels.size))) {
        ctx.invalid(fmt::format("{} has {} numbers for {} channels", name, count, toString(Shape{channels})),
                    std::string(name));
    }
    std::transform(numbers.begin(), numbers.end(), numbers.begin(),
                   [](double number) { return static_cast<double>(static_cast<float>(number)); });
    return ctx.onnx.constant(Tensor::of<double>(ElementType::Float64, {count, 1, 1}, numbers).converted(type));
}

OnnxValues normalize(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const ElementType own = ctx.element(ctx.input(0));
    const Precision precision(ctx, ctx.input(0), own == ElementType::Float64 ? own : ElementType::Float32);
    const bool isHalf = own == ElementType::Float16; // rounds after each step
    const OnnxValue mean = perChannel(ctx, attributes, "mean", 0, precision.wide());
    const OnnxValue deviation = perChannel(ctx, attributes, "std", 1, precision.wide());
    OnnxValue centred = ctx.emit("Sub", {precision.widen(ctx.input(0)), mean});
    centred = isHalf ? precision.widen(precision.restore(centred)) : centred;
    return {precision.restore(ctx.emit("Div", {centred, deviation}))};
}

OnnxValue mirrored(const NodeContext& ctx, OnnxValue x, std::int64_t axis)
{
    if (ctx.rank(x) != 3) {
        ctx.invalid("a flip requires one image, data of 3 dimensions");
    }
    return emit::slice(ctx, x, Ints{-1}, Ints{std::numeric_limits<std::int64_t>::min() + 1}, Ints{axis}, Ints{-1});
}

OnnxValues flipLeftRight(NodeContext& ctx)
{
    return {mirrored(ctx, ctx.input(0), 1)};
}

OnnxValues flipTopBottom(NodeContext& ctx)
{
    return {mirrored(ctx, ctx.input(0), 0)};
}

/// The range [first, first + size) of an axis; a range beyond the image is invalid.
struct Range {
    std::int64_t first;
    std::int64_t size;
};

Range cropAlong(const NodeContext& ctx, const Attributes& attributes, std::int64_t axis, std::string_view first,
                std::string_view size)
{
    const Range range{attributes.integer(first), attributes.integer(size)};
    const Dim& dim = ctx.shape(ctx.input(0))[static_cast<std::size_t>(axis)];
    const bool reachesOut = dim.isFixed() && range.first + range.size > dim.size;
    if (range.first < 0 || range.size < 1 || reachesOut) {
        ctx.invalid(fmt::format("{} = {}, {} = {} is outside the image", first, range.first, size, range.size),
                    std::string(first));
    }
    return range;
}

OnnxValues crop(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const std::int64_t axis = heightAxis(ctx);
    const Range rows = cropAlong(ctx, attributes, axis, "y", "height");
    const Range columns = cropAlong(ctx, attributes, axis + 1, "x", "width");
    const Ints ends{rows.first + rows.size, columns.first + columns.size};
    return {emit::slice(ctx, ctx.input(0), Ints{rows.first, columns.first}, ends, Ints{axis, axis + 1})};
}

/// `interpolation` is OpenCV's number of a filter.
OnnxValue resizedBy(const NodeContext& ctx, OnnxValue x, ImageSize to, std::int64_t interpolation)
{
    const std::int64_t axis = heightAxis(ctx);
    const std::int64_t fromHeight = ctx.fixedDim(x, axis);
    const std::int64_t fromWidth = ctx.fixedDim(x, axis + 1);
    if (fromHeight < 1 || fromWidth < 1 || to.height > elementLimit / to.width) {
        ctx.invalid(
            fmt::format("{}x{} is not a valid size for an image of {}x{}", to.height, to.width, fromHeight, fromWidth),
            "size");
    }
    constexpr std::array filters{PixelFilter::Nearest, PixelFilter::Linear, PixelFilter::Cubic, PixelFilter::Area,
                                 PixelFilter::Lanczos};
    const bool isKnown = interpolation >= 0 && interpolation < static_cast<std::int64_t>(filters.size());
    const bool isSame = fromHeight == to.height && fromWidth == to.width;
    const bool isNearest = interpolation == 0;
    const ElementType type = ctx.element(x);
    if (!isSame && !isNearest && type != ElementType::Float32 && type != ElementType::Float64) {
        ctx.refuse(fmt::format("OpenCV resizes {} in fixed-point arithmetic that depends on the machine",
                               elementTypeName(type)),
                   "interp", "cast the image to float32 first, or use interp=0, the nearest pixel");
    }
    if (!isSame && !isKnown) {
        ctx.refuse(fmt::format("interp = {} is not one of OpenCV's 0 nearest, 1 linear, 2 cubic, 3 area, 4 Lanczos",
                               interpolation),
                   "interp");
    }
    return isSame ? x : resizedImages(ctx, x, to, filters[static_cast<std::size_t>(interpolation)]);
}

OnnxValues resize(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const Ints size = attributes.ints("size");
    const std::int64_t axis = heightAxis(ctx);
    const OnnxValue x = ctx.input(0);
    if (size.empty() || size.size() > 2 || std::any_of(size.begin(), size.end(), [](auto n) { return n < 1; })) {
        ctx.invalid("size must be a positive width, or a positive width and height", "size");
    }
    std::int64_t width = size.front();
    std::int64_t height = size.back();
    if (size.size() == 1 && attributes.boolean("keep_ratio", false)) { // the shorter side gets the size
        const std::int64_t fromHeight = ctx.fixedDim(x, axis);
        const std::int64_t fromWidth = ctx.fixedDim(x, axis + 1);
        if (fromHeight > fromWidth) {
            height = fromHeight * width / fromWidth;
        } else {
            width = fromWidth * height / fromHeight;
        }
    }
    return {resizedBy(ctx, x, {height, width}, attributes.integer("interp", 1))};
}

} // namespace

std::span<const OpRow> imageOps()
{
    static constexpr OpRow rows[] = {
        {"_image_crop", crop, "Slice"},
        {"_image_flip_left_right", flipLeftRight, "Slice"},
        {"_image_flip_top_bottom", flipTopBottom, "Slice"},
        {"_image_normalize", normalize, "Sub, Div"},
        {"_image_resize", resize, "Gather, Resize or MatMul", Support::Exact,
         "floating-point images; integer images only with nearest: OpenCV's fixed-point arithmetic is not supported"},
        {"_image_to_tensor", toTensor, "Div, Transpose"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
