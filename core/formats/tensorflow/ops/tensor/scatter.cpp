// ScatterNd and TensorScatter*: the result of several updates of one element is defined except for the plain update.

#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

OnnxValue scattered(const NodeContext& ctx, OnnxValue data, OnnxValue indices, OnnxValue updates,
                    const std::string& reduction)
{
    OnnxAttributes attributes;
    if (reduction != "none") {
        const int first = reduction == "add" ? 16 : 18;
        if (ctx.onnx.opset() < first) {
            ctx.refuse(fmt::format("ScatterND supports reduction {} from opset {}", reduction, first), {},
                       fmt::format("take --opset {}", first));
        }
        attributes.emplace_back("reduction", reduction);
    }
    return ctx.emit("ScatterND", {data, asInt64(ctx, indices), updates}, attributes);
}

/// Updates of one element add up.
OnnxValues scatterNd(NodeContext& ctx)
{
    const OnnxValue updates = ctx.input(1);
    const ElementType type = ctx.element(updates);
    if (type == ElementType::Bool || type == ElementType::String) {
        ctx.refuse(fmt::format("ScatterNd of {}", elementTypeName(type)), "T");
    }
    const OnnxValue zeros = filledTo(ctx, type, 0, intVector(ctx, ctx.input(2)));
    return {scattered(ctx, zeros, ctx.input(0), updates, "add")};
}

OnnxValues update(NodeContext& ctx)
{
    return {scattered(ctx, ctx.input(0), ctx.input(1), ctx.input(2), "none")};
}

OnnxValues add(NodeContext& ctx)
{
    return {scattered(ctx, ctx.input(0), ctx.input(1), ctx.input(2), "add")};
}

OnnxValues subtract(NodeContext& ctx)
{
    return {scattered(ctx, ctx.input(0), ctx.input(1), ctx.emit("Neg", {ctx.input(2)}), "add")};
}

OnnxValues largest(NodeContext& ctx)
{
    return {scattered(ctx, ctx.input(0), ctx.input(1), ctx.input(2), "max")};
}

OnnxValues smallest(NodeContext& ctx)
{
    return {scattered(ctx, ctx.input(0), ctx.input(1), ctx.input(2), "min")};
}

/// x with its elements where their values are.
OnnxValues invertPermutation(NodeContext& ctx)
{
    const OnnxValue x = asInt64(ctx, ctx.input(0));
    const OnnxValue places = countTo(ctx, emit::dimVector(ctx, x, 0));
    return {emit::cast(ctx, ctx.emit("ScatterElements", {x, x, places}, {{"axis", 0}}), ctx.element(ctx.input(0)))};
}

constexpr OpRow rows[] = {
    {"InvertPermutation", invertPermutation, "ScatterElements"},
    {"ScatterNd", scatterNd, "ScatterND"},
    {"TensorScatterAdd", add, "ScatterND"},
    {"TensorScatterMax", largest, "ScatterND"},
    {"TensorScatterMin", smallest, "ScatterND"},
    {"TensorScatterSub", subtract, "ScatterND"},
    {"TensorScatterUpdate", update, "ScatterND"},
};

} // namespace

std::span<const OpRow> scatterOps()
{
    return rows;
}

} // namespace crosswalk::tensorflow
