// Poolings.

#include "core/convert/forms/nn/pooling.h"

#include "core/convert/forms/tensor/reduce.h"
#include "core/convert/forms/vision/resize.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"
#include "core/formats/pytorch/ops/windows.h"

#include <algorithm>

namespace crosswalk::pytorch {
namespace {

/// The number of windows along a dimension: rounded up, the last window has to start within the size and the padding in
/// front.
std::int64_t windowsOf(std::int64_t size, std::int64_t pad, std::int64_t reach, std::int64_t stride, bool isUp)
{
    const std::int64_t room = size + 2 * pad - reach;
    std::int64_t count = (isUp ? (room + stride - 1) / stride : room / stride) + 1;
    if (isUp && (count - 1) * stride >= size + pad) {
        --count;
    }
    return count;
}

/// The pads at the end, larger for windows that reach beyond.
Ints endsOf(const NodeContext& ctx, OnnxValue x, const forms::Window& window, const Ints& pads, bool isUp)
{
    Ints ends = pads;
    for (std::size_t i = 0; isUp && i < pads.size(); ++i) {
        const std::int64_t size = ctx.fixedDim(x, static_cast<std::int64_t>(i) + 2);
        const std::int64_t count = windowsOf(size, pads[i], window.reach(i), window.stride[i], true);
        ends[i] = std::max(pads[i], (count - 1) * window.stride[i] + window.reach(i) - size - pads[i]);
    }
    return ends;
}

forms::Window windowOf(const NodeContext& ctx, const Arguments& arguments, std::size_t count)
{
    forms::Window window;
    window.kernel = positivePerDimension(ctx, arguments, "kernel_size", count, 1);
    const Ints stride = arguments.integers("stride").value_or(Ints());
    window.stride = stride.empty() ? window.kernel : positivePerDimension(ctx, arguments, "stride", count, 1);
    window.dilate = positivePerDimension(ctx, arguments, "dilation", count, 1);
    return window;
}

template <std::size_t count>
OnnxValues maxPool(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const OnnxValue images = batched(ctx, x, count + 2);
    const forms::Window window = windowOf(ctx, arguments, count);
    const Ints pads = perDimension(ctx, arguments, "padding", count, 0);
    const Ints ends = endsOf(ctx, images, window, pads, arguments.truth("ceil_mode"));
    const OnnxValue y = ctx.emit("MaxPool", {images},
                                 {{"kernel_shape", window.kernel},
                                  {"strides", window.stride},
                                  {"dilations", window.dilate},
                                  {"pads", forms::onnxPads(pads, ends)}});
    return {unbatched(ctx, y, x, count + 2)};
}

/// Sums over windows are averages over the padded extent times the number of elements; a divisor is the number of
/// elements within the extent that counts.
template <std::size_t count>
OnnxValues averagePool(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const OnnxValue images = batched(ctx, x, count + 2);
    const forms::Window window = windowOf(ctx, arguments, count);
    const Ints pads = perDimension(ctx, arguments, "padding", count, 0);
    const bool isUp = arguments.truth("ceil_mode");
    const Ints ends = endsOf(ctx, images, window, pads, isUp);
    const bool countsPadding = arguments.truth("count_include_pad", true);
    OnnxValue y;
    if (arguments.has("divisor_override")) {
        const OnnxValue padded = forms::padSpatial(ctx, images, pads, ends, 0);
        const OnnxValue average =
            ctx.emit("AveragePool", {padded}, {{"kernel_shape", window.kernel}, {"strides", window.stride}});
        const double factor = forms::kernelSize(window) / static_cast<double>(arguments.integer("divisor_override", 1));
        y = ctx.emit("Mul", {average, emit::scalarLike(ctx, average, factor)});
    } else if (!countsPadding || pads == ends) {
        y = ctx.emit("AveragePool", {images},
                     {{"kernel_shape", window.kernel},
                      {"strides", window.stride},
                      {"pads", forms::onnxPads(pads, ends)},
                      {"count_include_pad", countsPadding}});
    } else {
        // The padding counts, but not what rounding up adds beyond it.
        Ints beyond = ends;
        std::transform(ends.begin(), ends.end(), pads.begin(), beyond.begin(), std::minus<>());
        const OnnxValue padded = forms::padSpatial(ctx, images, pads, pads, 0);
        y = ctx.emit("AveragePool", {padded},
                     {{"kernel_shape", window.kernel},
                      {"strides", window.stride},
                      {"pads", forms::onnxPads(Ints(count, 0), beyond)},
                      {"count_include_pad", 0}});
    }
    return {unbatched(ctx, y, x, count + 2)};
}

/// Pools an axis to a size: window i is [floor(i L / size), ceil((i + 1) L / size)).
OnnxValue adaptiveAxis(const NodeContext& ctx, OnnxValue x, std::int64_t axis, std::int64_t size, const char* reduce)
{
    const std::int64_t length = ctx.fixedDim(x, axis);
    OnnxValues parts;
    for (std::int64_t i = 0; i < size; ++i) {
        const std::int64_t first = i * length / size;
        const std::int64_t last = ((i + 1) * length + size - 1) / size;
        const OnnxValue part = emit::slice(ctx, x, Ints{first}, Ints{last}, Ints{axis});
        parts.push_back(last - first == 1 ? part : forms::reducedAlong(ctx, reduce, part, {axis}, true));
    }
    return parts.size() == 1 ? parts[0] : emit::concat(ctx, parts, axis);
}

template <std::size_t count, bool isMax>
OnnxValues adaptivePool(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    OnnxValue x = arguments.tensor("self");
    const char* reduce = isMax ? "ReduceMax" : "ReduceMean";
    const auto first = static_cast<std::int64_t>(ctx.rank(x) - count);
    Ints sizes = arguments.integers("output_size").value_or(Ints());
    if (sizes.size() == 1) {
        sizes.assign(count, sizes[0]);
    }
    if (sizes.size() != count || *std::min_element(sizes.begin(), sizes.end()) < 0 ||
        *std::max_element(sizes.begin(), sizes.end()) > mostParts) {
        ctx.invalid("the size of the output has the wrong number of dimensions, or is negative or too large",
                    "output_size");
    }
    if (sizes == Ints(count, 1)) {
        Ints axes;
        for (std::size_t i = 0; i < count; ++i) {
            axes.push_back(first + static_cast<std::int64_t>(i));
        }
        return {forms::reducedAlong(ctx, reduce, x, axes, true)};
    }
    if (isMax && ctx.node.outputs.size() > 1 &&
        ctx.graph.value(ctx.node.outputs[1]).name.find("unused") == std::string::npos) {
        ctx.refuse("the indices of an adaptive maximum are not supported", "output_size");
    }
    for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t axis = first + static_cast<std::int64_t>(i);
        if (ctx.shape(x)[static_cast<std::size_t>(axis)] != Dim(sizes[i])) {
            x = adaptiveAxis(ctx, x, axis, sizes[i], reduce);
        }
    }
    return {x};
}

constexpr OpRow rows[] = {
    {"aten::max_pool1d", maxPool<1>, "MaxPool"},
    {"aten::max_pool2d", maxPool<2>, "MaxPool"},
    {"aten::max_pool3d", maxPool<3>, "MaxPool"},
    {"aten::max_pool2d_with_indices", maxPool<2>, "MaxPool"},
    {"aten::avg_pool1d", averagePool<1>, "AveragePool"},
    {"aten::avg_pool2d", averagePool<2>, "AveragePool"},
    {"aten::avg_pool3d", averagePool<3>, "AveragePool"},
    {"aten::adaptive_avg_pool1d", adaptivePool<1, false>, "ReduceMean"},
    {"aten::adaptive_avg_pool2d", adaptivePool<2, false>, "ReduceMean"},
    {"aten::adaptive_avg_pool3d", adaptivePool<3, false>, "ReduceMean"},
    {"aten::_adaptive_avg_pool2d", adaptivePool<2, false>, "ReduceMean"},
    {"aten::adaptive_max_pool1d", adaptivePool<1, true>, "ReduceMax"},
    {"aten::adaptive_max_pool2d", adaptivePool<2, true>, "ReduceMax"},
    {"aten::adaptive_max_pool3d", adaptivePool<3, true>, "ReduceMax"},
};

} // namespace

std::span<const OpRow> poolingOps()
{
    return rows;
}

} // namespace crosswalk::pytorch
