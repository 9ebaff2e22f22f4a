// Convolution and FullyConnected: the layers with a kernel.

#include "core/convert/emit.h"
#include "core/formats/mxnet/attributes.h"
#include "core/formats/mxnet/families.h"

namespace crosswalk::mxnet {
namespace {

Ints twice(const Ints& pads)
{
    Ints both = pads;
    both.insert(both.end(), pads.begin(), pads.end());
    return both;
}

OnnxValues convolution(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const Ints kernel = attributes.ints("kernel");
    const std::size_t spatial = kernel.size();
    const std::string layout = attributes.text("layout", "");
    if (!layout.empty() && !layout.starts_with("NC")) {
        ctx.refuse("layout = " + layout + ": MXNet runs channels-last convolution on GPUs only", "layout");
    }
    const std::int64_t groups = attributes.integer("num_group", 1);
    const std::int64_t filters = attributes.integer("num_filter");
    Shape expected{Dim(filters), Dim()};
    expected.insert(expected.end(), kernel.begin(), kernel.end());
    ctx.expectWeight(1, expected);
    const bool hasBias = !attributes.boolean("no_bias", false);
    return {ctx.emit("Conv", {ctx.input(0), ctx.input(1), hasBias ? ctx.input(2) : OnnxValue{}},
                     {{"kernel_shape", kernel},
                      {"strides", attributes.ints("stride", Ints(spatial, 1))},
                      {"dilations", attributes.ints("dilate", Ints(spatial, 1))},
                      {"pads", twice(attributes.ints("pad", Ints(spatial, 0)))},
                      {"group", groups}})};
}

/// y = x W^T + b, over all but the first axis of x (flatten, the default) or over its last axis.
OnnxValues fullyConnected(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const bool flatten = attributes.boolean("flatten", true);
    const bool hasBias = !attributes.boolean("no_bias", false);
    const std::int64_t units = attributes.integer("num_hidden");
    ctx.expectWeight(1, {Dim(units), Dim()});
    OnnxValue x = ctx.input(0);
    if (flatten) {
        if (ctx.rank(x) != 2) {
            x = ctx.emit("Flatten", {x}, {{"axis", 1}});
        }
        return {ctx.emit("Gemm", {x, ctx.input(1), hasBias ? ctx.input(2) : OnnxValue{}}, {{"transB", 1}})};
    }
    const OnnxValue y = ctx.emit("MatMul", {x, emit::transpose(ctx, ctx.input(1), {1, 0})});
    return {hasBias ? ctx.emit("Add", {y, ctx.input(2)}) : y};
}

constexpr OpRow rows[] = {
    {"Convolution", convolution, "Conv"},
    {"FullyConnected", fullyConnected, "Gemm, or MatMul and Add"},
};

} // namespace

std::span<const OpRow> convolutionOps()
{
    return rows;
}

} // namespace crosswalk::mxnet
