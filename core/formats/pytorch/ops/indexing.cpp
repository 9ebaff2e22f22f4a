// Elements selected by indices, sorting, and triangles.

#include "core/base/budget.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/int_vector.h"
#include "core/convert/forms/tensor/reduce.h"
#include "core/convert/forms/tensor/selection.h"
#include "core/convert/forms/tensor/sizes.h"
#include "core/formats/pytorch/ops/index_tuples.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

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
    if (ctx.rank(x) == 0) {
        return {x};
    }
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
    return {ctx.emit("GatherElements", {x, emit::cast(ctx, index, ElementType::Int64)}, {{"axis", axis}})};
}

/// Adjacent index tensors are broadcast together and replace their axes; other arrangements move to the front.
OnnxValue indexedBy(const NodeContext& ctx, OnnxValue x, const OnnxValues& given)
{
    if (given.size() == 1 && given[0] && isMask(ctx, given[0])) {
        // The rows where the mask is true.
        const OnnxValue places = ctx.emit("NonZero", {emit::cast(ctx, given[0], ElementType::Bool)});
        return ctx.emit("GatherND", {x, emit::transpose(ctx, places, {1, 0})});
    }
    const IndexedAxes indexed = indexedAxes(ctx, x, given);
    if (indexed.axes.empty()) {
        return x;
    }
    if (indexed.axes.size() == 1) {
        return emit::gather(ctx, x, emit::cast(ctx, indexed.indices[0], ElementType::Int64), indexed.axes[0]);
    }
    x = std::is_sorted(indexed.order.begin(), indexed.order.end()) ? x : emit::transpose(ctx, x, indexed.order);
    const IndexTuples tuples = indexTuples(ctx, indexed.indices);
    const OnnxValue y = ctx.emit("GatherND", {x, tuples.places});
    const Ints order = indexed.resultOrder(tuples.rank);
    return std::is_sorted(order.begin(), order.end()) ? y : emit::transpose(ctx, y, order);
}

OnnxValues index(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    return {indexedBy(ctx, arguments.tensor("self"), arguments.tensors("indices"))};
}

/// Indices out of range are moved into it; where the mask is false, the result is `fill`.
OnnxValues maskedIndex(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    OnnxValues indices = arguments.tensors("indices");
    for (std::size_t i = 0; i < indices.size(); ++i) {
        if (!indices[i]) {
            continue;
        }
        if (isMask(ctx, indices[i])) {
            ctx.refuse("indices that are masks are not supported", "indices");
        }
        const auto size = static_cast<double>(ctx.fixedDim(x, static_cast<std::int64_t>(i)));
        if (size == 0) {
            ctx.refuse("an axis without elements is not supported", "self");
        }
        indices[i] = emit::clip(ctx, emit::cast(ctx, indices[i], ElementType::Int64), -size, size - 1);
    }
    const OnnxValue fill = operand(ctx, arguments, "fill", ctx.element(x));
    const OnnxValue mask = emit::cast(ctx, arguments.tensor("mask"), ElementType::Bool);
    return {forms::choose(ctx, mask, indexedBy(ctx, x, indices), fill)};
}

OnnxValues maskedSelect(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const OnnxValue mask = arguments.tensor("mask");
    const OnnxValue both =
        ctx.emit("Or", {mask, emit::expand(ctx, ctx.onnx.scalar(ElementType::Bool, 0), emit::shapeVector(ctx, x))});
    const OnnxValue shape = emit::shapeVector(ctx, both);
    return {ctx.emit("Compress",
                     {emit::reshape(ctx, emit::expand(ctx, x, shape), Ints{-1}),
                      emit::reshape(ctx, emit::expand(ctx, mask, shape), Ints{-1})},
                     {{"axis", 0}})};
}

/// Elements at indices along an axis; both broadcast in the other axes.
OnnxValues takeAlong(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    OnnxValue x = arguments.tensor("self");
    OnnxValue index = arguments.tensor("indices");
    if (!arguments.has("dim")) {
        return {emit::gather(ctx, emit::reshape(ctx, x, Ints{-1}), emit::reshape(ctx, index, Ints{-1}), 0)};
    }
    const std::int64_t axis = arguments.axis("dim", 0, ctx.rank(x));
    OnnxValues own;
    OnnxValues others;
    bool isSame = true;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(ctx.rank(x)); ++i) {
        const auto at = static_cast<std::size_t>(i);
        const OnnxValue size = emit::dimVector(ctx, x, i);
        const OnnxValue other = emit::dimVector(ctx, index, i);
        const bool isAxis = i == axis;
        isSame = isSame && (isAxis || (ctx.shape(x)[at].isFixed() && ctx.shape(x)[at] == ctx.shape(index)[at]));
        const OnnxValue common = isAxis ? size : forms::sizes::larger(ctx, size, other);
        own.push_back(common);
        others.push_back(isAxis ? other : common);
    }
    if (!isSame) {
        x = emit::expand(ctx, x, emit::concat(ctx, own, 0));
        index = emit::expand(ctx, index, emit::concat(ctx, others, 0));
    }
    return {ctx.emit("GatherElements", {x, index}, {{"axis", axis}})};
}

/// Each element as often as its number says: a number for all, or one each. Without an axis, all elements in a row.
OnnxValues repeatEach(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const bool isOfNumbers = !arguments.has("self");
    OnnxValue repeats =
        arguments.has("repeats") && !arguments.isNumber("repeats") ? arguments.tensor("repeats") : OnnxValue{};
    OnnxValue x = isOfNumbers ? OnnxValue{} : arguments.tensor("self");
    std::int64_t axis = 0;
    if (x) {
        axis = arguments.has("dim") ? arguments.axis("dim", 0, ctx.rank(x)) : 0;
        x = arguments.has("dim") && ctx.rank(x) > 0 ? x : emit::reshape(ctx, x, Ints{-1});
    }
    if (!repeats) {
        const std::int64_t times = arguments.integer("repeats", 1);
        const OnnxValue wide = emit::unsqueeze(ctx, x, {axis + 1});
        Ints tiles(ctx.rank(wide), 1);
        tiles[static_cast<std::size_t>(axis) + 1] = times;
        OnnxValues dims;
        for (std::int64_t i = 0; i < static_cast<std::int64_t>(ctx.rank(x)); ++i) {
            const OnnxValue size = emit::dimVector(ctx, x, i);
            dims.push_back(i == axis ? forms::sizes::times(ctx, size, times) : size);
        }
        const OnnxValue tiled = ctx.emit("Tile", {wide, ctx.onnx.ints(tiles)});
        return {emit::reshape(ctx, tiled, dims.size() == 1 ? dims[0] : emit::concat(ctx, dims, 0))};
    }
    repeats = emit::cast(ctx, repeats, ElementType::Int64);
    repeats = ctx.rank(repeats) == 0 ? emit::unsqueeze(ctx, repeats, {0}) : repeats;
    if (x && ctx.shape(repeats)[0] == Dim(1)) {
        repeats = emit::expand(ctx, repeats, emit::dimVector(ctx, x, axis));
    }
    // Place j of the result is of the first element whose repeats end behind j.
    const OnnxValue ends = ctx.emit("CumSum", {repeats, ctx.onnx.scalar(ElementType::Int64, 0)});
    const OnnxValue total = emit::reduce(ctx, "ReduceSum", repeats, {0}, true);
    const OnnxValue places = emit::unsqueeze(ctx, forms::countTo(ctx, total), {1});
    const OnnxValue isBefore = ctx.emit("Not", {ctx.emit("Greater", {emit::unsqueeze(ctx, ends, {0}), places})});
    const OnnxValue sources = emit::reduce(ctx, "ReduceSum", emit::cast(ctx, isBefore, ElementType::Int64), {1}, false);
    return {isOfNumbers ? sources : emit::gather(ctx, x, sources, axis)};
}

/// Whether strides are those of a contiguous tensor, of sizes that may be open except behind the first axis.
bool isContiguous(const NodeContext& ctx, OnnxValue sizes, const Ints& strides)
{
    const auto dims = ctx.onnx.integers(sizes);
    if (!dims || dims->size() != strides.size()) {
        return false;
    }
    std::int64_t expected = 1;
    for (std::size_t i = strides.size(); i-- > 0;) {
        const Dim& dim = (*dims)[i];
        if ((!dim.isFixed() && i > 0) || (dim != Dim(1) && strides[i] != expected)) {
            return false;
        }
        expected *= dim.isFixed() ? dim.size : 1;
    }
    return true;
}

std::int64_t elementsOf(const NodeContext& ctx, OnnxValue x)
{
    Shape dims;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(ctx.rank(x)); ++i) {
        dims.push_back(Dim(ctx.fixedDim(x, i)));
    }
    const auto count = elementCount(dims);
    if (!count) {
        ctx.invalid("the tensor has too many elements", "self");
    }
    return *count;
}

/// The places of elements by strides in the memory of a tensor with `all` elements.
Ints placesOf(const NodeContext& ctx, const Ints& sizes, const Ints& strides, std::int64_t offset, std::int64_t all)
{
    const auto isNegative = [](std::int64_t number) { return number < 0; };
    if (sizes.size() != strides.size() || std::ranges::any_of(sizes, isNegative) ||
        std::ranges::any_of(strides, isNegative)) {
        ctx.invalid("the strides do not fit the sizes", "stride");
    }
    if (std::ranges::find(sizes, 0) != sizes.end()) {
        return {};
    }
    const auto lead = [&](bool isOutside) {
        if (isOutside) {
            ctx.invalid("the strides lead out of the tensor", "stride");
        }
    };
    lead(offset < 0 || offset >= all);
    Ints places{offset};
    for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
        lead(strides[axis] > 0 && sizes[axis] - 1 > (all - 1 - places.back()) / strides[axis]);
        if (sizes[axis] > Budget::listedElements / static_cast<std::int64_t>(places.size())) {
            ctx.invalid("the sizes have too many elements", "size");
        }
        Ints next;
        for (const std::int64_t place : places) {
            for (std::int64_t i = 0; i < sizes[axis]; ++i) {
                next.push_back(place + i * strides[axis]);
            }
        }
        places = std::move(next); // the last of them is the largest
    }
    return places;
}

/// The elements of a contiguous tensor by strides.
OnnxValues asStrided(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const Ints strides = arguments.integers("stride").value_or(Ints());
    const std::int64_t offset = arguments.integer("storage_offset", 0);
    const OnnxValue wanted = arguments.vector("size");
    const auto known = forms::knownInts(ctx, wanted);
    if (!known && offset == 0 && isContiguous(ctx, wanted, strides)) {
        return {emit::reshape(ctx, x, wanted)};
    }
    const Ints sizes = known ? *known : arguments.integers("size").value_or(Ints());
    const std::int64_t all = elementsOf(ctx, x);
    const Ints places = placesOf(ctx, sizes, strides, offset, all);
    bool isWhole = static_cast<std::int64_t>(places.size()) == all;
    for (std::size_t i = 0; i < places.size() && isWhole; ++i) {
        isWhole = places[i] == static_cast<std::int64_t>(i);
    }
    const OnnxValue flat = emit::reshape(ctx, x, Ints{-1});
    const OnnxValue y = isWhole ? flat : emit::gather(ctx, flat, ctx.onnx.ints(places), 0);
    return {emit::reshape(ctx, y, ctx.onnx.ints(sizes))};
}

/// A contiguous tensor with the elements by strides replaced.
OnnxValues asStridedScatter(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const Ints sizes = arguments.integers("size").value_or(Ints());
    const Ints strides = arguments.integers("stride").value_or(Ints());
    const Ints places = placesOf(ctx, sizes, strides, arguments.integer("storage_offset", 0), elementsOf(ctx, x));
    if (std::set(places.begin(), places.end()).size() != places.size()) {
        ctx.refuse("a write to several elements at one place in memory is not supported", "stride");
    }
    const OnnxValue source = emit::cast(ctx, arguments.tensor("src"), ctx.element(x));
    const OnnxValue y = ctx.emit(
        "ScatterElements",
        {emit::reshape(ctx, x, Ints{-1}), ctx.onnx.ints(places), emit::reshape(ctx, source, Ints{-1})}, {{"axis", 0}});
    return {emit::reshape(ctx, y, emit::shapeVector(ctx, x))};
}

/// The first elements in order, and their places. ONNX Runtime lacks narrow integers.
OnnxValues best(const NodeContext& ctx, OnnxValue x, OnnxValue count, std::int64_t axis, bool isLargest)
{
    const ElementType type =
        ctx.element(x) == ElementType::Float16 ? ElementType::Float32 : forms::widened(ctx.element(x));
    const OnnxValues found = ctx.onnx.add("TopK", {emit::cast(ctx, x, type), count},
                                          {{"axis", axis}, {"largest", isLargest}, {"sorted", 1}}, 2);
    return {emit::cast(ctx, found[0], ctx.element(x)), found[1]};
}

OnnxValues topK(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    if (ctx.rank(x) == 0) {
        return {x, ctx.onnx.scalar(ElementType::Int64, 0)};
    }
    const OnnxValue count = emit::reshape(ctx, arguments.scalar("k", 1), Ints{1});
    return best(ctx, x, count, arguments.axis("dim", -1, ctx.rank(x)), arguments.truth("largest", true));
}

OnnxValues sorted(const NodeContext& ctx, const Arguments& arguments)
{
    const OnnxValue x = arguments.tensor("self");
    if (ctx.rank(x) == 0) {
        return {x, ctx.onnx.scalar(ElementType::Int64, 0)};
    }
    const std::int64_t axis = arguments.axis("dim", -1, ctx.rank(x));
    return best(ctx, x, emit::dimVector(ctx, x, axis), axis, arguments.truth("descending"));
}

/// Along the first axis.
OnnxValues sortRows(NodeContext& ctx)
{
    const OnnxValue x = Arguments(ctx).tensor("self");
    return {ctx.rank(x) == 0 ? x : best(ctx, x, emit::dimVector(ctx, x, 0), 0, false)[0]};
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
    if (ctx.onnx.opset() >= firstTrilu) {
        const bool isNarrow = forms::isNarrowInteger(type) || type == ElementType::Int32;
        const OnnxValue wide = isNarrow ? emit::cast(ctx, x, ElementType::Int64) : x;
        const OnnxValue y = ctx.emit("Trilu", {wide, arguments.scalar("diagonal", 0)}, {{"upper", isUpper}});
        return {emit::cast(ctx, y, type)};
    }
    const auto rank = static_cast<std::int64_t>(ctx.rank(x));
    const OnnxValue rows = emit::unsqueeze(ctx, forms::countUp(ctx, x, rank - 2), {1});
    const OnnxValue columns = forms::countUp(ctx, x, rank - 1);
    const OnnxValue border = ctx.emit("Add", {rows, arguments.scalar("diagonal", 0)});
    const OnnxValue isOut = isUpper ? ctx.emit("Less", {columns, border}) : ctx.emit("Greater", {columns, border});
    return {forms::choose(ctx, isOut, emit::scalarLike(ctx, x, 0), x)};
}

/// The places of a scalar, at most one, have no coordinates.
OnnxValues nonZero(NodeContext& ctx)
{
    const OnnxValue x = emit::cast(ctx, Arguments(ctx).tensor("self"), ElementType::Bool);
    const bool isScalar = ctx.rank(x) == 0;
    const OnnxValue found = ctx.emit("NonZero", {isScalar ? emit::unsqueeze(ctx, x, {0}) : x});
    const OnnxValue places = emit::transpose(ctx, found, {1, 0});
    return {isScalar ? emit::slice(ctx, places, Ints{0}, Ints{0}, Ints{1}) : places};
}

/// The places that are not zero, one vector for each axis.
OnnxValues nonZeroByAxis(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor(arguments.has("condition") ? "condition" : "self");
    const OnnxValue places = ctx.emit("NonZero", {emit::cast(ctx, x, ElementType::Bool)});
    OnnxValues parts;
    for (std::size_t i = 0; i < std::max<std::size_t>(ctx.rank(x), 1); ++i) {
        parts.push_back(emit::gather(ctx, places, ctx.onnx.scalar(ElementType::Int64, static_cast<double>(i)), 0));
    }
    return parts;
}

/// Without a number of classes, the largest class is the last one.
OnnxValues oneHot(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const std::int64_t classes = arguments.integer("num_classes", -1);
    if (classes == 0 || classes < -1) {
        ctx.invalid(fmt::format("num_classes is {}; it must be at least 1, or -1", classes), "num_classes");
    }
    OnnxValue count = ctx.onnx.ints({classes});
    if (classes == -1) {
        const OnnxValue last = forms::reducedAlong(ctx, "ReduceMax", emit::reshape(ctx, x, Ints{-1}), {0}, true);
        count = ctx.emit("Add", {emit::cast(ctx, last, ElementType::Int64), ctx.onnx.ints({1})});
    }
    const bool isScalar = ctx.rank(x) == 0;
    const OnnxValue y = ctx.emit("OneHot", {isScalar ? emit::unsqueeze(ctx, x, {0}) : x, count, ctx.onnx.ints({0, 1})});
    return {isScalar ? emit::squeeze(ctx, y, {0}) : y};
}

/// So many places that are not zero, in rows; behind the last one there is a fill value.
OnnxValues nonZeroOfSize(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue places = nonZero(ctx)[0];
    const std::int64_t size = arguments.integer("size", 0);
    const auto rank = static_cast<std::int64_t>(ctx.rank(arguments.tensor("self")));
    if (size < 0 || (rank > 0 && size > forms::elementLimit / rank)) {
        ctx.invalid("the size is negative or too large", "size");
    }
    const auto fill = static_cast<double>(arguments.integer("fill_value", -1));
    const OnnxValue rest = forms::filled(ctx, ElementType::Int64, {size, rank}, fill);
    return {emit::slice(ctx, emit::concat(ctx, {places, rest}, 0), Ints{0}, Ints{size}, Ints{0})};
}

} // namespace

std::span<const OpRow> indexingOps()
{
    static constexpr OpRow rows[] = {
        {"aten::embedding", embedding, "Gather"},
        {"aten::index_select", indexSelect, "Gather"},
        {"aten::gather", gather, "GatherElements"},
        {"aten::index", index, "Gather; GatherND"},
        {"aten::_unsafe_index", index, "Gather; GatherND"},
        {"aten::_unsafe_masked_index", maskedIndex, "Clip, Gather, Where"},
        {"aten::masked_select", maskedSelect, "Compress"},
        {"aten::take_along_dim", takeAlong, "GatherElements"},
        {"aten::repeat_interleave", repeatEach, "Tile, Reshape; CumSum, Gather"},
        {"aten::as_strided", asStrided, "Gather"},
        {"aten::as_strided_copy", asStrided, "Gather"},
        {"aten::as_strided_scatter", asStridedScatter, "ScatterElements"},
        {"aten::msort", sortRows, "TopK"},
        {"aten::argwhere", nonZero, "NonZero, Transpose"},
        {"aten::nonzero_numpy", nonZeroByAxis, "NonZero, Gather"},
        {"aten::topk", topK, "TopK"},
        {"aten::sort", sort, "TopK"},
        {"aten::argsort", argumentSort, "TopK"},
        {"aten::tril", triangle<false>, "Trilu"},
        {"aten::triu", triangle<true>, "Trilu"},
        {"aten::nonzero", nonZero, "NonZero, Transpose"},
        {"aten::one_hot", oneHot, "OneHot"},
        {"aten::nonzero_static", nonZeroOfSize, "NonZero, Concat, Slice"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
