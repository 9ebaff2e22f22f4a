// ConvLSTM1D, 2D and 3D: an LSTM whose products are convolutions, as a Scan over time. The input's convolution is done
// for all steps at once.

#include "core/convert/forms/control/loops.h"
#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/nn/convolution.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/keras/ops/activations.h"
#include "core/formats/keras/ops/keras_families.h"
#include "core/formats/keras/ops/spatial.h"

#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace crosswalk::keras {
namespace {

/// A kernel (spatial..., in, out) in ONNX's layout.
struct Kernel {
    OnnxValue weight;
    Ints sizes;
};

Kernel kernelOf(const NodeContext& ctx, OnnxValue stored)
{
    const auto last = static_cast<std::int64_t>(ctx.rank(stored)) - 1;
    Kernel kernel;
    Ints order{last, last - 1};
    for (std::int64_t i = 0; i + 2 <= last; ++i) {
        order.push_back(i);
        kernel.sizes.push_back(ctx.fixedDim(stored, i));
    }
    kernel.weight = emit::transpose(ctx, stored, order);
    return kernel;
}

OnnxValue kernelConvolution(const Layer& layer, const Kernel& kernel, OnnxValue bias, const Window& window,
                            const WindowPadding& padding)
{
    if (layer.ctx.element(padding.x) == ElementType::Float64 && padding.isSame) {
        layer.refuse("a convolution of float64 requires fixed sizes", "padding", "fix the shapes of the inputs");
    }
    return forms::convolution(layer.ctx, {.window = window, .padding = padding, .weight = kernel.weight, .bias = bias});
}

/// The state that x starts with, channels first: an argument, or zeros for each position of the products (time,
/// batch, 4 filters, spatial...).
OnnxValue initialState(const Layer& layer, const OnnxValues& given, std::size_t i, OnnxValue products,
                       std::int64_t filters)
{
    const NodeContext& ctx = layer.ctx;
    if (!given.empty()) {
        return channelsFirst(layer, given.at(i));
    }
    OnnxValues dims{emit::dimVector(ctx, products, 1), ctx.onnx.ints({filters})};
    for (std::size_t axis = 3; axis < ctx.rank(products); ++axis) {
        dims.push_back(emit::dimVector(ctx, products, static_cast<std::int64_t>(axis)));
    }
    return filledTo(ctx, ctx.element(products), 0, emit::concat(ctx, dims, 0));
}

OnnxValues givenStates(const Layer& layer)
{
    OnnxValues states(layer.inputs().iteratorAt(1), layer.inputs().end());
    if (states.empty()) {
        states = layer.allNamed("initial_state");
    }
    if (!states.empty() && states.size() != 2) {
        layer.ctx.invalid(fmt::format("it is called with {} initial states, but has 2", states.size()));
    }
    return states;
}

OnnxValue reversedAlong(const NodeContext& ctx, OnnxValue x, std::int64_t axis)
{
    return emit::slice(ctx, x, Ints{-1}, Ints{std::numeric_limits<std::int64_t>::min() + 1}, Ints{axis}, Ints{-1});
}

/// The convolution of all steps: (time, batch, 4 filters, spatial...).
OnnxValue inputProducts(const Layer& layer, OnnxValue x, std::int64_t filters)
{
    const NodeContext& ctx = layer.ctx;
    const std::size_t rank = ctx.rank(x) - 3;
    const OnnxValue stored = layer.weight("cell/kernel", kernelShape(layer, rank, Dim(), Dim(4 * filters)));
    const Kernel kernel = kernelOf(ctx, stored);
    const OnnxValue bias = layer.hasWeight("cell/bias") ? layer.weight("cell/bias", {Dim(4 * filters)}) : OnnxValue{};
    ShapeTerms terms{termOf(ctx, x, {0, 1})};
    for (std::size_t i = 2; i < ctx.rank(x); ++i) {
        terms.push_back(termOf(ctx, x, {static_cast<std::int64_t>(i)}));
    }
    const OnnxValue folded = channelsFirst(layer, reshapeTo(ctx, x, terms));
    const Window window = windowOf(layer, kernel.sizes);
    const OnnxValue y = kernelConvolution(layer, kernel, bias, window, paddingOf(layer, folded, window, 0));
    ShapeTerms apart{termOf(ctx, x, {0}), termOf(ctx, x, {1})};
    for (std::size_t i = 1; i < ctx.rank(y); ++i) {
        apart.push_back(termOf(ctx, y, {static_cast<std::int64_t>(i)}));
    }
    return emit::swapAxes(ctx, reshapeTo(ctx, y, apart), 0, 1);
}

OnnxValues convLstm(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    OnnxValue x = layer.input(0);
    if (ctx.rank(x) < 4) {
        ctx.invalid(fmt::format("data of {} dimensions", ctx.rank(x)));
    }
    const std::size_t rank = ctx.rank(x) - 3;
    const bool isBackwards = layer.settings.boolean("go_backwards", false);
    const OnnxValue given = layer.named("mask");
    OnnxValue mask = given ? given : layer.mask();
    if (layer.settings.boolean("time_major", false)) {
        layer.refuse("time_major", "time_major");
    }
    if (isBackwards) {
        x = reversedAlong(ctx, x, 1);
        mask = mask ? reversedAlong(ctx, emit::cast(ctx, mask, ElementType::Int32), 1) : mask;
    }
    const std::int64_t filters = layer.settings.requiredSize("filters");
    const OnnxValue products = inputProducts(layer, x, filters);
    const Kernel recurrent = kernelOf(ctx, layer.weight("cell/recurrent_kernel", Shape(rank + 2)));
    const Window window{.kernel = recurrent.sizes, .stride = Ints(rank, 1), .dilate = Ints(rank, 1)};
    const RecurrentActivation gate = recurrentActivation(layer, "recurrent_activation", "hard_sigmoid");
    const RecurrentActivation activation = recurrentActivation(layer, "activation", "tanh");
    const OnnxValues starts = givenStates(layer);
    OnnxValues states{initialState(layer, starts, 0, products, filters),
                      initialState(layer, starts, 1, products, filters)};
    OnnxValues elements{products};
    const bool isZeroed = layer.settings.boolean("zero_output_for_mask", false);
    if (mask) {
        if (!starts.empty()) {
            layer.refuse("a mask with initial states", "mask");
        }
        Ints fresh(ctx.rank(products) - 2);
        std::iota(fresh.begin(), fresh.end(), 2);
        elements.push_back(
            emit::unsqueeze(ctx, emit::swapAxes(ctx, emit::cast(ctx, mask, ElementType::Bool), 0, 1), fresh));
    }
    const Scanned made = scan(ctx, states, elements, [&](const OnnxValues& before, const OnnxValues& now) {
        const OnnxValue fromState =
            kernelConvolution(layer, recurrent, {}, window, samePadding(ctx, before[0], window, 0));
        const OnnxValues parts =
            emit::split(ctx, ctx.emit("Add", {now[0], fromState}), 1, Ints{filters, filters, filters, filters});
        const OnnxValue kept = ctx.emit("Mul", {gate.apply(ctx, parts[1]), before[1]});
        const OnnxValue added = ctx.emit("Mul", {gate.apply(ctx, parts[0]), activation.apply(ctx, parts[2])});
        OnnxValue c = ctx.emit("Add", {kept, added});
        OnnxValue h = ctx.emit("Mul", {gate.apply(ctx, parts[3]), activation.apply(ctx, c)});
        OnnxValue y = h;
        if (now.size() > 1) {
            y = isZeroed ? ctx.emit("Where", {now[1], h, emit::scalarLike(ctx, h, 0)}) : y;
            h = ctx.emit("Where", {now[1], h, before[0]});
            c = ctx.emit("Where", {now[1], c, before[1]});
            y = isZeroed ? y : h;
        }
        return ScanStep{.states = {h, c}, .stacked = {y}};
    });
    OnnxValues outputs;
    if (layer.settings.boolean("return_sequences", false)) {
        OnnxValue y = emit::swapAxes(ctx, made.stacked[0], 0, 1); // (batch, time, filters, spatial...)
        if (hasChannelsLast(layer)) {
            Ints order{0, 1};
            for (std::size_t i = 0; i < rank; ++i) {
                order.push_back(static_cast<std::int64_t>(i) + 3);
            }
            order.push_back(2);
            y = emit::transpose(ctx, y, order);
        }
        outputs.push_back(y);
    } else {
        const OnnxValue last =
            emit::slice(ctx, made.stacked[0], Ints{-1}, Ints{std::numeric_limits<std::int64_t>::max()}, Ints{0});
        outputs.push_back(inLayout(layer, mask && isZeroed ? emit::squeeze(ctx, last, {0}) : made.states[0]));
    }
    if (layer.settings.boolean("return_state", false)) {
        outputs.push_back(inLayout(layer, made.states[0]));
        outputs.push_back(inLayout(layer, made.states[1]));
    }
    return outputs;
}

} // namespace

std::span<const OpRow> convLstmLayers()
{
    static constexpr OpRow rows[] = {
        {"ConvLSTM1D", convLstm, "Conv, Scan"},
        {"ConvLSTM2D", convLstm, "Conv, Scan"},
        {"ConvLSTM3D", convLstm, "Conv, Scan"},
    };
    return rows;
}

} // namespace crosswalk::keras
