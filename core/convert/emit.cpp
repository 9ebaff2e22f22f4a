#include "core/convert/emit.h"

#include "core/base/saturating_product.h"
#include "core/convert/forms/elementwise/number_limits.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <numeric>

namespace crosswalk::emit {
namespace {

bool isIdentity(const Ints& permutation)
{
    return std::is_sorted(permutation.begin(), permutation.end());
}

/// Whether the type has all these numbers, without their fractions. ONNX Runtime's Cast wraps others as processors do.
bool isRepresented(const Tensor& numbers, ElementType type)
{
    const double least = forms::lowestNumber(type) - 1;
    const double most = forms::highestNumber(type) + 1;
    return !isFloating(numbers.type()) || !isInteger(type) ||
           std::ranges::all_of(numbers.toDoubles(), [&](double number) { return least < number && number < most; });
}

/// The fixed dimensions for Reshape's 0 and -1; nothing if the input's dimensions are dynamic.
std::optional<Ints> resolved(const NodeContext& ctx, OnnxValue x, const Ints& dims)
{
    const auto& from = ctx.onnx.shape(x);
    if (!from || !isFixed(*from)) {
        return std::nullopt;
    }
    const auto total = elementCount(*from);
    Ints result = dims;
    std::int64_t known = 1;
    std::ptrdiff_t open = -1;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        if (dims[i] == 0) {
            if (i >= from->size()) {
                return std::nullopt;
            }
            result[i] = (*from)[i].size;
        }
        if (dims[i] == -1) {
            open = static_cast<std::ptrdiff_t>(i);
        } else {
            known *= result[i];
        }
    }
    if (open >= 0) {
        if (known == 0 || *total % known != 0) {
            return std::nullopt;
        }
        result[static_cast<std::size_t>(open)] = *total / known;
        known *= result[static_cast<std::size_t>(open)];
    }
    return known == total ? std::optional(result) : std::nullopt;
}

/// The product of the dimensions for Reshape that are numbers.
std::int64_t fixedElements(const Ints& dims)
{
    std::int64_t known = 1;
    for (const std::int64_t dim : dims) {
        known = dim > 0 ? saturatingProduct(known, dim) : known;
    }
    return known;
}

/// Dimensions for Reshape with a number in place of -1 where 0 copies a dimension that may be 0 when the model runs:
/// -1 could then be any number, which ONNX Runtime rejects. They stay as they are if the number is not known.
Ints withoutRest(const NodeContext& ctx, OnnxValue x, Ints dims)
{
    const auto& from = ctx.onnx.shape(x);
    const auto rest = std::ranges::find(dims, -1);
    if (!from || rest == dims.end()) {
        return dims;
    }
    bool mayBeEmpty = false;
    std::int64_t size = 1; // of what is not copied
    for (std::size_t i = 0; i < from->size(); ++i) {
        const Dim& dim = (*from)[i];
        const bool isCopied = i < dims.size() && dims[i] == 0;
        if (!isCopied && !dim.isFixed()) {
            return dims;
        }
        mayBeEmpty = mayBeEmpty || (isCopied && (!dim.isFixed() || dim.size == 0));
        size = isCopied ? size : saturatingProduct(size, dim.size);
    }
    const std::int64_t known = fixedElements(dims);
    if (mayBeEmpty && size > 0 && size % known == 0) {
        *rest = size / known;
    }
    return dims;
}

/// By GatherND, whose indices are of the first axis: ONNX Runtime 1.31's Gather copies only the first string of those
/// that one index selects.
OnnxValue gatherStrings(const NodeContext& ctx, OnnxValue x, OnnxValue indices, std::int64_t axis)
{
    const auto rank = static_cast<std::int64_t>(ctx.rank(x));
    const auto indexRank = static_cast<std::int64_t>(ctx.rank(indices));
    const auto range = [](std::int64_t first, std::int64_t count) {
        Ints axes(static_cast<std::size_t>(count));
        std::iota(axes.begin(), axes.end(), first);
        return axes;
    };
    const auto joined = [](const std::initializer_list<Ints>& parts) {
        Ints all;
        for (const Ints& part : parts) {
            all.insert(all.end(), part.begin(), part.end());
        }
        return all;
    };
    const OnnxValue inFront =
        transpose(ctx, x, joined({range(axis, 1), range(0, axis), range(axis + 1, rank - axis - 1)}));
    const OnnxValue found =
        ctx.emit("GatherND", {inFront, unsqueeze(ctx, cast(ctx, indices, ElementType::Int64), {indexRank})});
    return transpose(ctx, found,
                     joined({range(indexRank, axis), range(0, indexRank), range(indexRank + axis, rank - axis - 1)}));
}

} // namespace

OnnxValue cast(const NodeContext& ctx, OnnxValue x, ElementType type)
{
    if (ctx.element(x) == type) {
        return x;
    }
    const Tensor* stored = ctx.onnx.content(x);
    if (stored != nullptr && isNumeric(stored->type()) && isNumeric(type) && isRepresented(*stored, type)) {
        return ctx.onnx.constant(stored->converted(type));
    }
    return ctx.emit("Cast", {x}, {{"to", static_cast<std::int64_t>(type)}});
}

OnnxValue reshape(const NodeContext& ctx, OnnxValue x, const Ints& dims)
{
    if (fixedElements(dims) == std::numeric_limits<std::int64_t>::max()) {
        ctx.invalid(fmt::format("a tensor of shape {} has too many elements", fmt::join(dims, "x")));
    }
    if (const Tensor* stored = ctx.onnx.content(x)) {
        if (const auto fixed = resolved(ctx, x, dims)) {
            return stored->dims() == *fixed ? x : ctx.onnx.constant(stored->reshaped(*fixed));
        }
    }
    return ctx.emit("Reshape", {x, ctx.onnx.ints(withoutRest(ctx, x, dims))});
}

OnnxValue reshape(const NodeContext& ctx, OnnxValue x, OnnxValue dims)
{
    if (const Tensor* fixed = ctx.onnx.content(dims)) {
        return reshape(ctx, x, fixed->toInts());
    }
    return ctx.emit("Reshape", {x, dims});
}

OnnxValue transpose(const NodeContext& ctx, OnnxValue x, const Ints& permutation)
{
    if (isIdentity(permutation)) {
        return x;
    }
    if (const Tensor* stored = ctx.onnx.content(x)) {
        return ctx.onnx.constant(stored->transposed(permutation));
    }
    return ctx.emit("Transpose", {x}, {{"perm", permutation}});
}

OnnxValue swapAxes(const NodeContext& ctx, OnnxValue x, std::int64_t a, std::int64_t b)
{
    Ints permutation(ctx.rank(x));
    std::iota(permutation.begin(), permutation.end(), 0);
    std::swap(permutation[static_cast<std::size_t>(a)], permutation[static_cast<std::size_t>(b)]);
    return transpose(ctx, x, permutation);
}

OnnxValue squeeze(const NodeContext& ctx, OnnxValue x, const Ints& axes)
{
    if (axes.empty()) {
        return x;
    }
    if (const Tensor* stored = ctx.onnx.content(x)) {
        Ints dims;
        const auto rank = static_cast<std::int64_t>(stored->rank());
        for (std::int64_t i = 0; i < rank; ++i) {
            const bool drop =
                std::any_of(axes.begin(), axes.end(), [&](auto a) { return (a < 0 ? a + rank : a) == i; });
            if (!drop) {
                dims.push_back(stored->dims()[static_cast<std::size_t>(i)]);
            }
        }
        return ctx.onnx.constant(stored->reshaped(dims));
    }
    return ctx.onnx.opset() >= 13 ? ctx.emit("Squeeze", {x, ctx.onnx.ints(axes)})
                                  : ctx.emit("Squeeze", {x}, {{"axes", axes}});
}

OnnxValue unsqueeze(const NodeContext& ctx, OnnxValue x, const Ints& axes)
{
    if (axes.empty()) {
        return x;
    }
    if (const Tensor* stored = ctx.onnx.content(x)) {
        Ints sorted = axes;
        const auto rank = static_cast<std::int64_t>(stored->rank() + axes.size());
        for (auto& axis : sorted) {
            axis = axis < 0 ? axis + rank : axis;
        }
        std::sort(sorted.begin(), sorted.end());
        Ints dims = stored->dims();
        for (const auto axis : sorted) {
            dims.insert(dims.iteratorAt(axis), 1);
        }
        return ctx.onnx.constant(stored->reshaped(dims));
    }
    return ctx.onnx.opset() >= 13 ? ctx.emit("Unsqueeze", {x, ctx.onnx.ints(axes)})
                                  : ctx.emit("Unsqueeze", {x}, {{"axes", axes}});
}

OnnxValue concat(const NodeContext& ctx, const OnnxValues& parts, std::int64_t axis)
{
    if (parts.size() == 1) {
        return parts.front();
    }
    std::vector<Tensor> stored;
    for (const OnnxValue part : parts) {
        const Tensor* content = ctx.onnx.content(part);
        if (content == nullptr || axis != 0 || content->type() != ctx.element(parts.front())) {
            return ctx.emit("Concat", parts, {{"axis", axis}});
        }
        stored.push_back(*content);
    }
    for (const Tensor& part : stored) { // sizes that do not fit are rejected by inference
        if (part.rank() == 0 || part.rank() != stored[0].rank() ||
            !std::equal(part.dims().iteratorAt(1), part.dims().end(), stored[0].dims().iteratorAt(1))) {
            return ctx.emit("Concat", parts, {{"axis", axis}});
        }
    }
    constexpr std::size_t mostPieces = std::size_t{1} << 20U; // a constant joined with itself doubles them each time
    std::size_t pieces = 0;
    for (const Tensor& part : stored) {
        pieces += part.pieces().size();
    }
    if (pieces > mostPieces) {
        ctx.refuse(fmt::format("it joins constants of {} pieces, more than a million", pieces), {},
                   "the model doubles a constant again and again, which no real model does");
    }
    return ctx.onnx.constant(Tensor::joined(stored));
}

OnnxValue slice(const NodeContext& ctx, OnnxValue x, const Ints& starts, const Ints& ends, const Ints& axes,
                const Ints& steps)
{
    const bool unitSteps = std::all_of(steps.begin(), steps.end(), [](auto step) { return step == 1; });
    const Tensor* stored = ctx.onnx.content(x);
    if (stored != nullptr && unitSteps && axes.size() == 1 && axes[0] == 0 && stored->rank() > 0) {
        Ints dims = stored->dims();
        const auto clamp = [&](std::int64_t i) {
            return std::clamp<std::int64_t>(i < 0 ? i + dims[0] : i, 0, dims[0]);
        };
        const std::int64_t first = clamp(starts[0]);
        const std::int64_t count = std::max<std::int64_t>(clamp(ends[0]) - first, 0);
        const std::int64_t row = dims[0] == 0 ? 0 : stored->elements() / dims[0];
        dims[0] = count;
        return ctx.onnx.constant(stored->range(first * row, dims));
    }
    return slice(ctx, x, ctx.onnx.ints(starts), ctx.onnx.ints(ends), ctx.onnx.ints(axes),
                 unitSteps ? OnnxValue{} : ctx.onnx.ints(steps));
}

OnnxValue slice(const NodeContext& ctx, OnnxValue x, OnnxValue starts, OnnxValue ends, OnnxValue axes, OnnxValue steps)
{
    return ctx.emit("Slice", {x, starts, ends, axes, steps});
}

OnnxValues split(const NodeContext& ctx, OnnxValue x, std::int64_t axis, const Ints& sizes)
{
    if (sizes.size() == 1) {
        return {x};
    }
    if (ctx.onnx.opset() >= 13) {
        return ctx.onnx.add("Split", {x, ctx.onnx.ints(sizes)}, {{"axis", axis}}, sizes.size());
    }
    return ctx.onnx.add("Split", {x}, {{"axis", axis}, {"split", sizes}}, sizes.size());
}

OnnxValue reduce(const NodeContext& ctx, std::string_view op, OnnxValue x, const Ints& axes, bool keepDims)
{
    const bool axesAsInput = ctx.onnx.opset() >= (op == "ReduceSum" ? 13 : 18);
    if (axes.empty() || !axesAsInput) {
        OnnxAttributes attributes{{"keepdims", keepDims}};
        if (!axes.empty()) {
            attributes.emplace_back("axes", axes);
        }
        return ctx.emit(op, {x}, attributes);
    }
    return ctx.emit(op, {x, ctx.onnx.ints(axes)}, {{"keepdims", keepDims}});
}

OnnxValue expand(const NodeContext& ctx, OnnxValue x, OnnxValue dims)
{
    if (ctx.element(x) == ElementType::BFloat16) { // for which ONNX Runtime has no Expand
        const OnnxValue wide = ctx.emit("Expand", {cast(ctx, x, ElementType::Float32), dims});
        return cast(ctx, wide, ElementType::BFloat16);
    }
    return ctx.emit("Expand", {x, dims});
}

OnnxValue gather(const NodeContext& ctx, OnnxValue x, OnnxValue indices, std::int64_t axis)
{
    if (ctx.onnx.element(x) == ElementType::String) {
        const std::int64_t place = ctx.axis(axis, ctx.rank(x));
        if (place + 1 < static_cast<std::int64_t>(ctx.rank(x))) {
            return gatherStrings(ctx, x, indices, place);
        }
    }
    return ctx.emit("Gather", {x, indices}, {{"axis", axis}});
}

OnnxValue scalarLike(const NodeContext& ctx, OnnxValue x, double value)
{
    return ctx.onnx.scalar(ctx.element(x), value);
}

OnnxValue shapeVector(const NodeContext& ctx, OnnxValue x)
{
    const auto& shape = ctx.onnx.shape(x);
    if (shape && isFixed(*shape)) {
        Ints dims;
        for (const Dim& dim : *shape) {
            dims.push_back(dim.size);
        }
        return ctx.onnx.ints(dims);
    }
    return ctx.emit("Shape", {x});
}

OnnxValue dimVector(const NodeContext& ctx, OnnxValue x, std::int64_t axis)
{
    const Shape& shape = ctx.shape(x);
    axis = ctx.axis(axis, shape.size());
    const Dim& dim = shape[static_cast<std::size_t>(axis)];
    if (dim.isFixed()) {
        return ctx.onnx.ints({dim.size});
    }
    if (ctx.onnx.opset() >= 15) {
        return ctx.emit("Shape", {x}, {{"start", axis}, {"end", axis + 1}});
    }
    return slice(ctx, ctx.emit("Shape", {x}), Ints{axis}, Ints{axis + 1}, Ints{0});
}

OnnxValue dimProduct(const NodeContext& ctx, OnnxValue x, const Ints& axes)
{
    OnnxValue product;
    std::int64_t fixed = 1;
    for (const auto axis : axes) {
        const Dim& dim = ctx.shape(x)[static_cast<std::size_t>(ctx.axis(axis, ctx.rank(x)))];
        if (dim.isFixed()) {
            fixed *= dim.size;
        } else {
            const OnnxValue open = dimVector(ctx, x, axis);
            product = product ? ctx.emit("Mul", {product, open}) : open;
        }
    }
    if (!product) {
        return ctx.onnx.ints({fixed});
    }
    return fixed == 1 ? product : ctx.emit("Mul", {product, ctx.onnx.ints({fixed})});
}

OnnxValue softmax(const NodeContext& ctx, OnnxValue x, std::int64_t axis, bool logarithm)
{
    const std::string_view op = logarithm ? "LogSoftmax" : "Softmax";
    const auto rank = static_cast<std::int64_t>(ctx.rank(x));
    axis = ctx.axis(axis, ctx.rank(x));
    // Before opset 13, Softmax flattens all axes from the given one on: equivalent only for the last axis.
    if (ctx.onnx.opset() >= 13 || axis == rank - 1) {
        return ctx.emit(op, {x}, {{"axis", axis}});
    }
    const OnnxValue moved = swapAxes(ctx, x, axis, rank - 1);
    return swapAxes(ctx, ctx.emit(op, {moved}, {{"axis", rank - 1}}), axis, rank - 1);
}

OnnxValue clip(const NodeContext& ctx, OnnxValue x, std::optional<double> low, std::optional<double> high)
{
    const ElementType type = ctx.element(x);
    if (!low && !high) {
        return x;
    }
    if (type == ElementType::Int16 || type == ElementType::UInt16) { // which the runtime does not clip
        return cast(ctx, clip(ctx, cast(ctx, x, ElementType::Int32), low, high), type);
    }
    // Before opset 12, Clip supports only floats, and ONNX Runtime only float32. NaN is neither less nor greater.
    if (type != ElementType::Float32 && type != ElementType::Float16 && ctx.onnx.opset() < 12) {
        if (low) {
            const OnnxValue bound = scalarLike(ctx, x, *low);
            x = ctx.emit("Where", {ctx.emit("Less", {x, bound}), bound, x});
        }
        if (high) {
            const OnnxValue bound = scalarLike(ctx, x, *high);
            x = ctx.emit("Where", {ctx.emit("Greater", {x, bound}), bound, x});
        }
        return x;
    }
    // Without a bound, ONNX Runtime clips infinity to the largest number.
    const double infinity = std::numeric_limits<double>::infinity();
    const auto bound = [&](std::optional<double> given, double open) {
        return given ? scalarLike(ctx, x, *given) : isFloating(type) ? scalarLike(ctx, x, open) : OnnxValue{};
    };
    return ctx.emit("Clip", {x, bound(low, -infinity), bound(high, infinity)});
}

} // namespace crosswalk::emit
