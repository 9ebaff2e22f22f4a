#include "core/convert/forms/nn/deformable_convolution.h"

#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/sizes.h"
#include "core/convert/forms/vision/image_sampling.h"

namespace crosswalk::forms {
namespace {

/// From which opset ONNX has DeformConv.
constexpr int deformConvOpset = 19;

struct Layer {
    const DeformableConvolution& how;
    std::int64_t channels;
    std::int64_t places; ///< of the kernel
};

/// Where the places of the kernel stand without offsets, along one axis: (places, 1, 1) + (size, 1) or (size).
OnnxValue standingPlaces(const NodeContext& ctx, const Layer& layer, OnnxValue offsets, std::size_t axis)
{
    const Window& window = layer.how.window;
    Ints starts;
    for (std::int64_t i = 0; i < layer.places; ++i) {
        const std::int64_t place = axis == 0 ? i / window.kernel[1] : i % window.kernel[1];
        starts.push_back(place * window.dilate[axis] - layer.how.pad[axis]);
    }
    const OnnxValue first = ctx.onnx.constant(Tensor::ints(starts).reshaped({layer.places, 1, 1}));
    OnnxValue steps = countUp(ctx, offsets, static_cast<std::int64_t>(axis) + 2);
    steps = axis == 0 ? emit::unsqueeze(ctx, steps, {1}) : steps;
    const OnnxValue moved = ctx.emit("Mul", {steps, ctx.onnx.ints({window.stride[axis]})});
    return emit::cast(ctx, ctx.emit("Add", {first, moved}), ctx.element(offsets));
}

/// Offsets or masks (N, groups * places * ..., h, w) with the groups and places as dimensions of their own.
OnnxValue byGroup(const NodeContext& ctx, OnnxValue x, const Layer& layer, const Ints& inner)
{
    OnnxValues dims{emit::dimVector(ctx, x, 0), ctx.onnx.ints({layer.how.offsetGroups, layer.places})};
    Shape shape{ctx.shape(x)[0], Dim(layer.how.offsetGroups), Dim(layer.places)};
    for (const auto size : inner) {
        dims.push_back(ctx.onnx.ints({size}));
        shape.emplace_back(size);
    }
    dims.insert(dims.end(), {emit::dimVector(ctx, x, 2), emit::dimVector(ctx, x, 3)});
    shape.insert(shape.end(), {ctx.shape(x)[2], ctx.shape(x)[3]});
    const OnnxValue y = emit::reshape(ctx, x, emit::concat(ctx, dims, 0));
    ctx.onnx.refine(y, shape);
    return y;
}

struct Places {
    OnnxValue standing[2]; ///< y and x
    OnnxValue moved[2];    ///< (N, groups, places, h, w)
};

Places placesOf(const NodeContext& ctx, OnnxValue offsets, const Layer& layer)
{
    const OnnxValues parts = emit::split(ctx, byGroup(ctx, offsets, layer, {2}), 3, {1, 1});
    Places places;
    for (std::size_t axis = 0; axis < 2; ++axis) {
        places.standing[axis] = standingPlaces(ctx, layer, offsets, axis);
        places.moved[axis] = ctx.emit("Add", {emit::squeeze(ctx, parts[axis], {3}), places.standing[axis]});
    }
    return places;
}

/// Channels (N, groups, places, h, w, C / groups) as read, times the weight: (N, filters, h, w).
OnnxValue weighed(const NodeContext& ctx, OnnxValue read, OnnxValue weight, OnnxValue bias, OnnxValue offsets,
                  const Layer& layer)
{
    const std::int64_t depth = layer.channels / layer.how.groups * layer.places;
    const OnnxValue batch = emit::dimVector(ctx, offsets, 0);
    const OnnxValue ordered = emit::transpose(ctx, read, {0, 1, 5, 2, 3, 4});
    const OnnxValue columns = emit::reshape(
        ctx, ordered, emit::concat(ctx, {batch, ctx.onnx.ints({layer.how.groups, depth}), ctx.onnx.ints({-1})}, 0));
    const OnnxValue rows =
        emit::reshape(ctx, weight, Ints{layer.how.groups, layer.how.filters / layer.how.groups, depth});
    const OnnxValue dims = emit::concat(
        ctx,
        {batch, ctx.onnx.ints({layer.how.filters}), emit::dimVector(ctx, offsets, 2), emit::dimVector(ctx, offsets, 3)},
        0);
    OnnxValue y = emit::reshape(ctx, ctx.emit("MatMul", {rows, columns}), dims);
    const Shape& from = ctx.shape(offsets);
    ctx.onnx.refine(y, {from[0], Dim(layer.how.filters), from[2], from[3]});
    return bias ? ctx.emit("Add", {y, emit::unsqueeze(ctx, bias, {1, 2})}) : y;
}

/// The channels that each place of the kernel reads; outside `inside`, where there is one, nothing.
OnnxValue readAt(const NodeContext& ctx, OnnxValue x, const Places& places, OnnxValue inside, const Layer& layer,
                 Beyond beyond)
{
    const std::int64_t perGroup = layer.channels / layer.how.offsetGroups;
    const OnnxValue dims =
        emit::concat(ctx, {ctx.onnx.ints({-1, perGroup}), emit::dimVector(ctx, x, 2), emit::dimVector(ctx, x, 3)}, 0);
    const OnnxValue split = emit::reshape(ctx, x, dims); // an image a group
    ctx.onnx.refine(split, {Dim(), Dim(perGroup), ctx.shape(x)[2], ctx.shape(x)[3]});
    const ImageSampler pixels(ctx, split);
    const OnnxValue groups = ctx.onnx.ints({layer.how.offsetGroups});
    const OnnxValue batch = ctx.emit("Mul", {emit::unsqueeze(ctx, countUp(ctx, x, 0), {1}), groups});
    const OnnxValue image = ctx.emit("Add", {batch, countTo(ctx, layer.how.offsetGroups)}); // (N, groups)
    OnnxValue y = places.moved[0];
    OnnxValue along = places.moved[1];
    const OnnxValue zero = ctx.onnx.scalar(pixels.element(), 0);
    if (inside) {
        y = ctx.emit("Where", {inside, y, zero});
        along = ctx.emit("Where", {inside, along, zero});
    }
    const OnnxValue read = pixels.between(emit::unsqueeze(ctx, image, {2, 3, 4}), y, along, beyond);
    return inside ? ctx.emit("Where", {emit::unsqueeze(ctx, inside, {5}), read, zero}) : read;
}

OnnxValue deformConv(const NodeContext& ctx, OnnxValue x, OnnxValue weight, OnnxValue offsets, OnnxValue bias,
                     OnnxValue mask, const Layer& layer)
{
    return ctx.emit("DeformConv", {x, weight, offsets, bias, mask},
                    {{"kernel_shape", layer.how.window.kernel},
                     {"strides", layer.how.window.stride},
                     {"dilations", layer.how.window.dilate},
                     {"pads", onnxPads(layer.how.pad, layer.how.pad)},
                     {"group", layer.how.groups},
                     {"offset_group", layer.how.offsetGroups}});
}

/// A dimension of x as a number of its type.
OnnxValue sizeOf(const NodeContext& ctx, OnnxValue x, std::int64_t axis)
{
    return emit::cast(ctx, emit::dimVector(ctx, x, axis), ctx.element(x));
}

/// ONNX's own operator fades out at both ends. So the places are brought to the last pixel, and masked.
OnnxValue keepingLastPixel(const NodeContext& ctx, OnnxValue x, OnnxValue offsets, OnnxValue weight, OnnxValue bias,
                           const Layer& layer)
{
    const Places places = placesOf(ctx, offsets, layer);
    const OnnxValue zero = emit::scalarLike(ctx, x, 0);
    OnnxValue inside;
    for (std::size_t axis = 0; axis < 2; ++axis) {
        const OnnxValue place = places.moved[axis];
        const OnnxValue notBefore = ctx.emit("Not", {ctx.emit("Less", {place, zero})});
        const OnnxValue before = ctx.emit("Less", {place, sizeOf(ctx, x, static_cast<std::int64_t>(axis) + 2)});
        const OnnxValue both = ctx.emit("And", {notBefore, before});
        inside = inside ? ctx.emit("And", {inside, both}) : both;
    }
    if (ctx.onnx.opset() < deformConvOpset) {
        const OnnxValue read = readAt(ctx, x, places, inside, layer, Beyond::Edge);
        return weighed(ctx, read, weight, bias, offsets, layer);
    }
    OnnxValues held;
    for (std::size_t axis = 0; axis < 2; ++axis) {
        const OnnxValue size = sizeOf(ctx, x, static_cast<std::int64_t>(axis) + 2);
        const OnnxValue last = ctx.emit("Sub", {size, emit::scalarLike(ctx, x, 1)});
        const OnnxValue place = ctx.emit("Min", {places.moved[axis], last});
        held.push_back(emit::unsqueeze(ctx, ctx.emit("Sub", {place, places.standing[axis]}), {3}));
    }
    const OnnxValue mask = emit::cast(ctx, inside, ctx.element(x));
    const OnnxValue maskDims =
        emit::concat(ctx,
                     {emit::dimVector(ctx, offsets, 0), ctx.onnx.ints({layer.how.offsetGroups * layer.places}),
                      emit::dimVector(ctx, offsets, 2), emit::dimVector(ctx, offsets, 3)},
                     0);
    const OnnxValue moves = emit::reshape(ctx, emit::concat(ctx, held, 3), emit::shapeVector(ctx, offsets));
    ctx.onnx.refine(moves, ctx.shape(offsets));
    return deformConv(ctx, x, weight, moves, bias, emit::reshape(ctx, mask, maskDims), layer);
}

} // namespace

OnnxValue deformableConvolution(const NodeContext& ctx, const DeformableOperands& operands,
                                const DeformableConvolution& how)
{
    const auto& [x, offsets, mask, weight, bias] = operands;
    const Layer layer{how, ctx.fixedDim(x, 1), how.window.kernel[0] * how.window.kernel[1]};
    if (how.keepsLastPixel) {
        return keepingLastPixel(ctx, x, offsets, weight, bias, layer);
    }
    if (ctx.onnx.opset() >= deformConvOpset) {
        return deformConv(ctx, x, weight, offsets, bias, mask, layer);
    }
    OnnxValue read = readAt(ctx, x, placesOf(ctx, offsets, layer), {}, layer, Beyond::Zero);
    if (mask) {
        const OnnxValue part = emit::unsqueeze(ctx, byGroup(ctx, mask, layer, {}), {5});
        read = ctx.emit("Mul", {read, part});
    }
    return weighed(ctx, read, weight, bias, offsets, layer);
}

} // namespace crosswalk::forms
