#include "core/convert/forms/nn/double_convolution.h"

#include <numeric>

namespace crosswalk::forms {

OnnxValue doubleConvolution(const NodeContext& ctx, OnnxValue x, OnnxValue weight, OnnxValue bias, const Window& window,
                            std::int64_t groups, const Ints& begin, const Ints& end)
{
    const auto filters = ctx.fixedDim(weight, 0);
    const auto perGroup = ctx.fixedDim(weight, 1);
    const OnnxValues places = windowSlices(ctx, padSpatial(ctx, x, begin, end, 0), window);
    const OnnxValue batch = emit::dimVector(ctx, x, 0);
    // (N, C, places, positions), then (N, groups, C/groups * places, positions): the order of the kernel's elements.
    OnnxValues columns;
    for (const OnnxValue place : places) {
        columns.push_back(emit::reshape(ctx, place, Ints{0, 0, 1, -1}));
    }
    const auto depth = perGroup * static_cast<std::int64_t>(places.size());
    OnnxValue stacked = emit::concat(ctx, columns, 2);
    const OnnxValues split{batch, ctx.onnx.ints({groups, depth}), ctx.onnx.ints({-1})};
    stacked = emit::reshape(ctx, stacked, emit::concat(ctx, split, 0));
    const OnnxValue rows = emit::reshape(ctx, weight, Ints{groups, filters / groups, depth});
    OnnxValues dims{batch, ctx.onnx.ints({filters})};
    Shape shape{ctx.shape(x)[0], Dim(filters)};
    for (std::size_t i = 0; i < window.rank(); ++i) {
        const auto axis = static_cast<std::int64_t>(i) + 2;
        dims.push_back(emit::dimVector(ctx, places.front(), axis));
        shape.push_back(ctx.shape(places.front())[i + 2]);
    }
    OnnxValue y = emit::reshape(ctx, ctx.emit("MatMul", {rows, stacked}), emit::concat(ctx, dims, 0));
    ctx.onnx.refine(y, shape);
    if (bias) {
        Ints behind(window.rank());
        std::iota(behind.begin(), behind.end(), 1);
        y = ctx.emit("Add", {y, emit::unsqueeze(ctx, bias, behind)});
    }
    return y;
}

} // namespace crosswalk::forms
