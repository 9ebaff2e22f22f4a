// Diagonals, pixels moved to other places, and grids.

#include "core/convert/forms/tensor/computed_constant.h"
#include "core/convert/forms/tensor/diagonal.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/int_vector.h"
#include "core/formats/pytorch/ops/half_steps.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"
#include "core/formats/pytorch/ops/reshaping.h"
#include "core/formats/pytorch/ops/windows.h"

#include <algorithm>
#include <array>

namespace crosswalk::pytorch {
namespace {

OnnxValues diagonal(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    return {forms::diagonalAlong(ctx, x, arguments.axis("dim1", 0, ctx.rank(x)), arguments.axis("dim2", 1, ctx.rank(x)),
                                 arguments.integer("offset", 0))};
}

OnnxValues diagonalOfMatrices(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("A");
    return {forms::diagonalAlong(ctx, x, arguments.axis("dim1", -2, ctx.rank(x)),
                                 arguments.axis("dim2", -1, ctx.rank(x)), arguments.integer("offset", 0))};
}

/// (N, C, H r, W r) to (N, C r^2, H, W), the channels in the order C, rows, columns. PyTorch leaves images without
/// elements as they are.
OnnxValues pixelUnshuffle(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue given = arguments.tensor("self");
    const Shape& shape = ctx.shape(given);
    if (std::find(shape.begin(), shape.end(), Dim(0)) != shape.end()) {
        return {given};
    }
    const OnnxValue x = batched(ctx, given, 4);
    const std::int64_t r = arguments.positive("downscale_factor", 1);
    const std::int64_t channels = ctx.fixedDim(x, 1);
    const std::int64_t height = ctx.fixedDim(x, 2) / r;
    const std::int64_t width = ctx.fixedDim(x, 3) / r;
    const OnnxValue blocks = emit::reshape(ctx, x, Ints{0, channels, height, r, width, r});
    const OnnxValue moved = emit::transpose(ctx, blocks, {0, 1, 3, 5, 2, 4});
    return {unbatched(ctx, emit::reshape(ctx, moved, Ints{0, channels * r * r, height, width}), given, 4)};
}

enum class Border { Zeros, Edge, Reflection };

/// How images or volumes are read at the positions of a grid.
struct Sampling {
    bool isNearest = false;
    bool isCubic = false;
    Border border = Border::Zeros;
    bool alignCorners = false;
};

/// Places outside an axis of a size, moved by the border.
OnnxValue withinBorder(const NodeContext& ctx, const HalfSteps& step, OnnxValue x, std::int64_t size,
                       const Sampling& how)
{
    const auto length = static_cast<double>(size);
    const double span = how.alignCorners ? length - 1 : length;
    if (how.border == Border::Reflection) {
        // The distance from the first border, folded at both.
        const double low = how.alignCorners ? 0 : -0.5;
        const OnnxValue distance = ctx.emit("Abs", {step("Add", x, -low)});
        if (span == 0) {
            x = step("Mul", distance, 0);
        } else {
            const OnnxValue rest = ctx.emit("Mod", {distance, emit::scalarLike(ctx, x, 2 * span)}, {{"fmod", 1}});
            const OnnxValue back = step("Add", ctx.emit("Neg", {rest}), 2 * span);
            x = step("Add", ctx.emit("Min", {rest, back}), low);
        }
    }
    return how.border == Border::Zeros ? x : emit::clip(ctx, x, 0, length - 1);
}

/// Positions from -1 to 1 along an axis of a size as places.
OnnxValue placesOf(const HalfSteps& step, OnnxValue grid, std::int64_t size, const Sampling& how)
{
    const auto length = static_cast<double>(size);
    const double span = how.alignCorners ? length - 1 : length;
    const OnnxValue x = step("Mul", step("Add", grid, 1), span / 2);
    return how.alignCorners ? x : step("Add", x, -0.5);
}

/// A pixel beside a place along an axis: its index, as an integer of floating type, and its weight.
struct Tap {
    OnnxValue index;
    OnnxValue weight; ///< none: 1
};

/// The weight of Keys' cubic with a = -3/4, in the order of PyTorch's steps, for one of the four pixels around a place:
/// t is the distance from the second one.
OnnxValue cubicWeight(const HalfSteps& step, OnnxValue t, int tap)
{
    constexpr double a = -0.75;
    const auto minus = [&](double number) { return step("Add", step("Neg", {t}), number); };
    const OnnxValue x = tap == 0 ? step("Add", t, 1) : tap == 1 ? t : minus(tap - 1);
    if (tap == 0 || tap == 3) {
        OnnxValue y = step("Add", step("Mul", x, a), -5 * a);
        y = step("Add", step("Mul", {y, x}), 8 * a);
        return step("Add", step("Mul", {y, x}), -4 * a);
    }
    const OnnxValue y = step("Add", step("Mul", x, a + 2), -(a + 3));
    return step("Add", step("Mul", {step("Mul", {y, x}), x}), 1);
}

std::vector<Tap> tapsOf(const NodeContext& ctx, const HalfSteps& step, OnnxValue grid, std::int64_t size,
                        const Sampling& how)
{
    const OnnxValue given = placesOf(step, grid, size, how);
    if (how.isCubic) { // the border moves the pixels, not the place
        const OnnxValue floor = ctx.emit("Floor", {given});
        const OnnxValue t = step("Sub", {given, floor});
        std::vector<Tap> taps;
        taps.reserve(4);
        for (int k = 0; k < 4; ++k) {
            taps.push_back({withinBorder(ctx, step, step("Add", floor, k - 1), size, how), cubicWeight(step, t, k)});
        }
        return taps;
    }
    const OnnxValue place = withinBorder(ctx, step, given, size, how);
    if (how.isNearest) {
        return {{ctx.emit("Round", {place}), {}}};
    }
    const OnnxValue floor = ctx.emit("Floor", {place});
    const OnnxValue rest = step("Sub", {place, floor});
    return {{floor, step("Add", ctx.emit("Neg", {rest}), 1)}, {step("Add", floor, 1), rest}};
}

/// Reads (N, C, sizes...) at a grid (N, ..., axes), the last axis of x first, by indices: for opsets and types that
/// ONNX Runtime has no operator for.
OnnxValue sampledByIndices(const NodeContext& ctx, const HalfSteps& step, OnnxValue x, OnnxValue grid,
                           const Sampling& how)
{
    const std::size_t axes = ctx.rank(x) - 2;
    Ints sizes;
    for (std::size_t i = 0; i < axes; ++i) {
        sizes.push_back(ctx.fixedDim(x, static_cast<std::int64_t>(i) + 2));
    }
    std::vector<std::vector<Tap>> taps;
    std::size_t count = 1;
    for (std::size_t i = 0; i < axes; ++i) {
        const OnnxValue index = ctx.onnx.scalar(ElementType::Int64, static_cast<double>(axes - 1 - i));
        const OnnxValue along = emit::gather(ctx, grid, index, static_cast<std::int64_t>(axes) + 1);
        // (N, 1, positions)
        taps.push_back(tapsOf(ctx, step, emit::reshape(ctx, along, Ints{0, 1, -1}), sizes[i], how));
        count *= taps.back().size();
    }
    const OnnxValue flat = emit::reshape(ctx, x, Ints{0, 0, -1});
    const OnnxValue channels =
        emit::concat(ctx, {ctx.onnx.ints({1}), emit::dimVector(ctx, x, 1), ctx.onnx.ints({1})}, 0);
    // Cubics of images are summed up along the last axis first, others with products of weights.
    const bool sumsRows = how.isCubic && axes == 2;
    OnnxValue sum;
    OnnxValue inner;
    for (std::size_t pixel = 0; pixel < count; ++pixel) {
        OnnxValue weight;
        OnnxValue mask;
        OnnxValue place;
        std::size_t rest = pixel;
        std::vector<const Tap*> chosen(axes);
        for (std::size_t i = axes; i-- > 0;) { // the last axis runs fastest
            chosen[i] = &taps[i][rest % taps[i].size()];
            rest /= taps[i].size();
        }
        for (std::size_t i = 0; i < axes; ++i) {
            const Tap& tap = *chosen[i];
            const OnnxValue within = emit::clip(ctx, tap.index, 0, static_cast<double>(sizes[i] - 1));
            const OnnxValue isIn = emit::cast(ctx, ctx.emit("Equal", {tap.index, within}), ctx.element(x));
            mask = mask ? ctx.emit("Mul", {mask, isIn}) : isIn;
            if (tap.weight && !sumsRows) {
                weight = weight ? step("Mul", {weight, tap.weight}) : tap.weight;
            }
            const OnnxValue index = emit::cast(ctx, within, ElementType::Int64);
            place = place ? ctx.emit("Add", {ctx.emit("Mul", {place, ctx.onnx.ints({sizes[i]})}), index}) : index;
        }
        const OnnxValue values = ctx.emit("GatherElements", {flat, ctx.emit("Tile", {place, channels})}, {{"axis", 2}});
        const auto plus = [&](OnnxValue before, OnnxValue term) { return before ? step("Add", {before, term}) : term; };
        if (!sumsRows) {
            weight = weight ? ctx.emit("Mul", {weight, mask}) : mask;
            sum = plus(sum, step("Mul", {values, weight}));
            continue;
        }
        inner = plus(inner, step("Mul", {ctx.emit("Mul", {values, mask}), chosen.back()->weight}));
        if ((pixel + 1) % taps.back().size() == 0) {
            sum = plus(sum, step("Mul", {inner, chosen.front()->weight}));
            inner = {};
        }
    }
    OnnxValues dims{emit::dimVector(ctx, x, 0), emit::dimVector(ctx, x, 1)};
    for (std::size_t i = 0; i < axes; ++i) {
        dims.push_back(emit::dimVector(ctx, grid, static_cast<std::int64_t>(i) + 1));
    }
    return emit::reshape(ctx, sum, emit::concat(ctx, dims, 0));
}

/// Positions from -1 to 1, x before y in the last axis of the grid.
OnnxValues gridSample(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("input");
    const OnnxValue grid = arguments.tensor("grid");
    static constexpr std::array older{"bilinear", "nearest", "bicubic"};
    static constexpr std::array newer{"linear", "nearest", "cubic"};
    static constexpr std::array borders{"zeros", "border", "reflection"};
    const auto mode = static_cast<std::size_t>(arguments.integer("interpolation_mode", 0));
    const auto border = static_cast<std::size_t>(arguments.integer("padding_mode", 0));
    if (mode >= older.size() || border >= borders.size()) {
        ctx.invalid("the mode is not one of PyTorch's", "interpolation_mode");
    }
    constexpr int firstSampling = 16;
    constexpr int firstVolumes = 20;
    const bool isNewer = ctx.onnx.opset() >= firstVolumes;
    const bool isSingle = ctx.element(x) == ElementType::Float32;
    const bool isVolume = ctx.rank(x) > 4;
    const bool hasKernel = isSingle && !(isVolume && mode == 2);
    if (ctx.onnx.opset() >= (isVolume ? firstVolumes : firstSampling) && hasKernel) {
        return {ctx.emit("GridSample", {x, grid},
                         {{"mode", isNewer ? newer[mode] : older[mode]},
                          {"padding_mode", borders[border]},
                          {"align_corners", arguments.truth("align_corners")}})};
    }
    const Sampling how{.isNearest = mode == 1,
                       .isCubic = mode == 2,
                       .border = static_cast<Border>(border),
                       .alignCorners = arguments.truth("align_corners")};
    const HalfSteps step(ctx, ctx.element(x));
    if (step.isHalf() && isVolume && mode == 2) {
        ctx.refuse("volumes of half precision are not sampled by cubics as PyTorch rounds them", "interpolation_mode",
                   "convert the model to float32 before saving it, with model.float()");
    }
    return {step.end(sampledByIndices(ctx, step, step.start(x), step.start(grid), how))};
}

/// Matrices (N, axes, axes + 1) applied to evenly spaced places: (N, sizes..., axes), the last axis of an image first.
OnnxValues affineGrid(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue matrices = arguments.tensor("theta");
    const auto known = forms::knownInts(ctx, arguments.vector("size"));
    if (!known || known->size() < 4 || known->size() > 5) {
        ctx.refuse("the size of a grid that is computed when the model runs is not supported", "size",
                   "give fixed input shapes");
    }
    const Ints sizes(known->iteratorAt(2), known->end());
    const std::size_t axes = sizes.size();
    const bool alignCorners = arguments.truth("align_corners");
    std::int64_t count = 1;
    for (const std::int64_t size : sizes) {
        if (size < 1 || count > forms::elementLimit / 8 / size) {
            ctx.invalid("the grid has no or too many places", "size");
        }
        count *= size;
    }
    const auto columns = static_cast<std::int64_t>(axes) + 1;
    const OnnxValue base = forms::computedConstant(
        ctx, ctx.element(matrices), {count, columns}, [sizes, axes, columns, alignCorners](std::uint64_t i) {
            std::int64_t place = static_cast<std::int64_t>(i) / columns;
            const std::int64_t column = static_cast<std::int64_t>(i) % columns;
            if (column == static_cast<std::int64_t>(axes)) {
                return 1.0;
            }
            for (std::int64_t k = 0; k < column; ++k) { // columns run from the last axis
                place /= sizes[axes - 1 - static_cast<std::size_t>(k)];
            }
            const auto size = static_cast<double>(sizes[axes - 1 - static_cast<std::size_t>(column)]);
            const auto at = static_cast<double>(place % static_cast<std::int64_t>(size));
            if (size == 1) {
                return 0.0;
            }
            const double even = 2 * at / (size - 1) - 1;
            return alignCorners ? even : even * (size - 1) / size;
        });
    Ints dims{0};
    dims.insert(dims.end(), sizes.begin(), sizes.end());
    dims.push_back(static_cast<std::int64_t>(axes));
    const OnnxValue moved = ctx.emit("MatMul", {base, emit::transpose(ctx, matrices, {0, 2, 1})});
    return {emit::reshape(ctx, moved, dims)};
}

} // namespace

std::span<const OpRow> placeOps()
{
    static constexpr OpRow rows[] = {
        {"aten::diagonal", diagonal, "Gather"},
        {"aten::diagonal_copy", diagonal, "Gather"},
        {"aten::linalg_diagonal", diagonalOfMatrices, "Gather"},
        {"aten::pixel_unshuffle", pixelUnshuffle, "Reshape, Transpose"},
        {"aten::grid_sampler", gridSample, "GridSample"},
        {"aten::grid_sampler_2d", gridSample, "GridSample"},
        {"aten::grid_sampler_3d", gridSample, "GridSample"},
        {"aten::affine_grid_generator", affineGrid, "MatMul"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
