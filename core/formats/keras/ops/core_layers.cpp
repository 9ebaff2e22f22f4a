// Dense, EinsumDense, Embedding, Masking, and layers that do nothing at inference.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/formats/keras/ops/activations.h"
#include "core/formats/keras/ops/keras_families.h"

#include <fmt/format.h>

namespace crosswalk::keras {
namespace {

OnnxValues identity(const Layer& layer)
{
    return {layer.input(0)};
}

/// x in the type of the weights: a layer takes integers too.
OnnxValue asFloating(const Layer& layer, OnnxValue x, OnnxValue weight)
{
    return emit::cast(layer.ctx, x, layer.ctx.element(weight));
}

OnnxValues dense(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Shape& shape = ctx.shape(layer.input(0));
    if (shape.empty()) {
        ctx.invalid("its input is a single number");
    }
    const OnnxValue kernel = layer.weight("kernel", {shape.back(), Dim()});
    const OnnxValue x = asFloating(layer, layer.input(0), kernel);
    OnnxValue y = ctx.emit("MatMul", {x, kernel});
    if (layer.hasWeight("bias")) {
        y = ctx.emit("Add", {y, layer.weight("bias", {ctx.shape(kernel)[1]})});
    }
    return {activated(layer, y)};
}

OnnxValues einsumDense(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const std::string equation = layer.settings.text("equation");
    if (equation.find("->") == std::string::npos) {
        ctx.invalid(fmt::format("equation \"{}\" has no output", equation), "equation");
    }
    const OnnxValue kernel = layer.weight("kernel");
    const OnnxValue x = asFloating(layer, layer.input(0), kernel);
    OnnxValue y = ctx.emit("Einsum", {x, kernel}, {{"equation", equation}});
    if (layer.hasWeight("bias")) { // has axes of 1 where the output has others
        y = ctx.emit("Add", {y, layer.weight("bias")});
    }
    return {activated(layer, y)};
}

OnnxValues embedding(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue table = layer.weight("embeddings", Shape(2));
    OnnxValue ids = layer.input(0);
    if (ctx.element(ids) != ElementType::Int32 && ctx.element(ids) != ElementType::Int64) {
        ids = emit::cast(ctx, ids, ElementType::Int32);
    }
    return {emit::gather(ctx, table, ids, 0)};
}

/// Steps of which all features have the value become zero.
OnnxValues masking(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = layer.input(0);
    const OnnxValue value = emit::scalarLike(ctx, x, layer.settings.number("mask_value", 0));
    const OnnxValue differs = emit::cast(ctx, arithmetic::notEqual(ctx, x, value), ElementType::Float32);
    const OnnxValue isTaken =
        emit::reduce(ctx, "ReduceMax", differs, {static_cast<std::int64_t>(ctx.rank(x)) - 1}, true);
    return {ctx.emit("Mul", {x, emit::cast(ctx, isTaken, ctx.element(x))})};
}

/// Keras 1: the largest of several linear functions.
OnnxValues maxoutDense(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue kernel = layer.weight("kernel", Shape(3));
    const OnnxValue x = emit::unsqueeze(ctx, layer.input(0), {0});
    OnnxValue y = ctx.emit("MatMul", {x, kernel});
    if (layer.hasWeight("bias")) {
        y = ctx.emit("Add", {y, emit::unsqueeze(ctx, layer.weight("bias", Shape(2)), {1})});
    }
    return {emit::reduce(ctx, "ReduceMax", y, {0}, false)};
}

/// Keras 1: t act(x W + b) + (1 - t) x with t = sigmoid(x Wc + bc).
OnnxValues highway(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = layer.input(0);
    const auto affine = [&](const char* kernel, const char* bias) {
        const OnnxValue y = ctx.emit("MatMul", {x, layer.weight(kernel, Shape(2))});
        return layer.hasWeight(bias) ? ctx.emit("Add", {y, layer.weight(bias)}) : y;
    };
    const OnnxValue share = elementary::sigmoid(ctx, affine("carry_kernel", "carry_bias"));
    const OnnxValue taken = ctx.emit("Mul", {share, activated(layer, affine("kernel", "bias"))});
    const OnnxValue rest = ctx.emit("Sub", {emit::scalarLike(ctx, x, 1), share});
    return {ctx.emit("Add", {taken, ctx.emit("Mul", {rest, x})})};
}

OnnxValues layerScale(const Layer& layer)
{
    return {layer.ctx.emit("Mul", {layer.input(0), layer.weight("gamma", Shape(1))})};
}

constexpr OpRow rows[] = {
    {"ActivityRegularization", identity, ""},
    {"AlphaDropout", identity, ""},
    {"Dense", dense, "MatMul, Add"},
    {"Dropout", identity, ""},
    {"EinsumDense", einsumDense, "Einsum, Add"},
    {"Embedding", embedding, "Gather"},
    {"GaussianDropout", identity, ""},
    {"GaussianNoise", identity, ""},
    {"Highway", highway, "MatMul, Sigmoid"},
    {"Identity", identity, ""},
    {"LayerScale", layerScale, "Mul"},
    {"Masking", masking, "ReduceMax, Mul"},
    {"MaxoutDense", maxoutDense, "MatMul, ReduceMax"},
    {"SpatialDropout1D", identity, ""},
    {"SpatialDropout2D", identity, ""},
    {"SpatialDropout3D", identity, ""},
    {"StochasticDepth", identity, ""},
};

} // namespace

std::span<const OpRow> coreLayers()
{
    return rows;
}

} // namespace crosswalk::keras
