// Resizing of images.

#include "core/convert/forms/tensor/fill.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"
#include "core/formats/pytorch/ops/windows.h"

#include <algorithm>
#include <cmath>

namespace crosswalk::pytorch {
namespace {

/// The largest scale; the sizes of results stay within int64.
constexpr double mostScale = 1 << 16;

/// Resize by given scales where the operator has them, else to sizes.
OnnxValue resized(const NodeContext& ctx, const std::string& mode, bool alignCorners)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.has("self") ? arguments.tensor("self") : arguments.tensor("input");
    const std::size_t rank = ctx.rank(x);
    const std::size_t count = rank - 2;
    const auto factors = arguments.numbers("scale_factors");
    OnnxAttributes attributes{{"mode", mode}};
    if (mode == "nearest") {
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
        return ctx.emit("Resize", {x, {}, values}, attributes);
    }
    OnnxValues sizes{emit::dimVector(ctx, x, 0), emit::dimVector(ctx, x, 1)};
    if (arguments.has("output_size")) {
        sizes.push_back(arguments.vector("output_size"));
    } else {
        for (std::size_t i = 0; i < count; ++i) {
            const auto size = static_cast<double>(ctx.fixedDim(x, static_cast<std::int64_t>(i) + 2));
            sizes.push_back(ctx.onnx.ints({static_cast<std::int64_t>(std::floor(size * factors[i]))}));
        }
    }
    return ctx.emit("Resize", {x, {}, {}, emit::concat(ctx, sizes, 0)}, attributes);
}

OnnxValues nearest(NodeContext& ctx)
{
    return {resized(ctx, "nearest", false)};
}

OnnxValues linear(NodeContext& ctx)
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

constexpr OpRow rows[] = {
    {"aten::upsample_nearest1d", nearest, "Resize"}, {"aten::upsample_nearest2d", nearest, "Resize"},
    {"aten::upsample_nearest3d", nearest, "Resize"}, {"aten::upsample_linear1d", linear, "Resize"},
    {"aten::upsample_bilinear2d", linear, "Resize"}, {"aten::upsample_trilinear3d", linear, "Resize"},
    {"aten::upsample_bicubic2d", cubic, "Resize"},   {"aten::pixel_shuffle", pixelShuffle, "DepthToSpace"},
};

} // namespace

std::span<const OpRow> resizingOps()
{
    return rows;
}

} // namespace crosswalk::pytorch
