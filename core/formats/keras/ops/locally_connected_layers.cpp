// LocallyConnected1D and 2D: convolutions with a kernel of its own at each position. Three implementations store the
// kernel in three ways.

#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/keras/ops/activations.h"
#include "core/formats/keras/ops/keras_families.h"
#include "core/formats/keras/ops/spatial.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace crosswalk::keras {
namespace {

/// Where the windows lie along one axis.
struct Axis {
    std::int64_t size;
    std::int64_t kernel;
    std::int64_t stride;
    std::int64_t begin;  ///< padding before
    std::int64_t result; ///< number of windows

    /// The place in the data of an element of a window; outside of it in the padding.
    std::int64_t place(std::int64_t window, std::int64_t element) const { return window * stride + element - begin; }
};

struct Local {
    OnnxValue x; ///< (batch, spatial..., channels)
    std::vector<Axis> axes;
    std::int64_t channels;
    std::int64_t filters;
};

Local localOf(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const std::size_t rank = layer.op().ends_with("1D") ? 1 : 2;
    Local local{.x = layer.input(0), .axes = {}, .channels = 0, .filters = layer.settings.requiredSize("filters")};
    if (ctx.rank(local.x) != rank + 2) {
        ctx.invalid(fmt::format("data of {} dimensions, but it needs {}", ctx.rank(local.x), rank + 2));
    }
    if (!hasChannelsLast(layer)) {
        layer.refuse("channels_first", "data_format", "save the layer with channels_last");
    }
    local.channels = ctx.fixedDim(local.x, -1);
    const Ints kernel = perAxis(layer, "kernel_size", rank, 1);
    const Ints stride = perAxis(layer, "strides", rank, 1);
    const std::string padding = layer.settings.text("padding", "valid");
    if (padding != "valid" && padding != "same") {
        layer.refuse(fmt::format("padding {}", padding), "padding");
    }
    for (std::size_t i = 0; i < rank; ++i) {
        Axis axis{ctx.fixedDim(local.x, static_cast<std::int64_t>(i) + 1), kernel[i], stride[i], 0, 0};
        if (padding == "same") {
            axis.result = (axis.size + axis.stride - 1) / axis.stride;
            axis.begin = std::max<std::int64_t>((axis.result - 1) * axis.stride + axis.kernel - axis.size, 0) / 2;
        } else {
            axis.result = (axis.size - axis.kernel) / axis.stride + 1;
        }
        if (axis.result < 1) {
            ctx.invalid(fmt::format("a kernel of {} for data of {}", axis.kernel, axis.size), "kernel_size");
        }
        local.axes.push_back(axis);
    }
    return local;
}

std::int64_t product(const std::vector<Axis>& axes, std::int64_t Axis::*member)
{
    return std::accumulate(axes.begin(), axes.end(), std::int64_t{1},
                           [&](std::int64_t before, const Axis& axis) { return before * (axis.*member); });
}

/// Implementation 1: a kernel (windows, kernel elements * channels, filters), multiplied by the elements of each
/// window.
OnnxValue byWindows(const Layer& layer, const Local& local)
{
    const NodeContext& ctx = layer.ctx;
    const std::int64_t windows = product(local.axes, &Axis::result);
    const std::int64_t elements = product(local.axes, &Axis::kernel) * local.channels;
    const OnnxValue kernel = layer.weight("kernel", {Dim(windows), Dim(elements), Dim(local.filters)});
    if (layer.settings.text("padding", "valid") != "valid") {
        layer.refuse("padding same with one kernel for each window", "padding");
    }
    OnnxValue y = local.x; // (batch, windows, kernel, windows, kernel, ..., channels)
    for (std::size_t i = 0; i < local.axes.size(); ++i) {
        const Axis& axis = local.axes[i];
        Ints places;
        for (std::int64_t window = 0; window < axis.result; ++window) {
            for (std::int64_t element = 0; element < axis.kernel; ++element) {
                places.push_back(axis.place(window, element));
            }
        }
        const OnnxValue indices = ctx.onnx.constant(Tensor::ints(places).reshaped({axis.result, axis.kernel}));
        y = emit::gather(ctx, y, indices, 1 + 2 * static_cast<std::int64_t>(i));
    }
    const bool isPlane = local.axes.size() == 2;
    y = emit::transpose(ctx, y, isPlane ? Ints{1, 3, 0, 2, 4, 5} : Ints{1, 0, 2, 3});
    y = emit::reshape(ctx, y, Ints{windows, -1, elements});
    return emit::transpose(ctx, ctx.emit("MatMul", {y, kernel}), {1, 0, 2}); // (batch, windows, filters)
}

/// Whether an element of the data is in a window.
bool isInside(const Local& local, std::int64_t in, std::int64_t out)
{
    for (std::size_t i = local.axes.size(); i-- > 0;) {
        const Axis& axis = local.axes[i];
        const std::int64_t element = in % axis.size - axis.place(out % axis.result, 0);
        if (element < 0 || element >= axis.kernel) {
            return false;
        }
        in /= axis.size;
        out /= axis.result;
    }
    return true;
}

/// One matrix from all elements of the data to all of the result, without what lies outside of the windows.
OnnxValue byMatrix(const Layer& layer, const Local& local, std::int64_t implementation)
{
    const NodeContext& ctx = layer.ctx;
    const Tensor* stored = ctx.onnx.content(layer.storedWeight("kernel"));
    if (stored == nullptr) {
        layer.refuse("a kernel that is not stored", "implementation");
    }
    constexpr std::int64_t mostElements = std::int64_t{1} << 26;
    const std::int64_t places = product(local.axes, &Axis::size);
    const std::int64_t windows = product(local.axes, &Axis::result);
    const std::int64_t rows = places * local.channels;
    const std::int64_t columns = windows * local.filters;
    if (rows > mostElements / columns) {
        layer.refuse(fmt::format("a matrix of {} x {}", rows, columns), "implementation");
    }
    const std::vector<double> given = stored->toDoubles();
    std::vector<float> matrix(static_cast<std::size_t>(rows * columns), 0.0F);
    std::size_t next = 0; // of the stored elements
    const auto set = [&](std::int64_t row, std::int64_t column) {
        const auto place = static_cast<std::size_t>(row * columns + column);
        const std::size_t source = implementation == 2 ? place : next++;
        if (source >= given.size()) {
            throw ModelError("wrong-weight",
                             fmt::format("weight kernel has {} elements, which are too few", given.size()));
        }
        matrix[place] = static_cast<float>(given[source]);
    };
    for (std::int64_t window = 0; window < windows; ++window) { // implementation 3: in this order
        for (std::int64_t filter = 0; filter < local.filters; ++filter) {
            for (std::int64_t place = 0; place < places; ++place) {
                if (!isInside(local, place, window)) {
                    continue;
                }
                for (std::int64_t channel = 0; channel < local.channels; ++channel) {
                    set(place * local.channels + channel, window * local.filters + filter);
                }
            }
        }
    }
    if (implementation == 3 ? next != given.size() : given.size() != matrix.size()) {
        throw ModelError("wrong-weight", fmt::format("weight kernel has {} elements, but must have {}", given.size(),
                                                     implementation == 3 ? next : matrix.size()));
    }
    const OnnxValue flat = emit::reshape(ctx, local.x, Ints{-1, rows});
    const OnnxValue weight = emit::cast(
        ctx, ctx.onnx.constant(Tensor::of<float>(ElementType::Float32, {rows, columns}, matrix)), ctx.element(flat));
    return emit::reshape(ctx, ctx.emit("MatMul", {flat, weight}), Ints{-1, windows, local.filters});
}

OnnxValues locallyConnected(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Local local = localOf(layer);
    const std::int64_t implementation = layer.settings.integer("implementation", 1);
    if (implementation < 1 || implementation > 3) {
        ctx.invalid(fmt::format("implementation {} does not exist", implementation), "implementation");
    }
    OnnxValue y = implementation == 1 ? byWindows(layer, local) : byMatrix(layer, local, implementation);
    Ints dims{-1};
    for (const Axis& axis : local.axes) {
        dims.push_back(axis.result);
    }
    dims.push_back(local.filters);
    y = dims.size() == 3 ? y : emit::reshape(ctx, y, dims);
    ctx.onnx.refine(y, [&] {
        Shape shape{ctx.shape(local.x)[0]};
        shape.insert(shape.end(), dims.iteratorAt(1), dims.end());
        return shape;
    }());
    if (layer.hasWeight("bias")) {
        y = ctx.emit("Add", {y, layer.weight("bias")});
    }
    return {activated(layer, y)};
}

} // namespace

std::span<const OpRow> locallyConnectedLayers()
{
    static constexpr OpRow rows[] = {
        {"LocallyConnected1D", locallyConnected, "Gather, MatMul"},
        {"LocallyConnected2D", locallyConnected, "Gather, MatMul"},
    };
    return rows;
}

} // namespace crosswalk::keras
