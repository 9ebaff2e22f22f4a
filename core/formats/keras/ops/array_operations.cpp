// Operations of Keras 3 on the arrangement of elements that few models have: diagonals, rotations, grids, parts.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/tensor/concat_split.h"
#include "core/convert/forms/tensor/diagonal.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/reduce.h"
#include "core/convert/forms/tensor/selection.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/keras/ops/call_arguments.h"
#include "core/formats/keras/ops/keras_families.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace crosswalk::keras {
namespace {

std::int64_t rankOf(const NodeContext& ctx, OnnxValue x)
{
    return static_cast<std::int64_t>(ctx.rank(x));
}

OnnxValue flat(const NodeContext& ctx, OnnxValue x)
{
    return emit::reshape(ctx, x, Ints{-1});
}

OnnxValues append(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Operands pair = operandsOf(layer);
    if (!Arguments(layer).has({"axis", "2"})) {
        return {emit::concat(ctx, {flat(ctx, pair.a), flat(ctx, pair.b)}, 0)};
    }
    return {emit::concat(ctx, {pair.a, pair.b}, ctx.axis(Arguments(layer).integer({"axis", "2"}), ctx.rank(pair.a)))};
}

/// Along axis 1, vectors along axis 0.
OnnxValues besideEachOther(const Layer& layer)
{
    const OnnxValues values = inCommonType(layer, Arguments(layer).tensors({"0", "xs"}));
    return {emit::concat(layer.ctx, values, layer.ctx.rank(values.front()) == 1 ? 0 : 1)};
}

/// Along axis 0, vectors as rows.
OnnxValues belowEachOther(const Layer& layer)
{
    OnnxValues values = inCommonType(layer, Arguments(layer).tensors({"0", "xs"}));
    for (OnnxValue& value : values) {
        value = layer.ctx.rank(value) == 1 ? emit::unsqueeze(layer.ctx, value, {0}) : value;
    }
    return {emit::concat(layer.ctx, values, 0)};
}

/// Along the third axis, which matrices and vectors get.
OnnxValues behindEachOther(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    OnnxValues values = inCommonType(layer, Arguments(layer).tensors({"0", "xs"}));
    for (OnnxValue& value : values) {
        value = ctx.rank(value) == 1   ? emit::unsqueeze(ctx, value, {0, 2})
                : ctx.rank(value) == 2 ? emit::unsqueeze(ctx, value, {2})
                                       : value;
    }
    return {emit::concat(ctx, values, 2)};
}

/// A number of parts, the first ones longer by one if they do not divide the axis, or parts that begin at indices.
OnnxValues partsAlong(const Layer& layer, OnnxValue x, std::int64_t axis, bool mayDiffer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    const std::string key = arguments.key({"1", "indices_or_sections"});
    const Ints given = layer.settings.ints(key);
    const std::int64_t size = ctx.fixedDim(x, axis);
    Ints sizes;
    if (layer.settings.extents(key).empty()) {
        const std::int64_t count = given.front();
        if (count < 1 || count > size || (!mayDiffer && size % count != 0)) {
            ctx.invalid(fmt::format("{} elements in {} parts", size, count), "indices_or_sections");
        }
        for (std::int64_t i = 0; i < count; ++i) {
            sizes.push_back(size / count + (i < size % count ? 1 : 0));
        }
    } else {
        std::int64_t before = 0;
        for (const std::int64_t place : given) {
            sizes.push_back(place - before);
            before = place;
        }
        sizes.push_back(size - before);
    }
    if (std::ranges::any_of(sizes, [](std::int64_t part) { return part < 0; })) {
        ctx.invalid("the parts are not in order", "indices_or_sections");
    }
    return emit::split(ctx, x, axis, sizes);
}

OnnxValues arraySplit(const Layer& layer)
{
    const OnnxValue x = operand(layer);
    const std::int64_t axis = layer.ctx.axis(Arguments(layer).integer({"axis", "2"}, 0), layer.ctx.rank(x));
    return partsAlong(layer, x, axis, true);
}

template <std::int64_t axis>
OnnxValues splitAlong(const Layer& layer)
{
    const OnnxValue x = operand(layer);
    return partsAlong(layer, x, axis == 1 && layer.ctx.rank(x) == 1 ? 0 : axis, false);
}

OnnxValues ravel(const Layer& layer)
{
    return {flat(layer.ctx, operand(layer))};
}

OnnxValue backwards(const NodeContext& ctx, OnnxValue x, std::int64_t axis)
{
    return emit::slice(ctx, x, Ints{-1}, Ints{std::numeric_limits<std::int64_t>::min() + 1}, Ints{axis}, Ints{-1});
}

template <std::int64_t axis>
OnnxValues flipped(const Layer& layer)
{
    return {backwards(layer.ctx, operand(layer), axis)};
}

/// By quarters of a turn from the first axis towards the second.
OnnxValues rotated(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    const OnnxValue x = operand(layer);
    const Ints given = arguments.has({"axes"}) ? arguments.ints({"axes"}) : Ints{0, 1};
    if (given.size() != 2) {
        ctx.invalid(fmt::format("a rotation of {} axes", given.size()), "axes");
    }
    const std::int64_t first = ctx.axis(given[0], ctx.rank(x));
    const std::int64_t second = ctx.axis(given[1], ctx.rank(x));
    const std::int64_t turns = ((arguments.integer({"k"}, 1) % 4) + 4) % 4;
    switch (turns) {
    case 0:
        return {x};
    case 1:
        return {emit::swapAxes(ctx, backwards(ctx, x, second), first, second)};
    case 2:
        return {backwards(ctx, backwards(ctx, x, first), second)};
    default:
        return {backwards(ctx, emit::swapAxes(ctx, x, first, second), second)};
    }
}

// Diagonals.

struct OnDiagonal {
    OnnxValue x;
    std::int64_t first;
    std::int64_t second;
    std::int64_t offset;
};

OnDiagonal onDiagonal(const Layer& layer)
{
    const Arguments arguments(layer);
    const OnnxValue x = operand(layer);
    const std::size_t rank = layer.ctx.rank(x);
    return {x, layer.ctx.axis(arguments.integer({"axis1"}, 0), rank),
            layer.ctx.axis(arguments.integer({"axis2"}, 1), rank), arguments.integer({"offset"}, 0)};
}

OnnxValues diagonal(const Layer& layer)
{
    const OnDiagonal place = onDiagonal(layer);
    return {diagonalAlong(layer.ctx, place.x, place.first, place.second, place.offset)};
}

OnnxValue traceOf(const NodeContext& ctx, const OnDiagonal& place)
{
    OnnxValue elements = diagonalAlong(ctx, place.x, place.first, place.second, place.offset);
    const ElementType type = ctx.element(elements);
    if (type == ElementType::Bool || type == ElementType::Int8 || type == ElementType::Int16) {
        elements = emit::cast(ctx, elements, ElementType::Int32);
    } else if (type == ElementType::UInt8 || type == ElementType::UInt16) {
        elements = emit::cast(ctx, elements, ElementType::UInt32);
    }
    return reducedAlong(ctx, "ReduceSum", elements, {rankOf(ctx, elements) - 1}, false);
}

OnnxValues trace(const Layer& layer)
{
    return {traceOf(layer.ctx, onDiagonal(layer))};
}

OnnxValues traceOfMatrices(const Layer& layer)
{
    const OnnxValue x = operand(layer);
    const std::int64_t rank = rankOf(layer.ctx, x);
    return {traceOf(layer.ctx, {x, rank - 2, rank - 1, 0})};
}

/// Of a matrix its diagonal, of a vector the matrix that has it.
OnnxValues diag(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = operand(layer);
    const std::int64_t offset = Arguments(layer).integer({"k", "1"}, 0);
    if (ctx.rank(x) == 1) {
        return {matrixOfVector(ctx, x, offset)};
    }
    if (ctx.rank(x) != 2) {
        ctx.invalid(fmt::format("a tensor of {} dimensions", ctx.rank(x)));
    }
    return {diagonalAlong(ctx, x, 0, 1, offset)};
}

OnnxValues diagOfAll(const Layer& layer)
{
    return {matrixOfVector(layer.ctx, flat(layer.ctx, operand(layer)), Arguments(layer).integer({"k", "1"}, 0))};
}

// Grids and sequences.

/// Each vector along an axis of its own; with "xy" the first two axes change places.
OnnxValues meshgrid(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    OnnxValues vectors = Arguments(layer).positional();
    const bool isSwapped = Arguments(layer).text({"indexing"}, "xy") == "xy" && vectors.size() > 1;
    const std::size_t count = vectors.size();
    OnnxValues sizes;
    for (OnnxValue& vector : vectors) {
        vector = flat(ctx, vector);
        sizes.push_back(emit::dimVector(ctx, vector, 0));
    }
    const auto axisOf = [&](std::size_t i) { return isSwapped && i < 2 ? 1 - i : i; };
    OnnxValues ordered(count);
    for (std::size_t i = 0; i < count; ++i) {
        ordered[axisOf(i)] = sizes[i];
    }
    const OnnxValue shape = count == 1 ? ordered.front() : emit::concat(ctx, ordered, 0);
    OnnxValues grids;
    for (std::size_t i = 0; i < count; ++i) {
        Ints dims(count, 1);
        dims[axisOf(i)] = -1;
        grids.push_back(emit::expand(ctx, emit::reshape(ctx, vectors[i], dims), shape));
    }
    return grids;
}

/// `num` numbers from one tensor to another on a new axis.
OnnxValue linear(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    if (arguments.boolean({"retstep"}, false)) {
        layer.refuse("a sequence with its step", "retstep");
    }
    Operands pair = operandsOf(layer, {"0", "start"}, {"1", "stop"});
    const std::string name = arguments.text({"dtype"}, "");
    if (!isFloating(ctx.element(pair.a)) || (!name.empty() && elementTypeFromName(name) != ctx.element(pair.a))) {
        layer.refuse("a sequence of this type", "dtype");
    }
    const std::int64_t count = arguments.integer({"num", "2"}, 50);
    const bool hasEnd = arguments.boolean({"endpoint"}, true);
    if (count < 1 || count > (1 << 24)) {
        ctx.invalid(fmt::format("{} numbers", count), "num");
    }
    const auto steps = static_cast<double>(hasEnd ? std::max<std::int64_t>(count - 1, 1) : count);
    std::vector<double> shares;
    for (std::int64_t i = 0; i < count; ++i) {
        shares.push_back(static_cast<double>(i) / steps);
    }
    const std::int64_t rank = std::max(rankOf(ctx, pair.a), rankOf(ctx, pair.b));
    const std::int64_t axis = ctx.axis(arguments.integer({"axis"}, 0), static_cast<std::size_t>(rank) + 1);
    Ints dims(static_cast<std::size_t>(rank - axis) + 1, 1);
    dims.front() = count;
    const Tensor doubles = Tensor::of<double>(ElementType::Float64, dims, shares);
    const ElementType type = ctx.element(pair.a);
    const OnnxValue share = ctx.onnx.constant(Tensor::owned(type, dims, doubles.converted(type).toBytes()));
    if (rankOf(ctx, pair.a) != rank || rankOf(ctx, pair.b) != rank) {
        layer.refuse("a sequence between tensors of different dimensions", "start");
    }
    const OnnxValue start = emit::unsqueeze(ctx, pair.a, {axis});
    const OnnxValue stop = emit::unsqueeze(ctx, pair.b, {axis});
    const OnnxValue rest = ctx.emit("Sub", {emit::scalarLike(ctx, share, 1), share});
    return ctx.emit("Add", {ctx.emit("Mul", {start, rest}), ctx.emit("Mul", {stop, share})});
}

OnnxValues linspace(const Layer& layer)
{
    return {linear(layer)};
}

OnnxValues logspace(const Layer& layer)
{
    const OnnxValue exponents = linear(layer);
    const double base = Arguments(layer).number({"base"}, 10);
    return {layer.ctx.emit("Pow", {emit::scalarLike(layer.ctx, exponents, base), exponents})};
}

/// The powers of the elements of a vector.
OnnxValues vander(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    const OnnxValue x = operand(layer);
    if (ctx.rank(x) != 1 || !isFloating(ctx.element(x))) {
        layer.refuse("powers of other than a vector of floating-point numbers");
    }
    const std::int64_t count = arguments.has({"N", "1"}) ? arguments.integer({"N", "1"}) : ctx.fixedDim(x, 0);
    if (count < 1 || count > 4096) {
        ctx.invalid(fmt::format("{} powers", count), "N");
    }
    OnnxValues powers{filledLike(ctx, x, ctx.element(x), 1)};
    for (std::int64_t i = 1; i < count; ++i) {
        powers.push_back(ctx.emit("Mul", {powers.back(), x}));
    }
    if (!arguments.boolean({"increasing"}, false)) {
        std::ranges::reverse(powers);
    }
    return {stacked(ctx, powers, 1)};
}

// Parts of tensors.

/// The starts of a part, as constants.
Ints startsOf(const Layer& layer, OnnxValue x, Arguments::Names names)
{
    Ints starts = Arguments(layer).ints(names);
    if (starts.size() != layer.ctx.rank(x)) {
        layer.ctx.invalid(fmt::format("{} indices for {} axes", starts.size(), layer.ctx.rank(x)), "start_indices");
    }
    return starts;
}

/// A part of fixed size that begins at constant indices. A size of -1 is the rest.
OnnxValues part(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = Arguments(layer).tensor({"0", "inputs", "input_", "input"});
    const Ints starts = startsOf(layer, x, {"1", "start_indices", "begin"});
    const Ints sizes = Arguments(layer).ints({"shape", "2", "size"});
    if (sizes.size() != starts.size()) {
        ctx.invalid(fmt::format("{} sizes for {} axes", sizes.size(), starts.size()), "shape");
    }
    const bool isTensorflow = layer.op().starts_with("tf.");
    Ints begins;
    Ints ends;
    Ints axes;
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const Dim& size = ctx.shape(x)[i];
        std::int64_t begin = starts[i];
        if (sizes[i] < 0) {
            ends.push_back(std::numeric_limits<std::int64_t>::max());
        } else if (isTensorflow) {
            ends.push_back(begin + sizes[i]);
        } else if (size.isFixed()) { // Keras 3 moves a part that reaches beyond the end
            begin = std::clamp<std::int64_t>(begin < 0 ? begin + size.size : begin, 0,
                                             std::max<std::int64_t>(size.size - sizes[i], 0));
            ends.push_back(begin + sizes[i]);
        } else if (begin == 0) {
            ends.push_back(sizes[i]);
        } else {
            layer.refuse("a part of an open axis that does not begin at its first element", "start_indices");
        }
        begins.push_back(begin);
        axes.push_back(static_cast<std::int64_t>(i));
    }
    return {emit::slice(ctx, x, begins, ends, axes)};
}

/// x with a part replaced, as whole slabs along one axis after the other.
OnnxValue replacedAt(const Layer& layer, OnnxValue x, OnnxValue updates, const Ints& starts, std::size_t axis)
{
    const NodeContext& ctx = layer.ctx;
    if (axis == starts.size()) {
        return updates;
    }
    const Dim& whole = ctx.shape(x)[axis];
    if (starts[axis] == 0 && whole == ctx.shape(updates)[axis]) { // all of it
        return replacedAt(layer, x, updates, starts, axis + 1);
    }
    const std::int64_t size = ctx.fixedDim(updates, static_cast<std::int64_t>(axis));
    const auto along = static_cast<std::int64_t>(axis);
    const std::int64_t start = starts[axis];
    const OnnxValue inside =
        replacedAt(layer, emit::slice(ctx, x, Ints{start}, Ints{start + size}, Ints{along}), updates, starts, axis + 1);
    OnnxValues parts;
    if (start > 0) {
        parts.push_back(emit::slice(ctx, x, Ints{0}, Ints{start}, Ints{along}));
    }
    parts.push_back(inside);
    if (!whole.isFixed() || start + size < whole.size) {
        parts.push_back(
            emit::slice(ctx, x, Ints{start + size}, Ints{std::numeric_limits<std::int64_t>::max()}, Ints{along}));
    }
    return parts.size() == 1 ? parts.front() : emit::concat(ctx, parts, along);
}

OnnxValues updatedPart(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = Arguments(layer).tensor({"0", "inputs"});
    const OnnxValue updates = Arguments(layer).tensor({"2", "updates"}, ctx.element(x));
    const Ints starts = startsOf(layer, x, {"1", "start_indices"});
    if (ctx.rank(updates) != ctx.rank(x)) {
        ctx.invalid(fmt::format("updates of {} dimensions for {}", ctx.rank(updates), ctx.rank(x)), "updates");
    }
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const Dim& whole = ctx.shape(x)[i];
        const Dim& size = ctx.shape(updates)[i];
        if (starts[i] == 0 && whole == size && !whole.isUnknown()) {
            continue; // all of an open axis
        }
        if (!whole.isFixed() || !size.isFixed() || starts[i] < 0 || starts[i] > whole.size - size.size) {
            layer.refuse("a part replaced whose place in an open axis is not known", "start_indices");
        }
    }
    return {replacedAt(layer, x, updates, starts, 0)};
}

/// The index along each axis of places in a flattened shape.
OnnxValues unraveled(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue given = Arguments(layer).tensor({"0", "indices"}, ElementType::Int32);
    const Ints shape = Arguments(layer).ints({"shape", "1"});
    OnnxValue rest = emit::cast(ctx, given, ElementType::Int64);
    OnnxValues indices;
    for (std::size_t i = shape.size(); i-- > 0;) {
        if (shape[i] < 1) {
            ctx.invalid(fmt::format("an axis of {} elements", shape[i]), "shape");
        }
        const OnnxValue size = ctx.onnx.scalar(ElementType::Int64, static_cast<double>(shape[i]));
        const OnnxValue index = arithmetic::modulo(ctx, rest, size);
        indices.insert(indices.begin(), emit::cast(ctx, index, ctx.element(given)));
        rest = ctx.emit("Div", {ctx.emit("Sub", {rest, index}), size});
    }
    return indices;
}
} // namespace

std::span<const OpRow> arrayOperations()
{
    static constexpr OpRow rows[] = {
        {"ops.Append", append, "Concat"},
        {"ops.ArraySplit", arraySplit, "Split"},
        {"ops.Diag", diag, "Gather"},
        {"ops.Diagflat", diagOfAll, "Gather"},
        {"ops.Diagonal", diagonal, "Gather"},
        {"ops.Dsplit", splitAlong<2>, "Split"},
        {"ops.Dstack", behindEachOther, "Concat"},
        {"ops.Fliplr", flipped<1>, "Slice"},
        {"ops.Flipud", flipped<0>, "Slice"},
        {"ops.Hsplit", splitAlong<1>, "Split"},
        {"ops.Hstack", besideEachOther, "Concat"},
        {"ops.Linspace", linspace, "Mul, Add"},
        {"ops.Logspace", logspace, "Mul, Add, Pow"},
        {"ops.Meshgrid", meshgrid, "Reshape, Expand"},
        {"ops.Ravel", ravel, "Reshape"},
        {"ops.Rot90", rotated, "Slice, Transpose"},
        {"ops.Slice", part, "Slice"},
        {"ops.SliceUpdate", updatedPart, "Slice, Concat"},
        {"ops.Trace", trace, "Gather, ReduceSum"},
        {"ops.UnravelIndex", unraveled, "Mod, Div"},
        {"ops.Vander", vander, "Mul, Concat"},
        {"ops.Vsplit", splitAlong<0>, "Split"},
        {"ops.Vstack", belowEachOther, "Concat"},
        {"tf.linalg.trace", traceOfMatrices, "Gather, ReduceSum"},
        {"tf.slice", part, "Slice"},
    };
    return rows;
}

} // namespace crosswalk::keras
