// Pooling and Pooling_v1.
//
// MXNet's "full" convention rounds the output size up. ONNX's ceil_mode does as well, but it drops a window that would
// lie in the padding alone, and its runtimes disagree about the divisor of an average there. So the extra room is said
// as padding at the end: stride - 1 more elements make the rounded-down size the rounded-up one, whatever the input's
// size, and where that is known only what is needed is added.

#include "core/formats/mxnet/ops/nn/pooling.h"
#include "core/formats/mxnet/families.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace crosswalk::mxnet {
namespace {

Ints spatialAxes(std::size_t rank)
{
    Ints axes(rank);
    std::iota(axes.begin(), axes.end(), 2);
    return axes;
}

double lowest(ElementType type)
{
    // Pooling's maximum starts from the type's smallest finite number, not from -infinity as Pooling_v1's.
    return type == ElementType::Float64   ? std::numeric_limits<double>::lowest()
           : type == ElementType::Float16 ? -65504.0
                                          : std::numeric_limits<float>::lowest();
}

double product(const Ints& values)
{
    return std::accumulate(values.begin(), values.end(), 1.0, [](double a, auto b) { return a * double(b); });
}

bool hasKernel(const NodeContext& ctx, std::string_view op, OnnxValue x)
{
    return ctx.element(x) != ElementType::Float64 || op == "MaxPool";
}

/// The elements of all windows joined by `op` (Max, Sum), where no pooling operator has the type, or padding as wide
/// as the kernel.
OnnxValue bySlices(const NodeContext& ctx, std::string_view op, OnnxValue x, const LayerWindow& window)
{
    const OnnxValues slices = windowSlices(ctx, x, window);
    return slices.size() == 1 ? slices[0] : ctx.emit(op, slices);
}

/// Whether every window meets at least one element that is no padding, as ONNX's own padding calls for.
bool fits(const LayerWindow& window, const Ints& end)
{
    for (std::size_t i = 0; i < window.rank(); ++i) {
        if (window.pad[i] >= window.kernel[i] || end[i] >= window.kernel[i]) {
            return false;
        }
    }
    return true;
}

/// `least` is the maximum of a window that meets no element.
OnnxValue maximum(const NodeContext& ctx, OnnxValue x, const LayerWindow& window, const Ints& end, double least)
{
    if (!fits(window, end)) {
        return bySlices(ctx, "Max", padSpatial(ctx, x, window.pad, end, least), window);
    }
    return ctx.emit("MaxPool", {x},
                    {{"kernel_shape", window.kernel}, {"strides", window.stride}, {"pads", onnxPads(window.pad, end)}});
}

/// AveragePool; its divisor counts the padding or not.
OnnxValue averagePool(const NodeContext& ctx, OnnxValue x, const LayerWindow& window, const Ints& begin,
                      const Ints& end, bool countPadding)
{
    OnnxAttributes attributes{
        {"kernel_shape", window.kernel}, {"strides", window.stride}, {"pads", onnxPads(begin, end)}};
    if (countPadding) {
        attributes.emplace_back("count_include_pad", 1);
    }
    return ctx.emit("AveragePool", {x}, attributes);
}

/// Sum over the windows; the padding adds nothing.
OnnxValue sum(const NodeContext& ctx, OnnxValue x, const LayerWindow& window, const Ints& end)
{
    if (!hasKernel(ctx, "AveragePool", x) || !fits(window, end)) {
        return bySlices(ctx, "Sum", padSpatial(ctx, x, window.pad, end, 0), window);
    }
    const OnnxValue mean = averagePool(ctx, x, window, window.pad, end, true);
    return ctx.emit("Mul", {mean, emit::scalarLike(ctx, mean, product(window.kernel))});
}

/// How many elements the windows along one dimension count, as MXNet counts them: it can come to 0 or less where a
/// window lies in the padding alone.
Floats counted(const LayerWindow& window, std::size_t i, std::int64_t size, std::int64_t end, bool countPadding)
{
    const std::int64_t count = (size + window.pad[i] + end - window.kernel[i]) / window.stride[i] + 1;
    Floats lengths;
    for (std::int64_t k = 0; k < count; ++k) {
        std::int64_t first = k * window.stride[i] - window.pad[i];
        std::int64_t last = std::min(first + window.kernel[i], size + window.pad[i]);
        const std::int64_t seen = std::min(last, size) - std::max<std::int64_t>(first, 0);
        const std::int64_t length = countPadding ? last - first : seen;
        // Over three dimensions MXNet divides the empty sum (0 / 0 is NaN), over fewer it never comes to divide.
        lengths.push_back(seen > 0 || window.rank() == 3 ? static_cast<float>(length) : 1.0F);
    }
    return lengths;
}

/// The sums of the windows, divided dimension by dimension. Needs the input's size.
OnnxValue averageOfCounted(const NodeContext& ctx, OnnxValue x, const LayerWindow& window, const Ints& end,
                           bool countPadding)
{
    OnnxValue y = sum(ctx, x, window, end);
    for (std::size_t i = 0; i < window.rank(); ++i) {
        const auto size = ctx.fixedDim(x, static_cast<std::int64_t>(i) + 2);
        const Floats lengths = counted(window, i, size, end[i], countPadding);
        Ints dims(window.rank() - i, 1);
        dims[0] = static_cast<std::int64_t>(lengths.size());
        const Tensor divisor = Tensor::of<float>(ElementType::Float32, dims, lengths);
        y = ctx.emit("Div", {y, ctx.onnx.constant(divisor.converted(ctx.element(y)))});
    }
    return y;
}

Ints beyondPad(const LayerWindow& window, const Ints& end)
{
    Ints extra(window.rank());
    std::transform(end.begin(), end.end(), window.pad.begin(), extra.begin(), std::minus<>());
    return extra;
}

/// Every sum divided by the size of the kernel, wherever its window lies.
OnnxValue averageOfWhole(const NodeContext& ctx, OnnxValue x, const LayerWindow& window, const Ints& end)
{
    if (hasKernel(ctx, "AveragePool", x) && fits(window, end)) {
        return averagePool(ctx, x, window, window.pad, end, true);
    }
    return ctx.emit("Div", {sum(ctx, x, window, end), emit::scalarLike(ctx, x, product(window.kernel))});
}

OnnxValue average(const NodeContext& ctx, OnnxValue x, const LayerWindow& window, const Ints& end, const Pooling& how)
{
    const bool countPadding = how.countPadding;
    const bool noExtra = end == window.pad;
    if (countPadding && how.countRounding && !noExtra) {
        return averageOfWhole(ctx, x, window, end);
    }
    if (!hasKernel(ctx, "AveragePool", x)) {
        if (noExtra && (countPadding || end == Ints(end.size(), 0)) && fits(window, end)) {
            return ctx.emit("Div", {sum(ctx, x, window, end), emit::scalarLike(ctx, x, product(window.kernel))});
        }
        return averageOfCounted(ctx, x, window, end, countPadding);
    }
    if (!countPadding && fits(window, end)) {
        return averagePool(ctx, x, window, window.pad, end, false);
    }
    if (countPadding && noExtra && fits(window, end)) {
        return averagePool(ctx, x, window, window.pad, end, end != Ints(end.size(), 0));
    }
    if (countPadding && fits(window, window.pad)) { // the padding counts, the room beyond it that "full" needs does not
        LayerWindow bare = window;
        bare.pad = Ints(window.rank(), 0);
        const Ints extra = beyondPad(window, end);
        if (fits(bare, extra)) {
            return averagePool(ctx, padSpatial(ctx, x, window.pad, window.pad, 0), window, bare.pad, extra, false);
        }
    }
    return averageOfCounted(ctx, x, window, end, countPadding);
}

/// The p-th root of the sum of p-th powers, without the absolute value that ONNX's LpPool takes: MXNet adds x itself
/// for p = 1 and x cubed for p = 3.
OnnxValue lp(const NodeContext& ctx, OnnxValue x, std::int64_t p, const auto& sumOf)
{
    if (p == 1) {
        return sumOf(x);
    }
    const OnnxValue squared = ctx.emit("Mul", {x, x});
    if (p == 2) {
        return ctx.emit("Sqrt", {sumOf(squared)});
    }
    const OnnxValue total = sumOf(ctx.emit("Mul", {squared, x}));
    const OnnxValue root =
        ctx.emit("Pow", {ctx.emit("Abs", {total}), emit::scalarLike(ctx, total, 1.0 / 3)}); // Pow of negatives is NaN
    return ctx.emit("Mul", {ctx.emit("Sign", {total}), root});
}

OnnxValue global(const NodeContext& ctx, OnnxValue x, const std::string& type, std::int64_t p, bool channelsLast)
{
    const std::size_t rank = ctx.rank(x) - 2;
    Ints axes = spatialAxes(rank);
    if (channelsLast) {
        std::transform(axes.begin(), axes.end(), axes.begin(), [](auto axis) { return axis - 1; });
    }
    const auto total = [&](OnnxValue value) { return emit::reduce(ctx, "ReduceSum", value, axes, true); };
    if (type == "sum") {
        return total(x);
    }
    if (type == "lp") {
        return p == 2 ? emit::reduce(ctx, "ReduceL2", x, axes, true) : lp(ctx, x, p, total);
    }
    const bool isMax = type == "max";
    if (channelsLast || ctx.element(x) == ElementType::Float64) {
        return emit::reduce(ctx, isMax ? "ReduceMax" : "ReduceMean", x, axes, true);
    }
    return ctx.emit(isMax ? "GlobalMaxPool" : "GlobalAveragePool", {x});
}

/// How much padding the end needs for the output size that the convention calls for.
Ints endPads(const NodeContext& ctx, OnnxValue x, const LayerWindow& window, const std::string& convention)
{
    Ints end = window.pad;
    if (convention == "valid") {
        return end;
    }
    for (std::size_t i = 0; i < end.size(); ++i) {
        const Dim& size = ctx.shape(x)[i + 2];
        const std::int64_t stride = window.stride[i];
        if (convention == "same") { // rounds size / stride up, and starts the first window at the first element
            if (!size.isFixed()) {
                end[i] += window.kernel[i] - 1;
                continue;
            }
            const std::int64_t count = (size.size + stride - 1) / stride;
            end[i] = std::max<std::int64_t>(0, (count - 1) * stride + window.kernel[i] - size.size);
        } else if (!size.isFixed()) {
            end[i] += stride - 1;
        } else {
            const std::int64_t room = size.size + 2 * window.pad[i] - window.kernel[i];
            end[i] += ((room + stride - 1) / stride) * stride - room;
        }
    }
    return end;
}

} // namespace

OnnxValue pool(const NodeContext& ctx, OnnxValue x, const LayerWindow& window, const Pooling& how)
{
    const Ints end = endPads(ctx, x, window, how.convention);
    if (how.type == "max") {
        return maximum(ctx, x, window, end, how.least.value_or(lowest(ctx.element(x))));
    }
    if (how.type == "avg") {
        return average(ctx, x, window, end, how);
    }
    const auto total = [&](OnnxValue value) { return sum(ctx, value, window, end); };
    return how.type == "sum" ? total(x) : lp(ctx, x, how.p, total);
}

namespace {

void checkSize(const NodeContext& ctx, OnnxValue x, const LayerWindow& window)
{
    const Shape& shape = ctx.shape(x);
    if (shape.size() != window.rank() + 2) {
        ctx.invalid(fmt::format("the kernel has {} dimensions, the data {}", window.rank(), toString(shape)), "kernel");
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

} // namespace

OnnxValue poolByAttributes(const NodeContext& ctx, OnnxValue x, Pooling how)
{
    const Attributes attributes(ctx);
    how.type = attributes.choice("pool_type", {"max", "avg", "sum", "lp"}, "max");
    how.convention = attributes.choice("pooling_convention", {"valid", "full", "same"}, "valid");
    how.countPadding = attributes.boolean("count_include_pad", true);
    if (how.type == "lp") {
        how.p = attributes.integer("p_value");
        if (how.p < 1 || how.p > 3) {
            ctx.invalid(fmt::format("p_value = {} is not 1, 2 or 3", how.p), "p_value");
        }
    }
    const std::size_t rank = ctx.rank(x);
    if (rank < 3 || rank > 5) {
        ctx.invalid(fmt::format("Pooling takes data of 3 to 5 dimensions, not {}", rank));
    }
    if (attributes.boolean("global_pool", false)) { // whatever kernel, stride and pad say
        return global(ctx, x, how.type, how.p, isChannelsLast(ctx, attributes.text("layout", ""), rank - 2));
    }
    const LayerWindow window = LayerWindow::of(ctx, attributes);
    if (how.convention == "same" && (window.rank() != 1 || window.pad[0] != 0)) {
        ctx.invalid("pooling_convention = same takes one spatial dimension and no pad", "pooling_convention");
    }
    const OnnxValue image = window.channelsLast ? toChannelsFirst(ctx, x) : x;
    checkSize(ctx, image, window);
    const OnnxValue y = pool(ctx, image, window, how);
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
    const std::string type = attributes.choice("pool_type", {"max", "avg", "sum"}, "max");
    const std::string convention = attributes.choice("pooling_convention", {"valid", "full"}, "valid");
    const OnnxValue x = ctx.input(0);
    if (ctx.rank(x) != 4) {
        ctx.invalid("Pooling_v1 takes images: data of 4 dimensions");
    }
    if (attributes.boolean("global_pool", false)) {
        return {global(ctx, x, type, 1, false)};
    }
    LayerWindow window = LayerWindow::of(ctx, attributes);
    checkSize(ctx, x, window);
    const Ints end = endPads(ctx, x, window, convention);
    if (type == "max") {
        const OnnxValue padded = padSpatial(ctx, x, window.pad, window.pad, 0);
        const Ints extra = beyondPad(window, end);
        window.pad = Ints(window.rank(), 0);
        return {maximum(ctx, padded, window, extra, -std::numeric_limits<double>::infinity())};
    }
    const OnnxValue total = sum(ctx, x, window, end);
    return {type == "sum" ? total : ctx.emit("Div", {total, emit::scalarLike(ctx, total, product(window.kernel))})};
}

constexpr OpRow rows[] = {
    {"Pooling", pooling, "MaxPool, AveragePool, GlobalMaxPool, GlobalAveragePool or a reduction"},
    {"Pooling_v1", poolingV1, "MaxPool or AveragePool"},
};

} // namespace

std::span<const OpRow> poolingOps()
{
    return rows;
}

} // namespace crosswalk::mxnet
