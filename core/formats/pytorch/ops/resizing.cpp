// Resizing of images.

#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/vision/resize.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"
#include "core/formats/pytorch/ops/windows.h"

#include <algorithm>
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

/// Resize by given scales where the operator has them, else to sizes.
OnnxValue resized(const NodeContext& ctx, const std::string& mode, bool alignCorners, bool isExact = false)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.has("self") ? arguments.tensor("self") : arguments.tensor("input");
    const std::size_t rank = ctx.rank(x);
    const std::size_t count = rank - 2;
    const auto factors = arguments.numbers("scale_factors");
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
    if (std::any_of(factors.begin(), factors.end(),
                    [](double factor) { return !(factor > 0 && factor <= mostScale); }) ||
        (factors.size() != count && !arguments.has("output_size"))) {
        ctx.invalid("the scales are not positive numbers, one per dimension", "scale_factors");
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
        }
        const OnnxValue values = ctx.onnx.constant(
            Tensor::of<float>(ElementType::Float32, {static_cast<std::int64_t>(rank)}, std::span<const float>(scales)));
        return ctx.emit("Resize", {x, absent, values}, attributes);
    }
    OnnxValues sizes{emit::dimVector(ctx, x, 0), emit::dimVector(ctx, x, 1)};
    if (arguments.has("output_size")) {
        sizes.push_back(arguments.vector("output_size"));
    } else {
        for (std::size_t i = 0; i < count; ++i) {
            const Dim& dim = ctx.shape(x)[i + 2];
            if (!dim.isFixed()) {
                sizes.push_back(scaledSize(ctx, emit::dimVector(ctx, x, static_cast<std::int64_t>(i) + 2), factors[i]));
                continue;
            }
            const double size = static_cast<double>(dim.size) * factors[i];
            sizes.push_back(ctx.onnx.ints({static_cast<std::int64_t>(std::floor(size))}));
        }
    }
    return ctx.emit("Resize", {x, absent, absent, emit::concat(ctx, sizes, 0)}, attributes);
}

OnnxValues nearest(NodeContext& ctx)
{
    return {resized(ctx, "nearest", false)};
}

/// floor((i + 1/2) scale)
OnnxValues nearestExact(NodeContext& ctx)
{
    return {resized(ctx, "nearest", false, true)};
}

double triangleFilter(double x)
{
    return std::max(1 - std::abs(x), 0.0);
}

/// Keys' cubic with a = -1/2.
double cubicFilter(double given)
{
    const double x = std::abs(given);
    return x < 1 ? (1.5 * x - 2.5) * x * x + 1 : x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0;
}

/// The weights of the pixels in each pixel of the result, (to, from): the filter is as wide as the pixels that shrink
/// to one.
Tensor filterWeights(std::int64_t from, std::int64_t to, double scale, double radius, double (*filter)(double))
{
    std::vector<float> weights(static_cast<std::size_t>(from * to), 0);
    const double width = std::max(scale, 1.0);
    for (std::int64_t i = 0; i < to; ++i) {
        const double center = scale * (static_cast<double>(i) + 0.5);
        const auto first =
            std::max<std::int64_t>(static_cast<std::int64_t>(std::trunc(center - radius * width + 0.5)), 0);
        const auto last =
            std::min<std::int64_t>(static_cast<std::int64_t>(std::trunc(center + radius * width + 0.5)), from);
        std::vector<double> row;
        double total = 0;
        for (std::int64_t k = first; k < last; ++k) {
            row.push_back(filter((static_cast<double>(k) - center + 0.5) / width));
            total += row.back();
        }
        for (std::int64_t k = first; k < last && total != 0; ++k) {
            weights[static_cast<std::size_t>(i * from + k)] =
                static_cast<float>(row[static_cast<std::size_t>(k - first)] / total);
        }
    }
    return Tensor::of<float>(ElementType::Float32, {to, from}, weights);
}

/// Resizing that averages what it shrinks, as products with matrices.
template <bool isCubic>
OnnxValues filtered(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor(arguments.has("self") ? "self" : "input");
    const std::vector<double> factors = arguments.numbers("scale_factors");
    const Ints sizes = arguments.integers("output_size").value_or(Ints());
    if (factors.size() != 2 && sizes.size() != 2) {
        ctx.invalid("needs two sizes or two factors", "output_size");
    }
    std::vector<Tensor> weights;
    for (std::size_t i = 0; i < 2; ++i) {
        const std::int64_t from = ctx.fixedDim(x, static_cast<std::int64_t>(i) + 2);
        const bool hasFactor = factors.size() == 2;
        if (hasFactor && !(factors[i] > 0 && factors[i] <= mostScale)) {
            ctx.invalid("the scales are not positive numbers", "scale_factors");
        }
        const std::int64_t to = sizes.size() == 2
                                    ? sizes[i]
                                    : static_cast<std::int64_t>(std::floor(static_cast<double>(from) * factors[i]));
        if (to < 1 || from > forms::elementLimit / to) {
            ctx.invalid("the size is not positive or too large", "output_size");
        }
        double scale = hasFactor ? 1 / factors[i] : static_cast<double>(from) / static_cast<double>(to);
        if (arguments.truth("align_corners")) {
            scale = to > 1 ? static_cast<double>(from - 1) / static_cast<double>(to - 1) : 0;
        }
        weights.push_back(filterWeights(from, to, scale, isCubic ? 2 : 1, isCubic ? cubicFilter : triangleFilter));
    }
    return {forms::transformRowsAndColumns(ctx, x, weights[0], weights[1])};
}

OnnxValues resizedLinear(NodeContext& ctx)
{
    return {resized(ctx, "linear", Arguments(ctx).truth("align_corners"))};
}

OnnxValues cubic(NodeContext& ctx)
{
    return {resized(ctx, "cubic", Arguments(ctx).truth("align_corners"))};
}

OnnxValues pixelShuffle(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    return {unbatched(ctx,
                      ctx.emit("DepthToSpace", {batched(ctx, x, 4)},
                               {{"blocksize", arguments.positive("upscale_factor", 1)}, {"mode", "CRD"}}),
                      x, 4)};
}

} // namespace

std::span<const OpRow> resizingOps()
{
    static constexpr OpRow rows[] = {
        {"aten::_upsample_nearest_exact1d", nearestExact, "Resize"},
        {"aten::_upsample_nearest_exact2d", nearestExact, "Resize"},
        {"aten::_upsample_nearest_exact3d", nearestExact, "Resize"},
        {"aten::_upsample_bilinear2d_aa", filtered<false>, "MatMul"},
        {"aten::_upsample_bicubic2d_aa", filtered<true>, "MatMul"},
        {"aten::upsample_nearest1d", nearest, "Resize"},
        {"aten::upsample_nearest2d", nearest, "Resize"},
        {"aten::upsample_nearest3d", nearest, "Resize"},
        {"aten::upsample_linear1d", resizedLinear, "Resize"},
        {"aten::upsample_bilinear2d", resizedLinear, "Resize"},
        {"aten::upsample_trilinear3d", resizedLinear, "Resize"},
        {"aten::upsample_bicubic2d", cubic, "Resize"},
        {"aten::pixel_shuffle", pixelShuffle, "DepthToSpace"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
