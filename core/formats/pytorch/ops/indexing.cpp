// Elements selected by indices, sorting, and triangles.

#include "core/formats/pytorch/ops/index_tuples.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"

#include <algorithm>

namespace crosswalk::pytorch {
namespace {

OnnxValues embedding(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    return {emit::gather(ctx, arguments.tensor("weight"), arguments.tensor("indices"), 0)};
}

OnnxValues indexSelect(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const OnnxValue index = arguments.tensor("index");
    if (ctx.rank(index) == 0) {
        return {emit::gather(ctx, x, emit::unsqueeze(ctx, index, {0}), arguments.axis("dim", 0, ctx.rank(x)))};
    }
    return {emit::gather(ctx, x, index, arguments.axis("dim", 0, ctx.rank(x)))};
}

/// The index may be smaller than x in the other axes.
OnnxValues gather(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    OnnxValue x = arguments.tensor("self");
    const OnnxValue index = arguments.tensor("index");
    if (ctx.rank(x) == 0) {
        return {emit::expand(ctx, x, emit::shapeVector(ctx, index))};
    }
    const std::int64_t axis = arguments.axis("dim", 0, ctx.rank(x));
    x = cutTo(ctx, x, index, axis);
    return {ctx.emit("GatherElements", {x, index}, {{"axis", axis}})};
}

/// Adjacent index tensors are broadcast together and replace their axes; other arrangements move to the front.
OnnxValues index(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    OnnxValue x = arguments.tensor("self");
    const OnnxValues given = arguments.tensors("indices");
    std::vector<std::int64_t> axes;
    OnnxValues indices;
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (!given[i]) {
            continue;
        }
        if (ctx.element(given[i]) == ElementType::Bool || ctx.element(given[i]) == ElementType::UInt8) {
            if (given.size() != 1) {
                ctx.refuse("a mask beside other indices is not supported", "indices");
            }
            // The rows where the mask is true.
            const OnnxValue places =
                emit::transpose(ctx, ctx.emit("NonZero", {emit::cast(ctx, given[i], ElementType::Bool)}), {1, 0});
            return {ctx.emit("GatherND", {x, places})};
        }
        axes.push_back(static_cast<std::int64_t>(i));
        indices.push_back(given[i]);
    }
    if (axes.empty()) {
        return {x};
    }
    if (axes.size() == 1) {
        return {emit::gather(ctx, x, emit::cast(ctx, indices[0], ElementType::Int64), axes[0])};
    }
    const bool areAdjacent = axes.back() - axes.front() + 1 == static_cast<std::int64_t>(axes.size());
    // The indexed axes first, for GatherND.
    Ints order(axes.begin(), axes.end());
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(ctx.rank(x)); ++i) {
        if (std::find(axes.begin(), axes.end(), i) == axes.end()) {
            order.push_back(i);
        }
    }
    x = std::is_sorted(order.begin(), order.end()) ? x : emit::transpose(ctx, x, order);
    const IndexTuples tuples = indexTuples(ctx, indices);
    const OnnxValue y = ctx.emit("GatherND", {x, tuples.places});
    if (!areAdjacent || axes.front() == 0) {
        return {y};
    }
    // The broadcast axes move to the place of the first index.
    Ints back;
    for (std::int64_t i = 0; i < axes.front(); ++i) {
        back.push_back(tuples.rank + i);
    }
    for (std::int64_t i = 0; i < tuples.rank; ++i) {
        back.push_back(i);
    }
    for (std::int64_t i = tuples.rank + axes.front(); i < static_cast<std::int64_t>(ctx.rank(y)); ++i) {
        back.push_back(i);
    }
    return {emit::transpose(ctx, y, back)};
}

OnnxValues topK(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const OnnxValue count = emit::reshape(ctx, arguments.scalar("k", 1), Ints{1});
    return ctx.onnx.add("TopK", {x, count},
                        {{"axis", arguments.axis("dim", -1, ctx.rank(x))},
                         {"largest", arguments.truth("largest", true)},
                         {"sorted", 1}},
                        2);
}

OnnxValues sorted(const NodeContext& ctx, const Arguments& arguments)
{
    const OnnxValue x = arguments.tensor("self");
    if (ctx.rank(x) == 0) {
        return {x, ctx.onnx.scalar(ElementType::Int64, 0)};
    }
    const std::int64_t axis = arguments.axis("dim", -1, ctx.rank(x));
    return ctx.onnx.add("TopK", {x, emit::dimVector(ctx, x, axis)},
                        {{"axis", axis}, {"largest", arguments.truth("descending")}, {"sorted", 1}}, 2);
}

OnnxValues sort(NodeContext& ctx)
{
    return sorted(ctx, Arguments(ctx));
}

OnnxValues argumentSort(NodeContext& ctx)
{
    return {sorted(ctx, Arguments(ctx))[1]};
}

template <bool isUpper>
OnnxValues triangle(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const ElementType type = ctx.element(x);
    constexpr int firstTrilu = 14;
    if (ctx.onnx.opset() < firstTrilu) {
        ctx.refuse("a triangle requires Trilu, available from opset 14", {}, "take --opset 14 or later");
    }
    const OnnxValue wide = type == ElementType::Bool ? emit::cast(ctx, x, ElementType::UInt8) : x;
    const OnnxValue y = ctx.emit("Trilu", {wide, arguments.scalar("diagonal", 0)}, {{"upper", isUpper}});
    return {emit::cast(ctx, y, type)};
}

OnnxValues nonZero(NodeContext& ctx)
{
    return {emit::transpose(ctx, ctx.emit("NonZero", {Arguments(ctx).tensor("self")}), {1, 0})};
}

OnnxValues oneHot(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const std::int64_t classes = arguments.integer("num_classes", -1);
    if (classes < 1) {
        ctx.refuse("the number of classes depends on the data", "num_classes", "give num_classes in the model");
    }
    return {ctx.emit("OneHot", {arguments.tensor("self"), ctx.onnx.ints({classes}), ctx.onnx.ints({0, 1})})};
}

constexpr OpRow rows[] = {
    {"aten::embedding", embedding, "Gather"},
    {"aten::index_select", indexSelect, "Gather"},
    {"aten::gather", gather, "GatherElements"},
    {"aten::index", index, "Gather; GatherND"},
    {"aten::topk", topK, "TopK"},
    {"aten::sort", sort, "TopK"},
    {"aten::argsort", argumentSort, "TopK"},
    {"aten::tril", triangle<false>, "Trilu"},
    {"aten::triu", triangle<true>, "Trilu"},
    {"aten::nonzero", nonZero, "NonZero, Transpose"},
    {"aten::one_hot", oneHot, "OneHot"},
};

} // namespace

std::span<const OpRow> indexingOps()
{
    return rows;
}

} // namespace crosswalk::pytorch
