// Resizing of images.

#include "core/base/whole_number.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/int_vector.h"
#include "core/convert/forms/tensor/sizes.h"
#include "core/convert/forms/vision/nearest_places.h"
#include "core/convert/forms/vision/resize.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"
#include "core/formats/pytorch/ops/reshaping.h"
#include "core/formats/pytorch/ops/windows.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace crosswalk::pytorch {
namespace {

/// The largest scale; the sizes of results stay within int64.
constexpr double mostScale = 1 << 16;

/// floor(size factor), computed in float64 as in PyTorch.
OnnxValue scaledSize(const NodeContext& ctx, OnnxValue size, double factor)
{
    if (factor == std::floor(factor)) {
        return ctx.emit("Mul", {size, ctx.onnx.ints({static_cast<std::int64_t>(factor)})});
    }
    const OnnxValue wide = emit::cast(ctx, size, ElementType::Float64);
    const OnnxValue scaled = ctx.emit("Mul", {wide, ctx.onnx.scalar(ElementType::Float64, factor)});
    return emit::cast(ctx, ctx.emit("Floor", {scaled}), ElementType::Int64);
}

OnnxValue imagesOf(const NodeContext& ctx, const Arguments& arguments)
{
    const OnnxValue images = arguments.tensor(arguments.has("self") ? "self" : "input");
    if (ctx.rank(images) < 3 || ctx.rank(images) > 5) {
        ctx.invalid(fmt::format("it resizes tensors of 3 to 5 dimensions, not {}", toString(ctx.shape(images))));
    }
    return images;
}

[[noreturn]] void invalidScales(const NodeContext& ctx)
{
    ctx.invalid("the scales are not positive numbers, one per dimension", "scale_factors");
}

/// The factors of the sizes, one per dimension, or nothing: as a list, or one argument each.
std::vector<double> factorsOf(const NodeContext& ctx, std::size_t count)
{
    const Arguments arguments(ctx);
    std::vector<double> factors;
    if (arguments.has("scale_factors")) {
        factors = arguments.numbers("scale_factors");
    } else {
        static constexpr std::array<std::string_view, 3> names{"scales_d", "scales_h", "scales_w"};
        for (std::size_t i = 0; i < count; ++i) {
            const std::string_view name = count == 1 ? "scales" : names[names.size() - count + i];
            if (arguments.has(name)) {
                factors.push_back(arguments.number(name, 1));
            }
        }
        if (factors.size() != count) {
            return {};
        }
    }
    const auto isScale = [](double factor) { return factor > 0 && factor <= mostScale; };
    if (!factors.empty() && (factors.size() != count || !std::all_of(factors.begin(), factors.end(), isScale))) {
        invalidScales(ctx);
    }
    return factors;
}

/// The sizes that are given; nothing where they are computed when the model runs.
std::optional<Ints> sizesOf(const NodeContext& ctx, const Arguments& arguments)
{
    return arguments.has("output_size") ? forms::knownInts(ctx, arguments.vector("output_size")) : std::nullopt;
}

/// Resize by given scales where the operator has them, else to sizes.
OnnxValue resized(const NodeContext& ctx, const std::string& mode, bool alignCorners, bool isExact = false)
{
    const Arguments arguments(ctx);
    const OnnxValue x = imagesOf(ctx, arguments);
    const std::size_t rank = ctx.rank(x);
    const std::size_t count = rank - 2;
    const auto factors = factorsOf(ctx, count);
    const auto sizesGiven = sizesOf(ctx, arguments);
    OnnxAttributes attributes{{"mode", mode}};
    if (mode == "nearest" && isExact) {
        attributes.emplace_back("coordinate_transformation_mode", "half_pixel");
        attributes.emplace_back("nearest_mode", "round_prefer_ceil");
    } else if (mode == "nearest") {
        attributes.emplace_back("coordinate_transformation_mode", "asymmetric");
        attributes.emplace_back("nearest_mode", "floor");
    } else {
        attributes.emplace_back("coordinate_transformation_mode", alignCorners ? "align_corners" : "half_pixel");
    }
    if (mode == "cubic") {
        attributes.emplace_back("cubic_coeff_a", -0.75);
    }
    if (factors.empty() && !arguments.has("output_size")) {
        invalidScales(ctx);
    }
    if (sizesGiven && (sizesGiven->size() != count || std::any_of(sizesGiven->begin(), sizesGiven->end(),
                                                                  [](std::int64_t size) { return size < 1; }))) {
        ctx.invalid("the sizes are not positive numbers, one per dimension", "output_size");
    }
    // Opset 11 requires a region of interest, and scales beside sizes, even if they are meaningless.
    const OnnxValue absent =
        ctx.onnx.opset() >= 13 ? OnnxValue{} : ctx.onnx.constant(Tensor::filled(ElementType::Float32, {0}, 0));
    const bool hasScales = factors.size() == count && !alignCorners;
    if (hasScales) {
        std::vector<float> scales(2, 1.0F);
        for (std::size_t i = 0; i < count; ++i) {
            scales.push_back(static_cast<float>(factors[i]));
            const Dim& dim = ctx.shape(x)[i + 2];
            const double size = static_cast<double>(dim.size) * factors[i];
            // ONNX Runtime computes the size in float32.
            if (dim.isFixed() && std::floor(static_cast<float>(dim.size) * scales.back()) != std::floor(size)) {
                ctx.refuse("the scale gives another size in single precision", "scale_factors");
            }
            if (arguments.has("output_size") &&
                (!sizesGiven || !dim.isFixed() || static_cast<double>((*sizesGiven)[i]) != std::floor(size))) {
                ctx.refuse("a size other than the scaled one is not supported", "output_size");
            }
        }
        const OnnxValue values = ctx.onnx.constant(
            Tensor::of<float>(ElementType::Float32, {static_cast<std::int64_t>(rank)}, std::span<const float>(scales)));
        return ctx.emit("Resize", {x, absent, values}, attributes);
    }
    OnnxValues sizes{emit::dimVector(ctx, x, 0), emit::dimVector(ctx, x, 1)};
    Shape shape{ctx.shape(x)[0], ctx.shape(x)[1]}; // ONNX does not infer it from sizes before opset 13
    if (arguments.has("output_size")) {
        sizes.push_back(arguments.vector("output_size"));
        for (std::size_t i = 0; i < count; ++i) {
            shape.push_back(sizesGiven ? Dim((*sizesGiven)[i]) : Dim());
        }
    } else {
        for (std::size_t i = 0; i < count; ++i) {
            const Dim& dim = ctx.shape(x)[i + 2];
            if (!dim.isFixed()) {
                sizes.push_back(scaledSize(ctx, emit::dimVector(ctx, x, static_cast<std::int64_t>(i) + 2), factors[i]));
                shape.emplace_back();
                continue;
            }
            const auto size = wholeNumber(std::floor(static_cast<double>(dim.size) * factors[i]));
            if (!size) {
                ctx.invalid("the scaled size is too large", "scale_factors");
            }
            sizes.push_back(ctx.onnx.ints({*size}));
            shape.emplace_back(*size);
        }
    }
    const OnnxValue y = ctx.emit("Resize", {x, absent, absent, emit::concat(ctx, sizes, 0)}, attributes);
    ctx.onnx.refine(y, shape);
    return y;
}

double triangleFilter(double x)
{
    return std::max(1 - std::abs(x), 0.0);
}

/// Keys' cubic; a = -1/2 where the filter averages, else -3/4.
double cubicFilter(double given, double a)
{
    const double x = std::abs(given);
    return x < 1 ? ((a + 2) * x - (a + 3)) * x * x + 1 : x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

/// How an axis is resized.
struct AxisResizing {
    std::int64_t from = 1;
    std::int64_t to = 1;
    double scale = 1; ///< pixels of the source per pixel of the result
    bool isCubic = false;
    bool averages = false; ///< the filter is as wide as the pixels that shrink to one
    bool alignCorners = false;
};

/// The weights of the pixels in each pixel of the result, (to, from).
struct AxisWeights {
    std::vector<double> values;
    double largest = 0; ///< also of the sums that a pixel at the border goes through
};

AxisWeights averagingWeights(const AxisResizing& how)
{
    AxisWeights weights{.values = std::vector<double>(static_cast<std::size_t>(how.from * how.to), 0)};
    const double width = std::max(how.scale, 1.0);
    const double reach = (how.isCubic ? 2 : 1) * width;
    for (std::int64_t i = 0; i < how.to; ++i) {
        const double center = how.scale * (static_cast<double>(i) + 0.5);
        const auto first = std::max<std::int64_t>(static_cast<std::int64_t>(std::trunc(center - reach + 0.5)), 0);
        const auto last = std::min<std::int64_t>(static_cast<std::int64_t>(std::trunc(center + reach + 0.5)), how.from);
        std::vector<double> row;
        double total = 0;
        for (std::int64_t k = first; k < last; ++k) {
            const double x = (static_cast<double>(k) - center + 0.5) / width;
            row.push_back(how.isCubic ? cubicFilter(x, -0.5) : triangleFilter(x));
            total += row.back();
        }
        for (std::int64_t k = first; k < last && total != 0; ++k) {
            const double weight = row[static_cast<std::size_t>(k - first)] / total;
            weights.values[static_cast<std::size_t>(i * how.from + k)] = weight;
            weights.largest = std::max(weights.largest, weight);
        }
    }
    return weights;
}

AxisWeights interpolatingWeights(const AxisResizing& how)
{
    AxisWeights weights{.values = std::vector<double>(static_cast<std::size_t>(how.from * how.to), 0)};
    const std::int64_t reach = how.isCubic ? 2 : 1;
    for (std::int64_t i = 0; i < how.to; ++i) {
        double place =
            how.alignCorners ? how.scale * static_cast<double>(i) : how.scale * (static_cast<double>(i) + 0.5) - 0.5;
        place = how.isCubic ? place : std::max(place, 0.0);
        const std::int64_t index = std::min(static_cast<std::int64_t>(std::floor(place)), how.from - 1);
        const double part = std::clamp(place - static_cast<double>(index), 0.0, 1.0);
        for (std::int64_t k = 1 - reach; k <= reach; ++k) {
            const double x = static_cast<double>(k) - part;
            const std::int64_t pixel = std::clamp<std::int64_t>(index + k, 0, how.from - 1);
            double& weight = weights.values[static_cast<std::size_t>(i * how.from + pixel)];
            weight += how.isCubic ? cubicFilter(x, -0.75) : triangleFilter(x);
            weights.largest = std::max(weights.largest, weight);
        }
    }
    return weights;
}

AxisWeights axisWeightsOf(const AxisResizing& how)
{
    return how.averages ? averagingWeights(how) : interpolatingWeights(how);
}

Tensor matrixOf(const AxisResizing& how)
{
    return Tensor::of<double>(ElementType::Float64, {how.to, how.from}, axisWeightsOf(how).values);
}

/// How the axes behind the first two are resized. The sizes are known.
std::vector<AxisResizing> spatialResizing(const NodeContext& ctx, bool isCubic, bool averages)
{
    const Arguments arguments(ctx);
    const OnnxValue x = imagesOf(ctx, arguments);
    const std::size_t count = ctx.rank(x) - 2;
    const std::vector<double> factors = factorsOf(ctx, count);
    const auto known = sizesOf(ctx, arguments);
    const Ints sizes = known ? *known : arguments.integers("output_size").value_or(Ints());
    if (factors.size() != count && sizes.size() != count) {
        ctx.invalid("needs a size or a factor for each axis", "output_size");
    }
    std::vector<AxisResizing> axes;
    for (std::size_t i = 0; i < count; ++i) {
        AxisResizing axis{.from = ctx.fixedDim(x, static_cast<std::int64_t>(i) + 2),
                          .isCubic = isCubic,
                          .averages = averages,
                          .alignCorners = arguments.truth("align_corners")};
        const bool hasFactor = factors.size() == count;
        axis.to = sizes.size() == count
                      ? sizes[i]
                      : wholeNumber(std::floor(static_cast<double>(axis.from) * factors[i])).value_or(-1);
        if (axis.to < 1 || axis.from < 1 || axis.from > forms::elementLimit / axis.to) {
            ctx.invalid("the size is not positive or too large", "output_size");
        }
        axis.scale = hasFactor ? 1 / factors[i] : static_cast<double>(axis.from) / static_cast<double>(axis.to);
        if (axis.alignCorners) {
            axis.scale = axis.to > 1 ? static_cast<double>(axis.from - 1) / static_cast<double>(axis.to - 1) : 0;
        }
        // PyTorch leaves an axis of the same size as it is in these cases, whatever the factor.
        if (axis.from == axis.to && (averages || ctx.element(x) == ElementType::UInt8)) {
            axis.scale = 1;
        }
        axes.push_back(axis);
    }
    return axes;
}

/// Bytes along the last axis: the weights are rounded to int16 with as many bits behind the point as fit, and each pass
/// rounds to a byte.
OnnxValue resizedBytes(const NodeContext& ctx, OnnxValue x, const AxisResizing& how)
{
    const AxisWeights weights = axisWeightsOf(how);
    int bits = 0;
    constexpr int mostBits = 22;
    while (bits < mostBits && std::floor(0.5 + weights.largest * (1 << (bits + 1))) < 1 << 15) {
        ++bits;
    }
    std::vector<double> rounded = weights.values;
    for (double& weight : rounded) {
        weight = std::trunc(weight * (1 << bits) + (weight < 0 ? -0.5 : 0.5));
    }
    const Tensor matrix = Tensor::of<double>(ElementType::Float64, {how.to, how.from}, rounded).transposed(Ints{1, 0});
    OnnxValue y = ctx.emit("MatMul", {emit::cast(ctx, x, ElementType::Float64), ctx.onnx.constant(matrix)});
    y = ctx.emit("Add", {y, emit::scalarLike(ctx, y, 1 << bits >> 1)});
    y = ctx.emit("Floor", {ctx.emit("Mul", {y, emit::scalarLike(ctx, y, std::ldexp(1.0, -bits))})});
    return emit::cast(ctx, emit::clip(ctx, y, 0, 255), ElementType::UInt8);
}

OnnxValue resizedDoubles(const NodeContext& ctx, OnnxValue x, const AxisResizing& how)
{
    return ctx.emit("MatMul", {x, ctx.onnx.constant(matrixOf(how).transposed(Ints{1, 0}))});
}

using AxisPass = OnnxValue (*)(const NodeContext& ctx, OnnxValue x, const AxisResizing& how);

/// A pass along each axis, the last one first.
OnnxValue alongEach(const NodeContext& ctx, OnnxValue x, const std::vector<AxisResizing>& axes, AxisPass pass)
{
    const auto last = static_cast<std::int64_t>(ctx.rank(x)) - 1;
    for (std::size_t i = axes.size(); i-- > 0;) {
        const std::int64_t axis = static_cast<std::int64_t>(i) + 2;
        const auto turned = [&](OnnxValue y) { return axis == last ? y : emit::swapAxes(ctx, y, axis, last); };
        x = axes[i].from == axes[i].to && axes[i].scale == 1 ? x : turned(pass(ctx, turned(x), axes[i]));
    }
    return x;
}

/// Resizing as products with matrices: of doubles and bytes, for which ONNX Runtime has none, and where it averages
/// what it shrinks.
template <bool isCubic, bool averages>
OnnxValues byMatrices(NodeContext& ctx)
{
    const OnnxValue x = imagesOf(ctx, Arguments(ctx));
    const auto axes = spatialResizing(ctx, isCubic, averages);
    if (ctx.element(x) == ElementType::UInt8) {
        return {alongEach(ctx, x, axes, resizedBytes)};
    }
    return {axes.size() == 2 ? forms::transformRowsAndColumns(ctx, x, matrixOf(axes[0]), matrixOf(axes[1]))
                             : alongEach(ctx, x, axes, resizedDoubles)};
}

/// Whether images are of doubles or bytes, for which ONNX Runtime's Resize does not interpolate as PyTorch does.
bool needsMatrices(const NodeContext& ctx)
{
    const ElementType type = ctx.element(imagesOf(ctx, Arguments(ctx)));
    return type == ElementType::UInt8 || type == ElementType::Float64;
}

/// floor(i scale), or floor((i + 1/2) scale). PyTorch computes the scale in the type of the images, half precision in
/// float32, adds 1/2 after it has taken 1/2 off, and rounds to float32 before floor().
std::optional<Ints> nearestPlacesOf(const AxisResizing& axis, const double* factor, bool isExact, bool isDouble)
{
    const double scale =
        factor != nullptr ? 1 / *factor : static_cast<double>(axis.from) / static_cast<double>(axis.to);
    const double used = isDouble ? scale : static_cast<double>(static_cast<float>(scale));
    return forms::nearestPlaces(axis.from, axis.to, [&](float i) {
        const auto place = static_cast<double>(i);
        if (!isExact) {
            return static_cast<float>(place * used);
        }
        const double before = (place + 0.5) * used - 0.5;
        return isDouble ? static_cast<float>(before + 0.5) : static_cast<float>(before) + 0.5F;
    });
}

/// Whether ONNX Runtime's Resize reads these places.
bool isResize(const AxisResizing& axis, const Ints& places, const double* factor, bool isExact)
{
    const forms::Resizing how{.isLinear = false,
                              .coordinates = isExact ? forms::Coordinates::HalfPixel : forms::Coordinates::Asymmetric,
                              .roundsUp = isExact};
    const auto from = static_cast<float>(axis.from);
    const float scale = factor != nullptr ? static_cast<float>(*factor) : static_cast<float>(axis.to) / from;
    const bool isSize = factor == nullptr || std::floor(from * scale) == static_cast<float>(axis.to);
    return isSize && forms::resizeReads(places, axis.from, scale, how);
}

/// The elements are selected where ONNX Runtime's Resize reads others, and of doubles, which it does not resize.
template <bool isExact>
OnnxValues nearest(NodeContext& ctx)
{
    OnnxValue x = imagesOf(ctx, Arguments(ctx));
    const bool isDouble = ctx.element(x) == ElementType::Float64;
    const Shape& shape = ctx.shape(x);
    const bool isFixed = std::all_of(shape.begin() + 2, shape.end(), [](const Dim& dim) { return dim.isFixed(); });
    const std::vector<double> factors = factorsOf(ctx, shape.size() - 2);
    const bool hasSizes =
        Arguments(ctx).has("output_size") ? sizesOf(ctx, Arguments(ctx)).has_value() : !factors.empty();
    if (!isDouble && !(isFixed && hasSizes)) {
        return {resized(ctx, "nearest", false, isExact)};
    }
    const auto axes = spatialResizing(ctx, false, false);
    std::vector<Ints> places;
    bool isResized = !isDouble;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const double* factor = factors.empty() ? nullptr : &factors[i];
        const auto some = nearestPlacesOf(axes[i], factor, isExact, isDouble);
        if (!some) {
            return {resized(ctx, "nearest", false, isExact)};
        }
        isResized = isResized && isResize(axes[i], *some, factor, isExact);
        places.push_back(*some);
    }
    if (isResized) {
        return {resized(ctx, "nearest", false, isExact)};
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        x = forms::elementsAt(ctx, x, static_cast<std::int64_t>(i) + 2, places[i]);
    }
    return {x};
}

OnnxValues resizedLinear(NodeContext& ctx)
{
    if (needsMatrices(ctx)) {
        return byMatrices<false, false>(ctx);
    }
    return {resized(ctx, "linear", Arguments(ctx).truth("align_corners"))};
}

OnnxValues cubic(NodeContext& ctx)
{
    if (needsMatrices(ctx)) {
        return byMatrices<true, false>(ctx);
    }
    return {resized(ctx, "cubic", Arguments(ctx).truth("align_corners"))};
}

/// (N, C r^2, H, W) to (N, C, H r, W r), for types and sizes that ONNX Runtime's DepthToSpace does not take.
OnnxValue shuffledByAxes(const NodeContext& ctx, OnnxValue x, std::int64_t r)
{
    const OnnxValue channels = ctx.onnx.ints({ctx.fixedDim(x, 1) / (r * r)});
    const OnnxValue batch = emit::dimVector(ctx, x, 0);
    const OnnxValue height = emit::dimVector(ctx, x, 2);
    const OnnxValue width = emit::dimVector(ctx, x, 3);
    const OnnxValue factor = ctx.onnx.ints({r});
    const auto shaped = [&](OnnxValue y, const OnnxValues& dims) {
        return reshaped(ctx, y, emit::concat(ctx, dims, 0));
    };
    const OnnxValue blocks = shaped(x, {batch, channels, factor, factor, height, width});
    return shaped(emit::transpose(ctx, blocks, {0, 1, 4, 2, 5, 3}),
                  {batch, channels, forms::sizes::times(ctx, height, r), forms::sizes::times(ctx, width, r)});
}

OnnxValues pixelShuffle(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue given = arguments.tensor("self");
    const OnnxValue x = batched(ctx, given, 4);
    const std::int64_t r = arguments.positive("upscale_factor", 1);
    const Shape& shape = ctx.shape(x);
    const bool isEmpty = std::find(shape.begin(), shape.end(), Dim(0)) != shape.end();
    const OnnxValue y = isFloating(ctx.element(x)) && !isEmpty
                            ? ctx.emit("DepthToSpace", {x}, {{"blocksize", r}, {"mode", "CRD"}})
                            : shuffledByAxes(ctx, x, r);
    return {unbatched(ctx, y, given, 4)};
}

} // namespace

std::span<const OpRow> resizingOps()
{
    static constexpr OpRow rows[] = {
        {"aten::_upsample_nearest_exact1d", nearest<true>, "Resize, or Slice or Gather"},
        {"aten::_upsample_nearest_exact2d", nearest<true>, "Resize, or Slice or Gather"},
        {"aten::_upsample_nearest_exact3d", nearest<true>, "Resize, or Slice or Gather"},
        {"aten::_upsample_bilinear2d_aa", byMatrices<false, true>, "MatMul"},
        {"aten::_upsample_bicubic2d_aa", byMatrices<true, true>, "MatMul"},
        {"aten::upsample_nearest1d", nearest<false>, "Resize, or Slice or Gather"},
        {"aten::upsample_nearest2d", nearest<false>, "Resize, or Slice or Gather"},
        {"aten::upsample_nearest3d", nearest<false>, "Resize, or Slice or Gather"},
        {"aten::upsample_linear1d", resizedLinear, "Resize"},
        {"aten::upsample_bilinear2d", resizedLinear, "Resize"},
        {"aten::upsample_trilinear3d", resizedLinear, "Resize"},
        {"aten::upsample_bicubic2d", cubic, "Resize"},
        {"aten::pixel_shuffle", pixelShuffle, "DepthToSpace"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
