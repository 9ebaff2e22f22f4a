// Pooling and Pooling_v1.

#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/ops/nn/pool_attributes.h"

#include <fmt/format.h>
#include <limits>

namespace crosswalk::mxnet {
namespace {

void checkSize(const NodeContext& ctx, OnnxValue x, const LayerWindow& window)
{
    const Shape& shape = ctx.shape(x);
    if (shape.size() != window.rank() + 2) {
        ctx.invalid(fmt::format("the kernel has {} dimensions, but the data has {}", window.rank(), toString(shape)),
                    "kernel");
    }
    for (std::size_t i = 0; i < window.rank(); ++i) {
        const Dim& size = shape[i + 2];
        if (size.isFixed() && size.size + 2 * window.pad[i] < window.kernel[i]) {
            ctx.invalid(
                fmt::format("kernel {} exceeds the padded data {}", window.kernel[i], size.size + 2 * window.pad[i]),
                "kernel");
        }
    }
}

/// A value of attribute pool_type.
PoolKind kindOf(std::string_view name)
{
    return name == "max"   ? PoolKind::Max
           : name == "avg" ? PoolKind::Average
           : name == "sum" ? PoolKind::Sum
                           : PoolKind::Lp;
}

/// A value of attribute pooling_convention.
PoolRounding roundingOf(std::string_view name)
{
    return name == "valid" ? PoolRounding::Down : name == "full" ? PoolRounding::Up : PoolRounding::PerStride;
}

void place(Pooling& how, const LayerWindow& window)
{
    how.window = window;
    how.begin = how.end = window.pad;
    how.dividesByZero = window.rank() == 3; // MXNet's loop over fewer dimensions skips empty windows
}

} // namespace

OnnxValue poolByAttributes(const NodeContext& ctx, OnnxValue x, Pooling how)
{
    const Attributes attributes(ctx);
    how.kind = kindOf(attributes.choice("pool_type", {"max", "avg", "sum", "lp"}, "max"));
    how.rounding = roundingOf(attributes.choice("pooling_convention", {"valid", "full", "same"}, "valid"));
    how.countPadding = attributes.boolean("count_include_pad", true);
    if (how.kind == PoolKind::Lp) {
        how.p = attributes.integer("p_value");
        if (how.p < 1 || how.p > 3) {
            ctx.invalid(fmt::format("p_value = {} is not 1, 2 or 3", how.p), "p_value");
        }
    }
    const std::size_t rank = ctx.rank(x);
    if (rank < 3 || rank > 5) {
        ctx.invalid(fmt::format("Pooling requires data of 3 to 5 dimensions, not {}", rank));
    }
    if (attributes.boolean("global_pool", false)) { // whatever kernel, stride and pad are
        return globalPool(ctx, x, how.kind, how.p, isChannelsLast(ctx, attributes.text("layout", ""), rank - 2));
    }
    const LayerWindow window = LayerWindow::of(ctx, attributes);
    if (how.rounding == PoolRounding::PerStride && (window.rank() != 1 || window.pad[0] != 0)) {
        ctx.invalid("pooling_convention = same requires one spatial dimension and no pad", "pooling_convention");
    }
    const OnnxValue image = window.channelsLast ? toChannelsFirst(ctx, x) : x;
    checkSize(ctx, image, window);
    place(how, window);
    const OnnxValue y = pool(ctx, image, how);
    return window.channelsLast ? toChannelsLast(ctx, y) : y;
}

namespace {

OnnxValues pooling(NodeContext& ctx)
{
    return {poolByAttributes(ctx, ctx.input(0))};
}

/// The operator of the first releases: padding is zeros, for a maximum too, and an average divides by the whole kernel.
OnnxValues poolingV1(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    Pooling how;
    how.kind = kindOf(attributes.choice("pool_type", {"max", "avg", "sum"}, "max"));
    how.rounding = roundingOf(attributes.choice("pooling_convention", {"valid", "full"}, "valid"));
    const OnnxValue x = ctx.input(0);
    if (ctx.rank(x) != 4) {
        ctx.invalid("Pooling_v1 requires images: data of 4 dimensions");
    }
    if (attributes.boolean("global_pool", false)) {
        return {globalPool(ctx, x, how.kind, 1, false)};
    }
    const LayerWindow window = LayerWindow::of(ctx, attributes);
    checkSize(ctx, x, window);
    place(how, window);
    if (how.kind == PoolKind::Max) {
        how.begin = how.end = Ints(window.rank(), 0);
        how.least = -std::numeric_limits<double>::infinity();
        return {pool(ctx, padSpatial(ctx, x, window.pad, window.pad, 0), how)};
    }
    const bool isSum = how.kind == PoolKind::Sum;
    how.kind = PoolKind::Sum;
    const OnnxValue total = pool(ctx, x, how);
    return {isSum ? total : ctx.emit("Div", {total, emit::scalarLike(ctx, total, kernelSize(window))})};
}

} // namespace

std::span<const OpRow> poolingOps()
{
    static constexpr OpRow rows[] = {
        {"Pooling", pooling, "MaxPool, AveragePool, GlobalMaxPool, GlobalAveragePool or a reduction"},
        {"Pooling_v1", poolingV1, "MaxPool or AveragePool"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
