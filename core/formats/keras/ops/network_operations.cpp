// Operations of Keras 3 that are parts of networks: normalization by given statistics, windows as columns.

#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/vision/space_to_depth.h"
#include "core/formats/keras/ops/call_arguments.h"
#include "core/formats/keras/ops/keras_families.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::keras {
namespace {

/// (x - mean) / sqrt(variance + epsilon), times scale, plus offset, which each are vectors along one axis.
OnnxValues givenBatchNormalization(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    const OnnxValue x = floatingOperand(layer);
    const std::int64_t axis = ctx.axis(arguments.integer({"axis"}, -1), ctx.rank(x));
    Ints dims(ctx.rank(x) - static_cast<std::size_t>(axis), 1);
    dims.front() = -1;
    const auto along = [&](Arguments::Names names) {
        return emit::reshape(ctx, emit::cast(ctx, arguments.tensor(names), ctx.element(x)), dims);
    };
    const OnnxValue variance = along({"2", "variance"});
    const OnnxValue raised = ctx.emit("Add", {variance, emit::scalarLike(ctx, x, arguments.number({"epsilon"}, 1e-3))});
    OnnxValue factor = elementary::reciprocalSqrt(ctx, raised);
    if (arguments.has({"4", "scale"})) {
        factor = ctx.emit("Mul", {factor, along({"4", "scale"})});
    }
    const OnnxValue y = ctx.emit("Mul", {ctx.emit("Sub", {x, along({"1", "mean"})}), factor});
    return {arguments.has({"3", "offset"}) ? ctx.emit("Add", {y, along({"3", "offset"})}) : y};
}

/// A setting of images as two numbers.
Ints pairOf(const Layer& layer, const char* setting, std::int64_t otherwise, std::int64_t least)
{
    const Arguments arguments(layer);
    Ints pair = arguments.has({setting}) ? arguments.ints({setting}) : Ints{otherwise};
    if (pair.size() == 1) {
        pair.push_back(pair.front());
    }
    if (pair.size() != 2 || std::ranges::any_of(pair, [=](std::int64_t n) { return n < least || n > 65'536; })) {
        layer.ctx.invalid(fmt::format("{} is not one or two numbers from {}", setting, least), setting);
    }
    return pair;
}

Window windowOf(const Layer& layer)
{
    return {.kernel = pairOf(layer, "kernel_size", 1, 1),
            .stride = pairOf(layer, "stride", 1, 1),
            .dilate = pairOf(layer, "dilation", 1, 1)};
}

/// The windows of images (N, C, H, W) as columns.
OnnxValues unfold(const Layer& layer)
{
    return {imageToColumns(layer.ctx, operand(layer), windowOf(layer), pairOf(layer, "padding", 0, 0))};
}

OnnxValues fold(const Layer& layer)
{
    return {columnsToImage(layer.ctx, operand(layer), windowOf(layer), pairOf(layer, "padding", 0, 0),
                           pairOf(layer, "output_size", 1, 1))};
}
} // namespace

std::span<const OpRow> networkOperations()
{
    static constexpr OpRow rows[] = {
        {"ops.BatchNorm", givenBatchNormalization, "Sub, Mul, Add"},
        {"ops.Fold", fold, "ScatterND"},
        {"ops.Unfold", unfold, "Gather"},
    };
    return rows;
}

} // namespace crosswalk::keras
