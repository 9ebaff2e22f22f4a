// Poolings.

#include "core/convert/forms/nn/pooling.h"

#include "core/base/rounded_quotient.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/reduce.h"
#include "core/convert/forms/vision/resize.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"
#include "core/formats/pytorch/ops/windows.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <numeric>

namespace crosswalk::pytorch {
namespace {

/// The number of windows along a dimension: rounded up, the last window has to start within the size and the padding in
/// front.
std::int64_t windowsOf(std::int64_t size, std::int64_t pad, std::int64_t reach, std::int64_t stride, bool isUp)
{
    const std::int64_t room = size + 2 * pad - reach;
    std::int64_t count = (isUp ? quotientRoundedUp(room, stride) : room / stride) + 1;
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
        // With stride - 1 more elements the size rounded down is the size rounded up. No window starts behind the
        // elements where the kernel covers the stride and the padding.
        const bool isOpen = !ctx.shape(x)[i + 2].isFixed();
        if (isOpen && window.stride[i] + pads[i] <= window.kernel[i]) {
            ends[i] = pads[i] + window.stride[i] - 1;
            continue;
        }
        const std::int64_t size = ctx.fixedDim(x, static_cast<std::int64_t>(i) + 2);
        const std::int64_t count = windowsOf(size, pads[i], window.reach(i), window.stride[i], true);
        ends[i] = std::max(pads[i], (count - 1) * window.stride[i] + window.reach(i) - size - pads[i]);
    }
    return ends;
}

forms::Window poolingWindow(const NodeContext& ctx, const Arguments& arguments, std::size_t count)
{
    forms::Window window;
    window.kernel = positivePerDimension(ctx, arguments, "kernel_size", count, 1);
    const Ints stride = arguments.integers("stride").value_or(Ints());
    window.stride = stride.empty() ? window.kernel : positivePerDimension(ctx, arguments, "stride", count, 1);
    window.dilate = positivePerDimension(ctx, arguments, "dilation", count, 1);
    return window;
}

/// As in PyTorch, at most half the kernel.
Ints paddingOf(const NodeContext& ctx, const Arguments& arguments, const forms::Window& window)
{
    Ints pads = perDimension(ctx, arguments, "padding", window.kernel.size(), 0);
    for (std::size_t i = 0; i < pads.size(); ++i) {
        if (pads[i] < 0 || pads[i] > window.kernel[i] / 2) {
            ctx.invalid(fmt::format("a padding of {} does not fit a kernel of {}", pads[i], window.kernel[i]),
                        "padding");
        }
    }
    return pads;
}

/// Whether something reads the second result.
bool needsIndices(const NodeContext& ctx)
{
    return ctx.node.outputs.size() > 1 && ctx.graph.value(ctx.node.outputs[1]).name.find("unused") == std::string::npos;
}

/// Places in images of padded sizes as places in images without the padding.
OnnxValue placesWithin(const NodeContext& ctx, OnnxValue places, OnnxValue padded, OnnxValue images, const Ints& begin)
{
    OnnxValue place;
    OnnxValue step = ctx.onnx.ints({1});
    for (std::size_t i = begin.size(); i-- > 0;) {
        const auto axis = static_cast<std::int64_t>(i) + 2;
        const OnnxValue size = emit::dimVector(ctx, padded, axis);
        const OnnxValue along = ctx.emit("Sub", {ctx.emit("Mod", {places, size}), ctx.onnx.ints({begin[i]})});
        const OnnxValue part = ctx.emit("Mul", {along, step});
        place = place ? ctx.emit("Add", {place, part}) : part;
        places = ctx.emit("Div", {places, size});
        step = ctx.emit("Mul", {step, emit::dimVector(ctx, images, axis)});
    }
    return place;
}

template <std::size_t count>
OnnxValues maxPool(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const OnnxValue images = batched(ctx, x, count + 2);
    const forms::Window window = poolingWindow(ctx, arguments, count);
    const Ints pads = paddingOf(ctx, arguments, window);
    const Ints ends = endsOf(ctx, images, window, pads, arguments.truth("ceil_mode"));
    // ONNX Runtime rejects pads as large as the kernel, which dilated windows beyond the end need.
    const bool isPadded = !std::ranges::equal(ends, window.kernel, std::less<>());
    const Ints none(count, 0);
    const OnnxAttributes attributes{{"kernel_shape", window.kernel},
                                    {"strides", window.stride},
                                    {"dilations", window.dilate},
                                    {"pads", isPadded ? forms::onnxPads(none, none) : forms::onnxPads(pads, ends)}};
    const ElementType own = ctx.element(x);
    const bool isPooled = isFloating(own) || own == ElementType::Int8 || own == ElementType::UInt8;
    OnnxValue wide = isPooled ? images : emit::cast(ctx, images, ElementType::Float64);
    if (isPadded) { // as floats: ONNX Runtime moves pads with the lowest byte into the pool
        wide = isFloating(ctx.element(wide)) ? wide : emit::cast(ctx, wide, ElementType::Float32);
        wide = forms::padSpatial(ctx, wide, pads, ends, -std::numeric_limits<double>::infinity());
    }
    const auto made = [&](OnnxValue y) { return unbatched(ctx, y, x, count + 2); };
    if (!needsIndices(ctx)) {
        return {made(emit::cast(ctx, ctx.emit("MaxPool", {wide}, attributes), own))};
    }
    // ONNX counts the elements of the whole tensor, PyTorch those of one channel.
    const OnnxValues found = ctx.onnx.add("MaxPool", {wide}, attributes, 2);
    Ints spatial(count);
    std::iota(spatial.begin(), spatial.end(), 2);
    OnnxValue places = ctx.emit("Mod", {found[1], emit::dimProduct(ctx, wide, spatial)});
    places = isPadded ? placesWithin(ctx, places, wide, images, pads) : places;
    return {made(emit::cast(ctx, found[0], own)), made(places)};
}

struct AveragePadding {
    Ints begin;
    Ints end; ///< with what rounding up adds
    bool counts = true;
    double divisor = 0; ///< 0: the number of elements that count
};

/// ONNX Runtime does not pool doubles and integers: sums of slices instead. Averages of integers are cut off behind the
/// point.
OnnxValue averageOfSlices(const NodeContext& ctx, OnnxValue x, const forms::Window& window,
                          const AveragePadding& padding)
{
    const auto sumOf = [&](OnnxValue padded) {
        OnnxValue sum;
        for (const OnnxValue slice : forms::windowSlices(ctx, padded, window)) {
            sum = sum ? ctx.emit("Add", {sum, slice}) : slice;
        }
        return sum;
    };
    const OnnxValue sum = sumOf(forms::padSpatial(ctx, x, padding.begin, padding.end, 0));
    if (padding.divisor != 0) {
        return ctx.emit("Div", {sum, emit::scalarLike(ctx, sum, padding.divisor)});
    }
    Ints beyond = padding.end;
    std::transform(beyond.begin(), beyond.end(), padding.begin.begin(), beyond.begin(), std::minus<>());
    OnnxValue ones = emit::expand(ctx, emit::scalarLike(ctx, x, 1), emit::shapeVector(ctx, x));
    ones = forms::padSpatial(ctx, ones, padding.begin, padding.begin, padding.counts ? 1 : 0);
    ones = forms::padSpatial(ctx, ones, Ints(beyond.size(), 0), beyond, 0);
    return ctx.emit("Div", {sum, sumOf(ones)});
}

/// Sums over windows are averages over the padded extent times the number of elements; a divisor is the number of
/// elements within the extent that counts.
template <std::size_t count>
OnnxValues averagePool(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const OnnxValue images = batched(ctx, x, count + 2);
    const forms::Window window = poolingWindow(ctx, arguments, count);
    const Ints pads = paddingOf(ctx, arguments, window);
    const bool isUp = arguments.truth("ceil_mode");
    const Ints ends = endsOf(ctx, images, window, pads, isUp);
    const bool countsPadding = arguments.truth("count_include_pad", true);
    OnnxValue y;
    if (ctx.element(x) == ElementType::Float64 || !isFloating(ctx.element(x))) {
        const double divisor = arguments.number("divisor_override", 0);
        y = averageOfSlices(ctx, images, window, {pads, ends, countsPadding, divisor});
    } else if (arguments.has("divisor_override")) {
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

/// The maximum of each window with its place in the channel. Windows are extended to one size by their last element.
OnnxValues adaptiveMaximum(const NodeContext& ctx, OnnxValue x, std::int64_t first, const Ints& sizes)
{
    Ints order; // the leading axes, those of the windows, then those of their elements
    for (std::int64_t i = 0; i < first; ++i) {
        order.push_back(i);
    }
    std::vector<Ints> indices; // along each axis, (windows, elements)
    Ints reaches;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const std::int64_t length = ctx.fixedDim(x, first + static_cast<std::int64_t>(i));
        std::int64_t reach = 0;
        const auto start = [&](std::int64_t k) { return k * length / sizes[i]; };
        const auto end = [&](std::int64_t k) { return ((k + 1) * length + sizes[i] - 1) / sizes[i]; };
        for (std::int64_t k = 0; k < sizes[i]; ++k) {
            reach = std::max(reach, end(k) - start(k));
        }
        if (reach > forms::elementLimit / 64 / std::max<std::int64_t>(sizes[i], 1)) {
            ctx.refuse("windows of so many elements are not supported", "output_size");
        }
        Ints own;
        for (std::int64_t k = 0; k < sizes[i]; ++k) {
            for (std::int64_t r = 0; r < reach; ++r) {
                own.push_back(std::min(start(k) + r, end(k) - 1));
            }
        }
        indices.push_back(std::move(own));
        reaches.push_back(reach);
    }
    OnnxValue gathered = x;
    const Shape shape = ctx.shape(x);
    for (std::size_t i = sizes.size(); i-- > 0;) {
        const OnnxValue at = ctx.onnx.constant(Tensor::ints(indices[i]).reshaped({sizes[i], reaches[i]}));
        gathered = emit::gather(ctx, gathered, at, first + static_cast<std::int64_t>(i));
    }
    for (std::size_t half = 0; half < 2; ++half) {
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            order.push_back(first + static_cast<std::int64_t>(2 * i + half));
        }
    }
    std::int64_t windows = 1;
    std::int64_t elements = 1;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        windows *= sizes[i];
        elements *= reaches[i];
    }
    if (windows > forms::elementLimit / 64 / std::max<std::int64_t>(elements, 1)) {
        ctx.refuse("so many windows are not supported", "output_size");
    }
    Ints places(static_cast<std::size_t>(windows * elements), 0); // of each element of each window
    for (std::int64_t w = 0; w < windows; ++w) {
        for (std::int64_t e = 0; e < elements; ++e) {
            std::int64_t place = 0;
            std::int64_t windowRest = windows;
            std::int64_t elementRest = elements;
            for (std::size_t i = 0; i < sizes.size(); ++i) {
                windowRest /= sizes[i];
                elementRest /= reaches[i];
                const std::int64_t k = w / windowRest % sizes[i];
                const std::int64_t r = e / elementRest % reaches[i];
                place = place * shape[static_cast<std::size_t>(first) + i].size +
                        indices[i][static_cast<std::size_t>(k * reaches[i] + r)];
            }
            places[static_cast<std::size_t>(w * elements + e)] = place;
        }
    }
    Ints flat(static_cast<std::size_t>(first), 0);
    flat.push_back(windows);
    flat.push_back(elements);
    const ElementType own = ctx.element(x);
    const OnnxValue all = emit::cast(ctx, emit::reshape(ctx, emit::transpose(ctx, gathered, order), flat),
                                     own == ElementType::Float16 ? ElementType::Float32 : own);
    const OnnxValue best = ctx.emit("ArgMax", {all}, {{"axis", -1}, {"keepdims", 1}});
    const OnnxValue table = emit::expand(ctx, ctx.onnx.constant(Tensor::ints(places).reshaped({windows, elements})),
                                         emit::shapeVector(ctx, all));
    const auto made = [&](OnnxValue y) {
        Ints dims(static_cast<std::size_t>(first), 0);
        dims.insert(dims.end(), sizes.begin(), sizes.end());
        return emit::reshape(ctx, y, dims);
    };
    return {made(emit::cast(ctx, ctx.emit("GatherElements", {all, best}, {{"axis", -1}}), own)),
            made(ctx.emit("GatherElements", {table, best}, {{"axis", -1}}))};
}

/// Elements at their places in the channel, zeros elsewhere.
template <std::size_t count>
OnnxValues unpool(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const std::size_t leading = ctx.rank(x) - count;
    const OnnxValue sizes = arguments.vector("output_size");
    Ints flat(leading, 0);
    flat.push_back(-1);
    const OnnxValue front =
        emit::slice(ctx, emit::shapeVector(ctx, x), Ints{0}, Ints{static_cast<std::int64_t>(leading)}, Ints{0});
    const OnnxValue plane = emit::reduce(ctx, "ReduceProd", sizes, {0}, true);
    const OnnxValue zeros = emit::expand(ctx, emit::scalarLike(ctx, x, 0), emit::concat(ctx, {front, plane}, 0));
    const OnnxValue y = ctx.emit(
        "ScatterElements", {zeros, emit::reshape(ctx, arguments.tensor("indices"), flat), emit::reshape(ctx, x, flat)},
        {{"axis", static_cast<std::int64_t>(leading)}});
    return {emit::reshape(ctx, y, emit::concat(ctx, {front, sizes}, 0))};
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
    if (isMax && needsIndices(ctx)) {
        return adaptiveMaximum(ctx, x, first, sizes);
    }
    if (sizes == Ints(count, 1)) {
        Ints axes;
        for (std::size_t i = 0; i < count; ++i) {
            axes.push_back(first + static_cast<std::int64_t>(i));
        }
        return {forms::reducedAlong(ctx, reduce, x, axes, true)};
    }
    for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t axis = first + static_cast<std::int64_t>(i);
        if (ctx.shape(x)[static_cast<std::size_t>(axis)] != Dim(sizes[i])) {
            x = forms::adaptivePool(ctx, x, axis, sizes[i], reduce);
        }
    }
    return {x};
}

} // namespace

std::span<const OpRow> poolingOps()
{
    static constexpr OpRow rows[] = {
        {"aten::max_pool1d", maxPool<1>, "MaxPool"},
        {"aten::max_pool2d", maxPool<2>, "MaxPool"},
        {"aten::max_pool3d", maxPool<3>, "MaxPool"},
        {"aten::max_pool2d_with_indices", maxPool<2>, "MaxPool"},
        {"aten::max_pool1d_with_indices", maxPool<1>, "MaxPool"},
        {"aten::max_pool3d_with_indices", maxPool<3>, "MaxPool"},
        {"aten::max_unpool2d", unpool<2>, "ScatterElements"},
        {"aten::max_unpool3d", unpool<3>, "ScatterElements"},
        {"aten::avg_pool1d", averagePool<1>, "AveragePool"},
        {"aten::avg_pool2d", averagePool<2>, "AveragePool"},
        {"aten::avg_pool3d", averagePool<3>, "AveragePool"},
        {"aten::adaptive_avg_pool1d", adaptivePool<1, false>, "ReduceMean"},
        {"aten::adaptive_avg_pool2d", adaptivePool<2, false>, "ReduceMean"},
        {"aten::adaptive_avg_pool3d", adaptivePool<3, false>, "ReduceMean"},
        {"aten::_adaptive_avg_pool2d", adaptivePool<2, false>, "ReduceMean"},
        {"aten::_adaptive_avg_pool3d", adaptivePool<3, false>, "ReduceMean"},
        {"aten::adaptive_max_pool1d", adaptivePool<1, true>, "ReduceMax"},
        {"aten::adaptive_max_pool2d", adaptivePool<2, true>, "ReduceMax"},
        {"aten::adaptive_max_pool3d", adaptivePool<3, true>, "ReduceMax"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
