// Convolutions, and padding.

#include "core/convert/forms/nn/convolution.h"
#include "core/convert/forms/nn/transposed_convolution.h"
#include "core/convert/forms/tensor/int_vector.h"
#include "core/convert/slice_end.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"
#include "core/formats/pytorch/ops/windows.h"

#include <algorithm>
#include <limits>

namespace crosswalk::pytorch {
namespace {

struct Layer {
    OnnxValue x;
    OnnxValue weight;
    OnnxValue bias;
    forms::Window window;
    Ints padding;
    std::int64_t groups = 1;
    std::size_t rank = 0; ///< of x with a batch axis
};

Layer layerOf(const NodeContext& ctx, const Arguments& arguments)
{
    // Integers are exact in float64 up to 2^53.
    const bool isInteger = !isFloating(ctx.element(arguments.tensor("input")));
    const auto wide = [&](OnnxValue x) { return x && isInteger ? emit::cast(ctx, x, ElementType::Float64) : x; };
    Layer layer{.x = wide(arguments.tensor("input")),
                .weight = wide(arguments.tensor("weight")),
                .bias = wide(arguments.optional("bias")),
                .window = {},
                .padding = {},
                .groups = arguments.integer("groups", 1)};
    layer.rank = ctx.rank(layer.weight);
    const std::size_t count = layer.rank - 2;
    for (std::size_t i = 0; i < count; ++i) {
        layer.window.kernel.push_back(ctx.fixedDim(layer.weight, static_cast<std::int64_t>(i) + 2));
    }
    layer.window.stride = positivePerDimension(ctx, arguments, "stride", count, 1);
    layer.window.dilate = positivePerDimension(ctx, arguments, "dilation", count, 1);
    return layer;
}

/// total = dilation (kernel - 1), of which the odd element is at the end.
void padSame(const Layer& layer, Ints& begin, Ints& end)
{
    for (std::size_t i = 0; i < layer.window.rank(); ++i) {
        const std::int64_t total = layer.window.reach(i) - 1;
        begin.push_back(total / 2);
        end.push_back(total - total / 2);
    }
}

OnnxValue forward(const NodeContext& ctx, const Arguments& arguments, const Layer& layer)
{
    const std::size_t count = layer.window.rank();
    Ints begin;
    Ints end;
    const std::string padding = arguments.text("padding");
    if (padding == "same") {
        padSame(layer, begin, end);
    } else {
        begin = padding == "valid" ? Ints(count, 0) : perDimension(ctx, arguments, "padding", count, 0);
        end = begin;
    }
    const OnnxValue y =
        forms::convolution(ctx, {.window = layer.window,
                                 .padding = {.x = batched(ctx, layer.x, layer.rank), .begin = begin, .end = end},
                                 .weight = layer.weight,
                                 .bias = layer.bias,
                                 .groups = layer.groups});
    return unbatched(ctx, y, layer.x, layer.rank);
}

OnnxValue transposed(const NodeContext& ctx, const Arguments& arguments, const Layer& layer)
{
    const std::size_t count = layer.window.rank();
    const Ints padding = perDimension(ctx, arguments, "padding", count, 0);
    const Ints extra = perDimension(ctx, arguments, "output_padding", count, 0);
    forms::TransposedEnds ends{padding, padding};
    OnnxValue x = batched(ctx, layer.x, layer.rank);
    Ints zeros(2 * layer.rank, 0);
    for (std::size_t i = 0; i < count; ++i) {
        // ONNX Runtime rejects an output padding that is not less than the stride. A zero behind the input extends the
        // output by a stride, and adds nothing to it.
        const std::int64_t appended = std::max<std::int64_t>(extra[i], 0) / layer.window.stride[i];
        zeros[layer.rank + 2 + i] = appended;
        ends.end[i] += appended * layer.window.stride[i] - extra[i];
    }
    if (std::any_of(zeros.begin(), zeros.end(), [](std::int64_t count) { return count > 0; })) {
        x = ctx.emit("Pad", {x, ctx.onnx.ints(zeros)});
    }
    const OnnxValue y =
        forms::transposedConvolution(ctx, x, layer.weight, layer.bias, layer.window, layer.groups, ends);
    return unbatched(ctx, y, layer.x, layer.rank);
}

OnnxValues convolution(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const Layer layer = layerOf(ctx, arguments);
    const OnnxValue y =
        arguments.truth("transposed") ? transposed(ctx, arguments, layer) : forward(ctx, arguments, layer);
    return {emit::cast(ctx, y, ctx.element(arguments.tensor("input")))};
}

OnnxValues transposedConvolution(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue y = transposed(ctx, arguments, layerOf(ctx, arguments));
    return {emit::cast(ctx, y, ctx.element(arguments.tensor("input")))};
}

/// The list of pads counts from the last axis backwards.
struct Pads {
    Ints begin; ///< by axis of x
    Ints end;
};

Pads padsOf(const NodeContext& ctx, std::size_t rank, const Ints& pads)
{
    if (pads.size() % 2 != 0 || pads.size() > 2 * rank) {
        ctx.invalid("pads should have two numbers for each axis", "pad");
    }
    limitNumbers(ctx, "pad", pads);
    Pads all{Ints(rank, 0), Ints(rank, 0)};
    for (std::size_t i = 0; i < pads.size() / 2; ++i) {
        all.begin[rank - 1 - i] = pads[2 * i];
        all.end[rank - 1 - i] = pads[2 * i + 1];
    }
    return all;
}

/// Along an axis: cropped by negative pads, then the end in front and the start behind.
OnnxValue wrapped(const NodeContext& ctx, OnnxValue x, std::int64_t axis, std::int64_t begin, std::int64_t end)
{
    if (begin < 0 || end < 0) {
        x = emit::slice(ctx, x, Ints{std::max<std::int64_t>(-begin, 0)}, Ints{end < 0 ? end : emit::farEnd},
                        Ints{axis});
    }
    OnnxValues parts{x};
    if (begin > 0) {
        parts.insert(parts.begin(), emit::slice(ctx, x, Ints{-begin}, Ints{emit::farEnd}, Ints{axis}));
    }
    if (end > 0) {
        parts.push_back(emit::slice(ctx, x, Ints{0}, Ints{end}, Ints{axis}));
    }
    return parts.size() == 1 ? x : emit::concat(ctx, parts, axis);
}

OnnxValue circular(const NodeContext& ctx, OnnxValue x, const Pads& pads)
{
    for (std::size_t i = 0; i < pads.begin.size(); ++i) {
        x = wrapped(ctx, x, static_cast<std::int64_t>(i), pads.begin[i], pads.end[i]);
    }
    return x;
}

OnnxValue emitPad(const NodeContext& ctx, OnnxValue given, OnnxValue pads, const std::string& mode, double value)
{
    const ElementType own = ctx.element(given);
    const bool isMissing = own == ElementType::Int16 || own == ElementType::UInt16; // in ONNX Runtime
    const OnnxValue x = isMissing ? emit::cast(ctx, given, ElementType::Int32) : given;
    if (mode == "constant") {
        return emit::cast(ctx, ctx.emit("Pad", {x, pads, emit::scalarLike(ctx, x, value)}), own);
    }
    const std::string onnxMode = mode == "reflect" ? "reflect" : mode == "replicate" ? "edge" : "wrap";
    return emit::cast(ctx, ctx.emit("Pad", {x, pads}, {{"mode", onnxMode}}), own);
}

OnnxValue padded(const NodeContext& ctx, OnnxValue x, const Ints& given, const std::string& mode, double value)
{
    const Pads pads = padsOf(ctx, ctx.rank(x), given);
    const bool crops = std::any_of(given.begin(), given.end(), [](std::int64_t pad) { return pad < 0; });
    constexpr int firstWrap = 19;
    if (mode == "circular" && (crops || ctx.onnx.opset() < firstWrap)) {
        return circular(ctx, x, pads);
    }
    if (!crops || mode == "constant") {
        return emitPad(ctx, x, ctx.onnx.ints(forms::onnxPads(pads.begin, pads.end)), mode, value);
    }
    // Edges of the whole tensor, then cropped.
    Pads more = pads;
    Ints starts;
    Ints ends;
    Ints axes;
    for (std::size_t i = 0; i < pads.begin.size(); ++i) {
        more.begin[i] = std::max<std::int64_t>(pads.begin[i], 0);
        more.end[i] = std::max<std::int64_t>(pads.end[i], 0);
        starts.push_back(std::max<std::int64_t>(-pads.begin[i], 0));
        ends.push_back(pads.end[i] < 0 ? pads.end[i] : std::numeric_limits<std::int64_t>::max());
        axes.push_back(static_cast<std::int64_t>(i));
    }
    const OnnxValue wide = emitPad(ctx, x, ctx.onnx.ints(forms::onnxPads(more.begin, more.end)), mode, value);
    return emit::slice(ctx, wide, starts, ends, axes);
}

/// Pads that are computed, in ONNX's order.
OnnxValue computedPads(const NodeContext& ctx, std::size_t rank, OnnxValue pads)
{
    const std::int64_t count = ctx.fixedDim(pads, 0);
    Ints order;
    for (std::size_t half = 0; half < 2; ++half) {
        for (std::size_t i = 0; i < rank; ++i) {
            const auto place = static_cast<std::int64_t>(2 * (rank - 1 - i) + half);
            order.push_back(std::min(place, count)); // behind them there is a 0
        }
    }
    return emit::gather(ctx, emit::concat(ctx, {pads, ctx.onnx.ints({0})}, 0), ctx.onnx.ints(order), 0);
}

OnnxValues pad(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const std::string mode = arguments.text("mode", "constant");
    const double value = arguments.number("value", 0);
    const OnnxValue pads = arguments.vector("pad");
    if (const auto known = forms::knownInts(ctx, pads)) {
        return {padded(ctx, x, *known, mode, value)};
    }
    if (mode == "circular") {
        ctx.refuse("circular pads that are computed when the model runs are not supported", "pad",
                   "give fixed input shapes");
    }
    return {emitPad(ctx, x, computedPads(ctx, ctx.rank(x), pads), mode, value)};
}

template <const char* mode>
OnnxValues padWith(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    return {padded(ctx, arguments.tensor("self"),
                   arguments.integers(arguments.has("padding") ? "padding" : "pad").value_or(Ints()), mode, 0)};
}

constexpr char reflectName[] = "reflect";
constexpr char circularName[] = "circular";
constexpr char replicateName[] = "replicate";

} // namespace

std::span<const OpRow> convolutionOps()
{
    static constexpr OpRow rows[] = {
        {"aten::conv1d", convolution, "Conv"},
        {"aten::conv2d", convolution, "Conv"},
        {"aten::conv3d", convolution, "Conv"},
        {"aten::convolution", convolution, "Conv; ConvTranspose"},
        {"aten::_convolution_mode", convolution, "Conv"},
        {"aten::_convolution", convolution, "Conv; ConvTranspose"},
        {"aten::conv_transpose1d", transposedConvolution, "ConvTranspose"},
        {"aten::conv_transpose2d", transposedConvolution, "ConvTranspose"},
        {"aten::conv_transpose3d", transposedConvolution, "ConvTranspose"},
        {"aten::pad", pad, "Pad"},
        {"aten::constant_pad_nd", pad, "Pad"},
        {"aten::_pad_circular", padWith<circularName>, "Concat"},
        {"aten::reflection_pad1d", padWith<reflectName>, "Pad"},
        {"aten::reflection_pad2d", padWith<reflectName>, "Pad"},
        {"aten::reflection_pad3d", padWith<reflectName>, "Pad"},
        {"aten::replication_pad1d", padWith<replicateName>, "Pad"},
        {"aten::replication_pad2d", padWith<replicateName>, "Pad"},
        {"aten::replication_pad3d", padWith<replicateName>, "Pad"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
