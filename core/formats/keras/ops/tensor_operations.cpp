// Operations of Keras 3 and functions of TensorFlow that move elements.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/tensor/band_diagonals.h"
#include "core/convert/forms/tensor/concat_split.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/gather_nd.h"
#include "core/convert/forms/tensor/int_vector.h"
#include "core/convert/forms/tensor/selection.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/keras/ops/call_arguments.h"
#include "core/formats/keras/ops/keras_families.h"
#include "core/formats/keras/ops/spatial.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace crosswalk::keras {
namespace {

/// An axis from the start; `otherwise` if the call has none.
std::int64_t axisOf(const Layer& layer, std::size_t rank, std::int64_t otherwise, Arguments::Names names)
{
    return layer.ctx.axis(Arguments(layer).integer(names, otherwise), rank);
}

Ints axesOf(const Layer& layer, std::size_t rank, Arguments::Names names)
{
    Ints axes = Arguments(layer).ints(names);
    for (std::int64_t& axis : axes) {
        axis = layer.ctx.axis(axis, rank);
    }
    return axes;
}

/// The sizes of a list that contains tensors, as an int64 vector; absent if all are constants.
OnnxValue computedSizes(const Layer& layer, const std::string& name)
{
    const NodeContext& ctx = layer.ctx;
    OnnxValues sizes;
    bool isComputed = false;
    for (std::size_t i = 0;; ++i) {
        const std::string item = fmt::format("{}.{}", name, i);
        if (const OnnxValue size = layer.named(item)) {
            sizes.push_back(intVector(ctx, size));
            isComputed = true;
        } else if (layer.settings.has("call." + item)) {
            sizes.push_back(ctx.onnx.ints({layer.settings.integer("call." + item)}));
        } else {
            break;
        }
    }
    return !isComputed ? OnnxValue{} : sizes.size() == 1 ? sizes.front() : emit::concat(ctx, sizes, 0);
}

OnnxValues reshape(const Layer& layer)
{
    OnnxValue sizes = computedSizes(layer, "shape");
    if (const OnnxValue whole = layer.named("shape")) {
        sizes = intVector(layer.ctx, whole);
    }
    if (sizes) { // a size of 0 is one, not a copy
        return {layer.ctx.emit("Reshape", {operand(layer), sizes},
                               layer.ctx.onnx.opset() >= 14 ? OnnxAttributes{{"allowzero", 1}} : OnnxAttributes())};
    }
    ShapeTerms terms;
    for (const std::int64_t size : Arguments(layer).ints({"1", "newshape", "shape"})) {
        terms.push_back(size < 0 ? restTerm() : fixedTerm(size));
    }
    return {reshapeTo(layer.ctx, operand(layer), terms, "shape")};
}

OnnxValues transpose(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = operand(layer);
    const Arguments arguments(layer);
    if (arguments.boolean({"conjugate"}, false)) {
        layer.refuse("a conjugate transpose");
    }
    Ints order(ctx.rank(x));
    std::iota(order.rbegin(), order.rend(), 0);
    if (arguments.has({"1", "axes", "perm"})) {
        order = axesOf(layer, ctx.rank(x), {"1", "axes", "perm"});
    }
    Ints sorted = order;
    std::ranges::sort(sorted);
    for (std::size_t i = 0; i < ctx.rank(x); ++i) {
        if (sorted.size() != ctx.rank(x) || sorted[i] != static_cast<std::int64_t>(i)) {
            ctx.invalid("the axes are not a permutation", "axes");
        }
    }
    return {emit::transpose(ctx, x, order)};
}

OnnxValues swapAxes(const Layer& layer)
{
    const OnnxValue x = operand(layer);
    const std::size_t rank = layer.ctx.rank(x);
    return {
        emit::swapAxes(layer.ctx, x, axisOf(layer, rank, 0, {"1", "axis1"}), axisOf(layer, rank, 0, {"2", "axis2"}))};
}

OnnxValues moveAxis(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = operand(layer);
    const Ints from = axesOf(layer, ctx.rank(x), {"1", "source"});
    const Ints to = axesOf(layer, ctx.rank(x), {"2", "destination"});
    if (from.size() != to.size()) {
        ctx.invalid(fmt::format("{} axes moved to {} places", from.size(), to.size()), "source");
    }
    Ints order;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(ctx.rank(x)); ++i) {
        if (std::ranges::find(from, i) == from.end()) {
            order.push_back(i);
        }
    }
    Ints byPlace(from.size()); // in the order of their places, each is inserted where it belongs
    std::iota(byPlace.begin(), byPlace.end(), 0);
    std::ranges::sort(byPlace, {}, [&](std::int64_t i) { return to[static_cast<std::size_t>(i)]; });
    for (const std::int64_t i : byPlace) {
        const auto index = static_cast<std::size_t>(i);
        if (to[index] > static_cast<std::int64_t>(order.size())) {
            ctx.invalid("an axis is moved twice", "source");
        }
        order.insert(order.iteratorAt(to[index]), from[index]);
    }
    return {emit::transpose(ctx, x, order)};
}

OnnxValues expandDims(const Layer& layer)
{
    const OnnxValue x = operand(layer);
    const auto rank = static_cast<std::int64_t>(layer.ctx.rank(x));
    Ints axes = Arguments(layer).ints({"1", "axis"});
    const std::size_t whole = static_cast<std::size_t>(rank) + axes.size();
    for (std::int64_t& axis : axes) {
        axis = layer.ctx.axis(axis, whole);
    }
    return {emit::unsqueeze(layer.ctx, x, axes)};
}

OnnxValues squeeze(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = operand(layer);
    if (Arguments(layer).has({"1", "axis"})) {
        return {emit::squeeze(ctx, x, axesOf(layer, ctx.rank(x), {"1", "axis"}))};
    }
    Ints axes;
    for (std::size_t i = 0; i < ctx.rank(x); ++i) {
        const Dim& size = ctx.shape(x)[i];
        if (!size.isFixed() && i > 0) {
            layer.refuse("axes of size 1 removed from an open shape", "axis", "name the axis");
        }
        if (size.isFixed() && size.size == 1) {
            axes.push_back(static_cast<std::int64_t>(i));
        }
    }
    return {axes.empty() ? x : emit::squeeze(ctx, x, axes)};
}

OnnxValues concatenate(const Layer& layer)
{
    const OnnxValues values = inCommonType(layer, Arguments(layer).tensors({"0", "xs", "values"}));
    const std::int64_t axis = axisOf(layer, layer.ctx.rank(values.front()), 0, {"axis", "1"});
    return {values.size() == 1 ? values.front() : emit::concat(layer.ctx, values, axis)};
}

OnnxValues stack(const Layer& layer)
{
    const OnnxValues values = inCommonType(layer, Arguments(layer).tensors({"0", "x", "values"}));
    return {stacked(layer.ctx, values, axisOf(layer, layer.ctx.rank(values.front()) + 1, 0, {"axis", "1"}))};
}

/// TensorFlow names the sizes of the parts, Keras 3 the places where they begin; both take a number of equal parts.
OnnxValues split(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = operand(layer);
    const Arguments::Names names{"1", "indices_or_sections", "num_or_size_splits"};
    const std::int64_t axis = axisOf(layer, ctx.rank(x), 0, {"axis", "2"});
    const Ints given = Arguments(layer).ints(names);
    if (layer.settings.extents(Arguments(layer).key(names)).empty()) {
        return splitEvenly(ctx, x, axis, given.front(), "indices_or_sections");
    }
    Ints sizes = given;
    const std::int64_t whole = ctx.fixedDim(x, axis);
    if (layer.op().starts_with("ops.")) {
        sizes.clear();
        std::int64_t before = 0;
        for (const std::int64_t place : given) {
            sizes.push_back(place - before);
            before = place;
        }
        sizes.push_back(whole - before);
    }
    const auto open = std::ranges::find(sizes, -1);
    if (open != sizes.end()) {
        *open = whole - (std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}) + 1);
    }
    if (std::ranges::any_of(sizes, [](std::int64_t size) { return size < 0; }) ||
        std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}) != whole) {
        ctx.invalid(fmt::format("the parts do not add up to {}", whole), "num_or_size_splits");
    }
    return emit::split(ctx, x, axis, sizes);
}

OnnxValues unstack(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = operand(layer);
    const std::int64_t axis = axisOf(layer, ctx.rank(x), 0, {"axis", "2"});
    OnnxValues parts = splitEvenly(ctx, x, axis, ctx.fixedDim(x, axis), "axis");
    for (OnnxValue& part : parts) {
        part = emit::squeeze(ctx, part, {axis});
    }
    return parts;
}

OnnxValues tile(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    OnnxValue x = operand(layer);
    Ints repeats = Arguments(layer).ints({"1", "repeats", "multiples"});
    while (repeats.size() < ctx.rank(x)) {
        repeats.insert(repeats.begin(), 1);
    }
    if (repeats.size() > ctx.rank(x)) {
        Ints fresh(repeats.size() - ctx.rank(x));
        std::iota(fresh.begin(), fresh.end(), 0);
        x = emit::unsqueeze(ctx, x, fresh);
    }
    return {ctx.emit("Tile", {x, ctx.onnx.ints(repeats)})};
}

/// Each element several times in a row.
OnnxValues repeat(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const auto [x, axis] = alongAxis(layer, operand(layer), {"axis", "2"});
    const Ints times = Arguments(layer).ints({"1", "repeats"});
    if (times.size() != 1) { // a number for each element
        if (static_cast<std::int64_t>(times.size()) != ctx.fixedDim(x, axis)) {
            ctx.invalid(fmt::format("{} numbers for {} elements", times.size(), ctx.fixedDim(x, axis)), "repeats");
        }
        Ints places;
        for (std::size_t i = 0; i < times.size(); ++i) {
            if (times[i] < 0 || times[i] > elementLimit - static_cast<std::int64_t>(places.size())) {
                ctx.invalid(fmt::format("{} repetitions", times[i]), "repeats");
            }
            places.insert(places.end(), static_cast<std::size_t>(times[i]), static_cast<std::int64_t>(i));
        }
        return {emit::gather(ctx, x, ctx.onnx.ints(places), axis)};
    }
    Ints sizes(ctx.rank(x) + 1, 1);
    sizes[static_cast<std::size_t>(axis) + 1] = times.front();
    const OnnxValue wide = ctx.emit("Tile", {emit::unsqueeze(ctx, x, {axis + 1}), ctx.onnx.ints(sizes)});
    ShapeTerms terms;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(ctx.rank(x)); ++i) {
        terms.push_back(i < axis    ? termOf(ctx, wide, {i})
                        : i == axis ? termOf(ctx, wide, {i, i + 1})
                                    : termOf(ctx, wide, {i + 1}));
    }
    return {reshapeTo(ctx, wide, terms)};
}

OnnxValues flip(const Layer& layer)
{
    const OnnxValue x = operand(layer);
    Ints axes(layer.ctx.rank(x));
    std::iota(axes.begin(), axes.end(), 0);
    if (Arguments(layer).has({"1", "axis"})) {
        axes = axesOf(layer, layer.ctx.rank(x), {"1", "axis"});
    }
    return {reversed(layer.ctx, x, axes)};
}

/// The elements of an axis moved on, the last ones to its beginning.
OnnxValue rolled(const NodeContext& ctx, OnnxValue x, std::int64_t axis, std::int64_t shift)
{
    const OnnxValue sizeVector = emit::dimVector(ctx, x, axis);
    OnnxValue places = ctx.emit("Sub", {countUp(ctx, x, axis), ctx.onnx.ints({shift})});
    places = arithmetic::modulo(ctx, places, sizeVector); // of the elements that come to each place
    return emit::gather(ctx, x, places, axis);
}

OnnxValues roll(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    OnnxValue x = operand(layer);
    Ints shifts = Arguments(layer).ints({"1", "shift"});
    const OnnxValue given = x;
    const bool isFlat = !Arguments(layer).has({"2", "axis"});
    if (isFlat) {
        x = emit::reshape(ctx, x, Ints{-1});
    }
    Ints axes = isFlat ? Ints{0} : axesOf(layer, ctx.rank(x), {"2", "axis"});
    if (shifts.size() == 1) {
        shifts.resize(axes.size(), shifts.front());
    } else if (axes.size() == 1) {
        axes.resize(shifts.size(), axes.front());
    }
    if (axes.size() != shifts.size()) {
        ctx.invalid(fmt::format("{} shifts for {} axes", shifts.size(), axes.size()), "shift");
    }
    for (std::size_t i = 0; i < axes.size(); ++i) {
        x = rolled(ctx, x, axes[i], shifts[i]);
    }
    return {isFlat ? reshapeTo(ctx, x, termsOf(ctx, given)) : x};
}

/// An axis with its own elements around it: mirrored with those at the edges, or in a circle.
OnnxValue repeatedAround(const NodeContext& ctx, OnnxValue x, std::int64_t axis, std::int64_t before,
                         std::int64_t after, bool isMirrored)
{
    if (before == 0 && after == 0) {
        return x;
    }
    const std::int64_t size = ctx.fixedDim(x, axis);
    if (size == 0 || before > elementLimit - after) {
        ctx.invalid("an empty axis is padded", "pad_width");
    }
    Ints places;
    for (std::int64_t i = -before; i < size + after; ++i) {
        const std::int64_t period = isMirrored ? 2 * size : size;
        const std::int64_t place = ((i % period) + period) % period;
        places.push_back(place < size ? place : period - 1 - place);
    }
    return emit::gather(ctx, x, ctx.onnx.ints(places), axis);
}

OnnxValues pad(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    const OnnxValue x = operand(layer);
    std::string mode = arguments.text({"mode", "2"}, "constant");
    std::ranges::transform(mode, mode.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const bool isRepeated = mode == "symmetric" || mode == "wrap";
    if (mode != "constant" && mode != "reflect" && mode != "edge" && !isRepeated) {
        layer.refuse(fmt::format("padding of mode {}", mode), "mode");
    }
    Ints given = arguments.ints({"1", "pad_width", "paddings"});
    if (given.size() == 1) {
        given.push_back(given.front());
    }
    if (given.size() == 2) {
        const Ints both = given;
        for (std::size_t i = 1; i < ctx.rank(x); ++i) {
            given.insert(given.end(), both.begin(), both.end());
        }
    }
    if (given.size() != 2 * ctx.rank(x) || std::ranges::any_of(given, [](std::int64_t n) { return n < 0; })) {
        ctx.invalid(fmt::format("{} paddings for {} axes", given.size(), ctx.rank(x)), "pad_width");
    }
    if (isRepeated) {
        OnnxValue y = x;
        for (std::size_t i = 0; i < ctx.rank(x); ++i) {
            y = repeatedAround(ctx, y, static_cast<std::int64_t>(i), given[2 * i], given[2 * i + 1],
                               mode == "symmetric");
        }
        return {y};
    }
    Ints pads;
    for (std::size_t end = 0; end < 2; ++end) {
        for (std::size_t i = 0; i < ctx.rank(x); ++i) {
            pads.push_back(given[2 * i + end]);
        }
    }
    OnnxValues inputs{x, ctx.onnx.ints(pads)};
    if (mode == "constant") {
        const Arguments::Names value{"constant_values"};
        inputs.push_back(arguments.has(value) ? emit::cast(ctx, arguments.tensor(value, ctx.element(x)), ctx.element(x))
                                              : emit::scalarLike(ctx, x, 0));
    }
    return {ctx.emit("Pad", inputs, {{"mode", mode}})};
}

OnnxValues broadcastTo(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    return {emit::expand(ctx, operand(layer), ctx.onnx.ints(Arguments(layer).ints({"1", "shape"})))};
}

OnnxValues take(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    OnnxValue x = operand(layer);
    const bool isTensorflow = layer.op().starts_with("tf.");
    if (const std::int64_t shared = arguments.integer({"batch_dims"}, 0); shared != 0) {
        const OnnxValue indices =
            emit::cast(ctx, arguments.tensor({"1", "indices"}, ElementType::Int64), ElementType::Int64);
        const auto rank = static_cast<std::int64_t>(ctx.rank(indices));
        const std::int64_t first = shared < 0 ? shared + rank : shared;
        if (first < 0 || first > rank || axisOf(layer, ctx.rank(x), first, {"axis", "2"}) != first) {
            layer.refuse(fmt::format("a gather along another axis than the first behind {} batch_dims", shared),
                         "batch_dims");
        }
        return {forms::gatherInBatches(ctx, x, emit::unsqueeze(ctx, indices, {rank}), first)};
    }
    if (!isTensorflow && !arguments.has({"axis", "2"})) {
        x = emit::reshape(ctx, x, Ints{-1});
    }
    OnnxValue indices = arguments.tensor({"1", "indices"}, ElementType::Int64);
    if (ctx.element(indices) != ElementType::Int32) {
        indices = emit::cast(ctx, indices, ElementType::Int64);
    }
    return {emit::gather(ctx, x, indices, axisOf(layer, ctx.rank(x), 0, {"axis", "2"}))};
}

/// The dimensions of x with 1 on an axis, for broadcasting.
OnnxValue sizesWithOneAt(const NodeContext& ctx, OnnxValue x, std::int64_t axis)
{
    OnnxValues sizes;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(ctx.rank(x)); ++i) {
        sizes.push_back(i == axis ? ctx.onnx.ints({1}) : emit::dimVector(ctx, x, i));
    }
    return emit::concat(ctx, sizes, 0);
}

/// Apart from the axis, x and the indices broadcast with each other.
OnnxValues takeAlongAxis(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    OnnxValue x = operand(layer);
    OnnxValue indices = arguments.tensor({"1", "indices"}, ElementType::Int64);
    if (ctx.element(indices) != ElementType::Int32) {
        indices = emit::cast(ctx, indices, ElementType::Int64);
    }
    if (!arguments.has({"axis", "2"})) {
        x = emit::reshape(ctx, x, Ints{-1});
        indices = emit::reshape(ctx, indices, Ints{-1});
    }
    const std::int64_t axis = axisOf(layer, ctx.rank(x), 0, {"axis", "2"});
    if (ctx.rank(indices) != ctx.rank(x)) {
        ctx.invalid(fmt::format("indices of {} dimensions for {}", ctx.rank(indices), ctx.rank(x)), "indices");
    }
    bool isSame = true;
    for (std::size_t i = 0; i < ctx.rank(x); ++i) {
        const Dim& size = ctx.shape(x)[i];
        isSame =
            isSame && (static_cast<std::int64_t>(i) == axis || (size == ctx.shape(indices)[i] && !size.isUnknown()));
    }
    if (!isSame) {
        const OnnxValue wide = emit::expand(ctx, x, sizesWithOneAt(ctx, indices, axis));
        indices = emit::expand(ctx, indices, sizesWithOneAt(ctx, x, axis));
        x = wide;
    }
    return {ctx.emit("GatherElements", {x, indices}, {{"axis", axis}})};
}

OnnxValues oneHot(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    const OnnxValue ids = emit::cast(ctx, arguments.tensor({"0", "x", "indices"}), ElementType::Int64);
    const std::int64_t depth = arguments.integer({"1", "num_classes", "depth"});
    const std::int64_t axis = axisOf(layer, ctx.rank(ids) + 1, -1, {"axis"});
    if (arguments.boolean({"sparse"}, false)) {
        layer.refuse("a sparse result", "sparse");
    }
    Ints dims(ctx.rank(ids) + 1, 1);
    dims[static_cast<std::size_t>(axis)] = depth;
    const OnnxValue classes = emit::reshape(ctx, countTo(ctx, depth), dims);
    const OnnxValue isClass = ctx.emit("Equal", {emit::unsqueeze(ctx, ids, {axis}), classes});
    const ElementType type = arguments.type({"dtype"}).value_or(ElementType::Float32);
    if (arguments.has({"on_value"}) || arguments.has({"off_value"})) {
        return {choose(ctx, isClass, ctx.onnx.scalar(type, arguments.number({"on_value"}, 1)),
                       ctx.onnx.scalar(type, arguments.number({"off_value"}, 0)))};
    }
    return {emit::cast(ctx, isClass, type)};
}

OnnxValue band(const Layer& layer, std::int64_t below, std::int64_t above)
{
    const NodeContext& ctx = layer.ctx;
    const auto number = [&](std::int64_t value) {
        return ctx.onnx.scalar(ElementType::Int64, static_cast<double>(value));
    };
    return bandPart(ctx, operand(layer), number(below), number(above));
}

/// x without one of the triangles: the part where column - row is at most `diagonal`, or above it.
OnnxValue trianglePart(const Layer& layer, std::int64_t diagonal, bool isUpper)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = operand(layer);
    if (ctx.rank(x) < 2) {
        ctx.invalid(fmt::format("a tensor of {} dimensions", ctx.rank(x)));
    }
    const auto last = static_cast<std::int64_t>(ctx.rank(x)) - 1;
    const OnnxValue rows = emit::unsqueeze(ctx, countUp(ctx, x, last - 1), {1});
    const OnnxValue columns = emit::unsqueeze(ctx, countUp(ctx, x, last), {0});
    const OnnxValue bound = ctx.onnx.scalar(ElementType::Int64, static_cast<double>(diagonal));
    const OnnxValue isAbove = ctx.emit("Greater", {ctx.emit("Sub", {columns, rows}), bound});
    const OnnxValue zero = emit::scalarLike(ctx, x, 0);
    return choose(ctx, isAbove, isUpper ? x : zero, isUpper ? zero : x);
}

OnnxValues lowerTriangle(const Layer& layer)
{
    const std::int64_t diagonal = Arguments(layer).integer({"1", "k"}, 0);
    return {diagonal < 0 ? trianglePart(layer, diagonal, false) : band(layer, -1, diagonal)};
}

OnnxValues upperTriangle(const Layer& layer)
{
    const std::int64_t diagonal = Arguments(layer).integer({"1", "k"}, 0);
    return {diagonal > 0 ? trianglePart(layer, diagonal - 1, true) : band(layer, -diagonal, -1)};
}

OnnxValues bandOfMatrix(const Layer& layer)
{
    const Arguments arguments(layer);
    return {band(layer, arguments.integer({"1", "num_lower"}), arguments.integer({"2", "num_upper"}))};
}

/// Images with channels first, whatever the call has.
struct BlockImages {
    OnnxValue x;
    bool isLast;
};

BlockImages blockImagesOf(const Layer& layer)
{
    const std::string format = Arguments(layer).text({"data_format", "2"}, "NHWC");
    const OnnxValue x = operand(layer);
    if (layer.ctx.rank(x) != 4 ||
        (format != "NHWC" && format != "channels_last" && format != "NCHW" && format != "channels_first")) {
        layer.refuse(fmt::format("images of {} dimensions in {}", layer.ctx.rank(x), format), "data_format");
    }
    const bool isLast = format == "NHWC" || format == "channels_last";
    return {isLast ? emit::transpose(layer.ctx, x, {0, 3, 1, 2}) : x, isLast};
}

/// Blocks of the channels are the pixels of a square.
OnnxValues depthToSpace(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const BlockImages images = blockImagesOf(layer);
    const std::int64_t size = Arguments(layer).integer({"1", "block_size"});
    const OnnxValue y = ctx.emit("DepthToSpace", {images.x}, {{"blocksize", size}, {"mode", "DCR"}});
    return {images.isLast ? emit::transpose(ctx, y, {0, 2, 3, 1}) : y};
}

OnnxValues spaceToDepth(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const BlockImages images = blockImagesOf(layer);
    const OnnxValue y =
        ctx.emit("SpaceToDepth", {images.x}, {{"blocksize", Arguments(layer).integer({"1", "block_size"})}});
    return {images.isLast ? emit::transpose(ctx, y, {0, 2, 3, 1}) : y};
}

/// The shape as a tensor, of int32 in TensorFlow.
OnnxValues shapeOfTensor(const Layer& layer)
{
    const std::string type = Arguments(layer).text({"out_type"}, "int32");
    return {emit::cast(layer.ctx, emit::shapeVector(layer.ctx, operand(layer)),
                       elementTypeFromName(type).value_or(ElementType::Int32))};
}

/// (positions, values) of the largest, in descending order.
OnnxValues sorted(const Layer& layer, OnnxValue x, std::int64_t axis, OnnxValue count, bool isDescending)
{
    const OnnxAttributes attributes{{"axis", axis}, {"largest", isDescending}, {"sorted", true}};
    return layer.ctx.onnx.add("TopK", {x, count}, attributes, 2);
}

bool isDescending(const Layer& layer)
{
    return Arguments(layer).text({"direction"}, "ASCENDING") == "DESCENDING";
}

/// What is sorted, and along which axis: by default the last one; Keras 3 sorts all elements if it is null.
struct SortedAlong {
    OnnxValue x;
    std::int64_t axis;
};

SortedAlong sortedAlong(const Layer& layer)
{
    const OnnxValue x = operand(layer);
    if (layer.op().starts_with("ops.") && layer.ctx.node.attribute("axis") != nullptr &&
        !Arguments(layer).has({"axis", "1"})) {
        return {emit::reshape(layer.ctx, x, Ints{-1}), 0};
    }
    return {x, axisOf(layer, layer.ctx.rank(x), -1, {"axis", "1"})};
}

OnnxValues sort(const Layer& layer)
{
    const SortedAlong along = sortedAlong(layer);
    const ElementType type = layer.ctx.element(along.x);
    const OnnxValue x = emit::cast(layer.ctx, along.x, widened(type));
    const OnnxValue size = emit::dimVector(layer.ctx, x, along.axis);
    return {emit::cast(layer.ctx, sorted(layer, x, along.axis, size, isDescending(layer))[0], type)};
}

OnnxValues argsort(const Layer& layer)
{
    const SortedAlong along = sortedAlong(layer);
    const OnnxValue x = emit::cast(layer.ctx, along.x, widened(layer.ctx.element(along.x)));
    const OnnxValue size = emit::dimVector(layer.ctx, x, along.axis);
    const OnnxValue places = sorted(layer, x, along.axis, size, isDescending(layer))[1];
    return {emit::cast(layer.ctx, places, ElementType::Int32)};
}

OnnxValues topK(const Layer& layer)
{
    const OnnxValue x = operand(layer);
    const std::int64_t count = Arguments(layer).integer({"1", "k"}, 1);
    const auto last = static_cast<std::int64_t>(layer.ctx.rank(x)) - 1;
    const OnnxValues found = sorted(layer, x, last, layer.ctx.onnx.ints({count}), true);
    return {found[0], emit::cast(layer.ctx, found[1], ElementType::Int32)};
}
} // namespace

std::span<const OpRow> tensorOperations()
{
    static constexpr OpRow rows[] = {
        {"ops.Argsort", argsort, "TopK"},
        {"ops.BroadcastTo", broadcastTo, "Expand"},
        {"ops.Concatenate", concatenate, "Concat"},
        {"ops.DepthToSpace", depthToSpace, "DepthToSpace"},
        {"ops.ExpandDims", expandDims, "Unsqueeze"},
        {"ops.Flip", flip, "Slice"},
        {"ops.Moveaxis", moveAxis, "Transpose"},
        {"ops.OneHot", oneHot, "Equal, Cast"},
        {"ops.Pad", pad, "Pad"},
        {"ops.Repeat", repeat, "Tile, Reshape"},
        {"ops.Reshape", reshape, "Reshape"},
        {"ops.Roll", roll, "Split, Concat"},
        {"ops.Sort", sort, "TopK"},
        {"ops.SpaceToDepth", spaceToDepth, "SpaceToDepth"},
        {"ops.Split", split, "Split"},
        {"ops.Squeeze", squeeze, "Squeeze"},
        {"ops.Stack", stack, "Unsqueeze, Concat"},
        {"ops.Swapaxes", swapAxes, "Transpose"},
        {"ops.Take", take, "Gather"},
        {"ops.TakeAlongAxis", takeAlongAxis, "GatherElements"},
        {"ops.Tile", tile, "Tile"},
        {"ops.TopK", topK, "TopK"},
        {"ops.Transpose", transpose, "Transpose"},
        {"ops.Tril", lowerTriangle, "Where"},
        {"ops.Triu", upperTriangle, "Where"},
        {"ops.Unstack", unstack, "Split, Squeeze"},
        {"tf.argsort", argsort, "TopK"},
        {"tf.broadcast_to", broadcastTo, "Expand"},
        {"tf.concat", concatenate, "Concat"},
        {"tf.expand_dims", expandDims, "Unsqueeze"},
        {"tf.gather", take, "Gather"},
        {"tf.linalg.band_part", bandOfMatrix, "Where"},
        {"tf.math.top_k", topK, "TopK"},
        {"tf.nn.depth_to_space", depthToSpace, "DepthToSpace"},
        {"tf.nn.space_to_depth", spaceToDepth, "SpaceToDepth"},
        {"tf.one_hot", oneHot, "Equal, Cast"},
        {"tf.pad", pad, "Pad"},
        {"tf.repeat", repeat, "Tile, Reshape"},
        {"tf.reshape", reshape, "Reshape"},
        {"tf.reverse", flip, "Slice"},
        {"tf.roll", roll, "Split, Concat"},
        {"tf.shape", shapeOfTensor, "Shape"},
        {"tf.sort", sort, "TopK"},
        {"tf.split", split, "Split"},
        {"tf.squeeze", squeeze, "Squeeze"},
        {"tf.stack", stack, "Unsqueeze, Concat"},
        {"tf.tile", tile, "Tile"},
        {"tf.transpose", transpose, "Transpose"},
        {"tf.unstack", unstack, "Split, Squeeze"},
    };
    return rows;
}

} // namespace crosswalk::keras
