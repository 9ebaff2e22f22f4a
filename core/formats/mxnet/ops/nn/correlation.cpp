// Correlation: the similarity of two feature maps for every displacement between them.

#include "core/convert/forms/control/loops.h"
#include "core/convert/forms/elementwise/precision.h"
#include "core/convert/forms/nn/pooling.h"
#include "core/convert/forms/tensor/sizes.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/graph/shape_fit.h"

#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

struct Settings {
    std::int64_t kernel;
    std::int64_t reach; ///< max_displacement
    std::int64_t stride;
    std::int64_t step; ///< between displacements
    std::int64_t pad;
};

Settings settingsOf(const NodeContext& ctx, const Attributes& attributes)
{
    const auto read = [&](std::string_view name, std::int64_t fallback, std::int64_t least) {
        const std::int64_t value = attributes.integer(name, fallback);
        if (value < least || value > 1024) {
            ctx.invalid(fmt::format("{} = {} is out of range", name, value), std::string(name));
        }
        return value;
    };
    const Settings settings{read("kernel_size", 1, 1), read("max_displacement", 1, 0), read("stride1", 1, 1),
                            read("stride2", 1, 1), read("pad_size", 0, 0)};
    if (settings.kernel % 2 == 0) {
        ctx.invalid("kernel_size must be odd", "kernel_size");
    }
    return settings;
}

/// The number of elements along an axis of the padded map that the windows of one displacement cover.
OnnxValue covered(const NodeContext& ctx, OnnxValue x, std::int64_t axis, const Settings& settings)
{
    const std::int64_t border = settings.reach + (settings.kernel - 1) / 2;
    const OnnxValue room =
        sizes::plus(ctx, emit::dimVector(ctx, x, axis), ctx.onnx.ints({2 * (settings.pad - border)}));
    if (const auto known = sizes::known(ctx, room); known && *known < 1) {
        ctx.invalid("the padded maps are too small for the displacements", "max_displacement");
    }
    const OnnxValue steps = sizes::over(ctx, sizes::plus(ctx, room, ctx.onnx.ints({-1})), settings.stride);
    return sizes::plus(ctx, sizes::times(ctx, steps, settings.stride), ctx.onnx.ints({settings.kernel}));
}

/// The start of the second map for each displacement: (displacements, 2).
Tensor startsOf(const Settings& settings)
{
    const std::int64_t radius = settings.reach / settings.step;
    Ints starts;
    for (std::int64_t y = -radius; y <= radius; ++y) {
        for (std::int64_t x = -radius; x <= radius; ++x) {
            starts.push_back(settings.reach + y * settings.step);
            starts.push_back(settings.reach + x * settings.step);
        }
    }
    const auto count = static_cast<std::int64_t>(starts.size()) / 2;
    return Tensor::ints(starts).reshaped({count, 2});
}

OnnxValues correlation(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const Settings settings = settingsOf(ctx, attributes);
    const bool multiplies = attributes.boolean("is_multiply", true);
    if (ctx.rank(ctx.input(0)) != 4 || ctx.rank(ctx.input(1)) != 4) {
        ctx.invalid("Correlation requires two maps of 4 dimensions");
    }
    if (!fitsShape(ctx.shape(ctx.input(1)), ctx.shape(ctx.input(0)))) { // MXNet reads beyond the smaller map
        ctx.invalid(fmt::format("Correlation requires two maps of one shape, not {} and {}",
                                toString(ctx.shape(ctx.input(0))), toString(ctx.shape(ctx.input(1)))));
    }
    const Precision precision(ctx, ctx.input(0));
    const Ints pads(2, settings.pad);
    const OnnxValue a = padSpatial(ctx, precision.widen(ctx.input(0)), pads, pads, 0);
    const OnnxValue b = padSpatial(ctx, precision.widen(ctx.input(1)), pads, pads, 0);
    const OnnxValue size =
        emit::concat(ctx, {covered(ctx, ctx.input(0), 2, settings), covered(ctx, ctx.input(0), 3, settings)}, 0);
    const OnnxValue axes = ctx.onnx.ints({2, 3});
    const auto part = [&](OnnxValue map, OnnxValue start) {
        return emit::slice(ctx, map, start, ctx.emit("Add", {start, size}), axes);
    };
    const OnnxValue still = part(a, ctx.onnx.ints({settings.reach, settings.reach}));
    Pooling mean{.kind = PoolKind::Average};
    mean.window = {Ints(2, settings.kernel), Ints(2, settings.stride), Ints(2, 1)};
    mean.begin = mean.end = Ints(2, 0);
    const OnnxValue starts = ctx.onnx.constant(startsOf(settings));
    const OnnxValue stacked = forEach(ctx, {starts}, [&](const OnnxValues& start) -> OnnxValues {
        const OnnxValue moved = part(b, start[0]);
        ctx.onnx.refine(moved, ctx.shape(still));
        const OnnxValue alike =
            multiplies ? ctx.emit("Mul", {still, moved}) : ctx.emit("Abs", {ctx.emit("Sub", {still, moved})});
        const OnnxValue overChannels = emit::reduce(ctx, "ReduceMean", alike, {1}, true);
        const bool isPlain = settings.kernel == 1 && settings.stride == 1;
        return {emit::squeeze(ctx, isPlain ? overChannels : pool(ctx, overChannels, mean), {1})};
    })[0];
    return {precision.restore(emit::transpose(ctx, stacked, {1, 0, 2, 3}))};
}

} // namespace

std::span<const OpRow> correlationOps()
{
    static constexpr OpRow rows[] = {
        {"Correlation", correlation, "Scan of Mul or Sub, ReduceMean and AveragePool"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
