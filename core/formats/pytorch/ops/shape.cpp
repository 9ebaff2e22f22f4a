// Shapes: what moves elements without computing with them.

#include "core/convert/forms/tensor/concat_split.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/int_vector.h"
#include "core/convert/forms/tensor/sizes.h"
#include "core/convert/slice_end.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"
#include "core/formats/pytorch/ops/reshaping.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace crosswalk::pytorch {
namespace {

std::int64_t rankOf(const NodeContext& ctx, OnnxValue x)
{
    return static_cast<std::int64_t>(ctx.rank(x));
}

OnnxValues identity(NodeContext& ctx)
{
    return {ctx.input(0)};
}

OnnxValue inGivenType(const NodeContext& ctx, OnnxValue x)
{
    return emit::cast(ctx, x, Arguments(ctx).type("dtype", ctx.element(x)));
}

OnnxValues convertType(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = selfOf(ctx);
    return {arguments.has("other") ? emit::cast(ctx, x, ctx.element(arguments.tensor("other"))) : inGivenType(ctx, x)};
}

OnnxValues convertElements(NodeContext& ctx)
{
    return {inGivenType(ctx, Arguments(ctx).tensor("a"))};
}

OnnxValues typeAs(NodeContext& ctx)
{
    return {emit::cast(ctx, selfOf(ctx), ctx.element(Arguments(ctx).tensor("other")))};
}

OnnxValues reshape(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    if (arguments.has("dtype")) {
        ctx.refuse("a view of the bytes as another type is not supported", "dtype");
    }
    const std::string_view name = arguments.has("size") ? "size" : "shape";
    const OnnxValue y = reshaped(ctx, selfOf(ctx), arguments.vector(name));
    constexpr int firstPropagated = 15; // lower opsets do not follow computed sizes
    if (arguments.isStored(name) && (!ctx.onnx.shape(y) || ctx.onnx.opset() < firstPropagated)) {
        ctx.onnx.refine(y, arguments.shape(name));
    }
    return {y};
}

OnnxValues reshapeAs(NodeContext& ctx)
{
    return {reshaped(ctx, selfOf(ctx), emit::shapeVector(ctx, Arguments(ctx).tensor("other")))};
}

OnnxValues flatten(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = selfOf(ctx);
    const std::int64_t rank = rankOf(ctx, x);
    if (rank == 0) {
        return {emit::reshape(ctx, x, Ints{1})};
    }
    const std::int64_t first = arguments.axis("start_dim", 0, ctx.rank(x));
    const std::int64_t last = arguments.axis("end_dim", -1, ctx.rank(x));
    if (first == last) {
        return {x};
    }
    Ints dims;
    for (std::int64_t i = 0; i < rank; ++i) {
        if (i < first || i > last) {
            dims.push_back(i < first ? 0 : ctx.shape(x)[static_cast<std::size_t>(i)].size);
        } else if (i == first) {
            dims.push_back(-1);
        }
    }
    if (std::count(dims.begin(), dims.end(), -1) == 1 &&
        std::find(dims.iteratorAt(first + 1), dims.end(), 0) == dims.end()) {
        return {emit::reshape(ctx, x, dims)};
    }
    OnnxValues parts;
    Ints joined(static_cast<std::size_t>(last - first + 1));
    std::iota(joined.begin(), joined.end(), first);
    for (std::int64_t i = 0; i < rank; ++i) {
        if (i < first || i > last) {
            parts.push_back(emit::dimVector(ctx, x, i));
        } else if (i == first) {
            parts.push_back(emit::dimProduct(ctx, x, joined));
        }
    }
    return {reshaped(ctx, x, emit::concat(ctx, parts, 0))};
}

OnnxValues unflatten(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = selfOf(ctx);
    const std::int64_t axis = arguments.axis("dim", 0, ctx.rank(x));
    const OnnxValue sizes = arguments.vector("sizes");
    OnnxValues parts;
    for (std::int64_t i = 0; i < rankOf(ctx, x); ++i) {
        parts.push_back(i == axis ? sizes : emit::dimVector(ctx, x, i));
    }
    return {reshaped(ctx, x, parts.size() == 1 ? parts[0] : emit::concat(ctx, parts, 0))};
}

OnnxValues ravel(NodeContext& ctx)
{
    return {emit::reshape(ctx, selfOf(ctx), Ints{-1})};
}

OnnxValues unsqueeze(NodeContext& ctx)
{
    const OnnxValue x = selfOf(ctx);
    return {emit::unsqueeze(ctx, x, {Arguments(ctx).axis("dim", 0, ctx.rank(x) + 1)})};
}

OnnxValues squeeze(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = selfOf(ctx);
    if (arguments.has("dim") && arguments.integers("dim").value_or(Ints()).empty()) {
        return {x};
    }
    Ints axes;
    bool isOpen = false; // the size of a requested axis is unknown
    for (const std::int64_t axis : arguments.axes("dim", ctx.rank(x))) {
        const Dim& dim = ctx.shape(x)[static_cast<std::size_t>(axis)];
        if (dim.isFixed() && dim.size == 1) {
            axes.push_back(axis);
        }
        isOpen = isOpen || !dim.isFixed();
    }
    // An exported program records the rank of the result, for all sizes that it accepts.
    const auto& recorded = ctx.graph.value(ctx.node.outputs[0]).type.shape;
    if (isOpen && (!recorded || recorded->size() != ctx.rank(x) - axes.size())) {
        if (arguments.has("dim")) {
            ctx.refuse("whether an axis is squeezed depends on its size, which is not fixed", "dim",
                       "give fixed input shapes");
        }
        ctx.note("assumed-shape", "axes of unknown size are kept: where such a size is 1, PyTorch removes the axis");
    }
    return {axes.empty() ? x : emit::squeeze(ctx, x, axes)};
}

OnnxValues permute(NodeContext& ctx)
{
    const OnnxValue x = selfOf(ctx);
    return {emit::transpose(ctx, x, Arguments(ctx).axes("dims", ctx.rank(x)))};
}

OnnxValue swapped(const NodeContext& ctx, OnnxValue x, std::int64_t a, std::int64_t b)
{
    return a == b ? x : emit::swapAxes(ctx, x, a, b);
}

OnnxValues transpose(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = selfOf(ctx);
    const std::string_view first = arguments.has("axis0") ? "axis0" : "dim0";
    const std::string_view second = arguments.has("axis1") ? "axis1" : "dim1";
    return {swapped(ctx, x, arguments.axis(first, 0, ctx.rank(x)), arguments.axis(second, 0, ctx.rank(x)))};
}

OnnxValues transposeLast(NodeContext& ctx)
{
    const OnnxValue x = selfOf(ctx);
    const std::int64_t rank = rankOf(ctx, x);
    return {rank < 2 ? x : swapped(ctx, x, rank - 2, rank - 1)};
}

OnnxValues reverseAxes(NodeContext& ctx)
{
    const OnnxValue x = selfOf(ctx);
    Ints axes(ctx.rank(x));
    std::iota(axes.rbegin(), axes.rend(), 0);
    return {axes.size() < 2 ? x : emit::transpose(ctx, x, axes)};
}

OnnxValues moveAxes(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = selfOf(ctx);
    const Ints from = arguments.axes("source", ctx.rank(x));
    const Ints to = arguments.axes("destination", ctx.rank(x));
    Ints axes(ctx.rank(x), -1);
    for (std::size_t i = 0; i < from.size() && i < to.size(); ++i) {
        axes[static_cast<std::size_t>(to[i])] = from[i];
    }
    std::int64_t next = 0;
    for (std::int64_t& axis : axes) {
        while (axis < 0 && std::find(from.begin(), from.end(), next) != from.end()) {
            ++next;
        }
        axis = axis < 0 ? next++ : axis;
    }
    return {emit::transpose(ctx, x, axes)};
}

/// Whether a number of the program is a size of a tensor, or a product, sum or quotient of sizes, none of which is
/// negative.
bool isSize(const Graph& graph, ValueId value, int depth = 0)
{
    constexpr int deepest = 8;
    static constexpr auto passing = std::to_array<std::string_view>(
        {"aten::Int", "prim::NumToTensor", "aten::add", "aten::mul", "aten::floor_divide", "aten::floordiv",
         "_operator::add", "_operator::mul", "_operator::floordiv"});
    const NodeId producer = graph.value(value).producer;
    if (!producer || depth > deepest) {
        return false;
    }
    const Node& node = graph.node(producer);
    if (node.op == "aten::size" || node.op == "aten::sym_size" || node.op == "aten::numel") {
        return true;
    }
    const auto isNegative = [](const Attribute& attribute) {
        const auto* number = std::get_if<std::int64_t>(&attribute.value);
        return number != nullptr && *number < 0;
    };
    return std::ranges::find(passing, node.op) != passing.end() && std::ranges::none_of(node.attributes, isNegative) &&
           std::ranges::all_of(node.inputs, [&](ValueId input) { return isSize(graph, input, depth + 1); });
}

/// The sizes of an expansion, in which -1, which keeps the size of an axis, is ONNX's 1.
OnnxValue expandedSizes(const NodeContext& ctx, const Arguments& arguments)
{
    const auto* stored = attributeOf<Ints>(ctx.node, "size");
    if (stored == nullptr) {
        const OnnxValue sizes = arguments.vector("size");
        return ctx.emit("Abs", {sizes});
    }
    OnnxValues parts;
    Ints numbers;
    for (std::size_t i = 0; i < stored->size(); ++i) {
        const std::string name = fmt::format("size[{}]", i);
        const auto source = arguments.source(name);
        const OnnxValue computed = source ? forms::intVector(ctx, arguments.tensor(name)) : OnnxValue();
        const auto known = source ? forms::knownInts(ctx, computed) : std::optional(Ints{(*stored)[i]});
        if (known) {
            numbers.push_back(known->front() == -1 ? 1 : known->front());
            parts.push_back(ctx.onnx.ints({numbers.back()}));
        } else {
            parts.push_back(isSize(ctx.graph, *source) ? computed : ctx.emit("Abs", {computed}));
        }
    }
    return numbers.size() == parts.size() ? ctx.onnx.ints(numbers) : emit::concat(ctx, parts, 0);
}

OnnxValues expand(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = selfOf(ctx);
    const OnnxValue y = emit::expand(ctx, x, expandedSizes(ctx, arguments));
    if (!ctx.onnx.shape(y)) {
        ctx.onnx.refine(y, Shape(std::max(ctx.rank(x), arguments.shape("size").size())));
    }
    return {y};
}

OnnxValues expandAs(NodeContext& ctx)
{
    return {emit::expand(ctx, selfOf(ctx), emit::shapeVector(ctx, Arguments(ctx).tensor("other")))};
}

/// The operands of a node of several tensors: at least one.
OnnxValues tensorsOf(const NodeContext& ctx, const Arguments& arguments)
{
    OnnxValues tensors = arguments.tensors("tensors");
    if (tensors.empty()) {
        ctx.invalid("needs at least one tensor", "tensors");
    }
    return tensors;
}

OnnxValues broadcastTensors(NodeContext& ctx)
{
    const OnnxValues given = tensorsOf(ctx, Arguments(ctx));
    OnnxValue ones;
    for (const OnnxValue x : given) {
        const OnnxValue filled = forms::filledLike(ctx, x, ElementType::Int64, 0);
        ones = ones ? ctx.emit("Add", {ones, filled}) : filled;
    }
    const OnnxValue shape = emit::shapeVector(ctx, ones);
    OnnxValues expanded;
    for (const OnnxValue x : given) {
        expanded.push_back(emit::expand(ctx, x, shape));
    }
    return expanded;
}

OnnxValues repeat(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    OnnxValue x = selfOf(ctx);
    const OnnxValue repeats = arguments.vector(arguments.has("dims") ? "dims" : "repeats");
    const std::int64_t count = ctx.fixedDim(repeats, 0);
    Ints leading(static_cast<std::size_t>(std::max<std::int64_t>(count - rankOf(ctx, x), 0)));
    std::iota(leading.begin(), leading.end(), 0);
    x = leading.empty() ? x : emit::unsqueeze(ctx, x, leading);
    // With fewer numbers than axes, the first axes are not repeated.
    const Ints ones(static_cast<std::size_t>(std::max<std::int64_t>(rankOf(ctx, x) - count, 0)), 1);
    return {ctx.emit("Tile", {x, ones.empty() ? repeats : emit::concat(ctx, {ctx.onnx.ints(ones), repeats}, 0)})};
}

OnnxValue sliced(const NodeContext& ctx, OnnxValue x, std::int64_t axis, OnnxValue start, OnnxValue end,
                 std::int64_t step)
{
    return emit::slice(ctx, x, forms::intVector(ctx, start), forms::intVector(ctx, end), ctx.onnx.ints({axis}),
                       ctx.onnx.ints({step}));
}

OnnxValues slice(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = selfOf(ctx);
    return {sliced(ctx, x, arguments.axis("dim", 0, ctx.rank(x)), arguments.scalar("start", 0),
                   arguments.scalar("end", emit::farEnd), arguments.integer("step", 1))};
}

OnnxValues narrow(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = selfOf(ctx);
    OnnxValue start = forms::intVector(ctx, arguments.scalar("start", 0));
    const OnnxValue length = forms::intVector(ctx, arguments.scalar("length", 0));
    const std::int64_t axis = arguments.axis("dim", 0, ctx.rank(x));
    const Dim& size = ctx.shape(x)[static_cast<std::size_t>(axis)];
    const auto from = forms::sizes::known(ctx, start);
    const auto count = forms::sizes::known(ctx, length);
    if (size.isFixed() && from && count) {
        const std::int64_t first = *from < 0 ? *from + size.size : *from;
        if (first < 0 || *count < 0 || *count > size.size || first > size.size - *count) {
            ctx.invalid(fmt::format("{} elements from {} of an axis of {}", *count, *from, size.size), "length");
        }
    }
    const auto source = arguments.source("start");
    if (from ? *from < 0 : !source || !isSize(ctx.graph, *source)) { // counts from the end
        const OnnxValue fromEnd = forms::sizes::plus(ctx, start, emit::dimVector(ctx, x, axis));
        start = from ? fromEnd : ctx.emit("Where", {ctx.emit("Less", {start, ctx.onnx.ints({0})}), fromEnd, start});
    }
    return {sliced(ctx, x, axis, start, forms::sizes::plus(ctx, start, length), 1)};
}

OnnxValues select(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = selfOf(ctx);
    return {emit::gather(ctx, x, arguments.scalar("index", 0), arguments.axis("dim", 0, ctx.rank(x)))};
}

OnnxValues concatenate(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    OnnxValues parts = tensorsOf(ctx, arguments);
    ElementType type = ctx.element(parts[0]);
    for (const OnnxValue part : parts) {
        type = promoted(type, ctx.element(part));
    }
    // An empty vector among tensors of another rank is left out.
    if (std::any_of(parts.begin(), parts.end(), [&](OnnxValue part) { return ctx.rank(part) != 1; })) {
        std::erase_if(parts, [&](OnnxValue part) { return ctx.rank(part) == 1 && ctx.shape(part)[0] == Dim(0); });
    }
    for (OnnxValue& part : parts) {
        part = emit::cast(ctx, part, type);
    }
    const std::int64_t axis = arguments.axis("dim", 0, ctx.rank(parts[0]));
    return {parts.size() == 1 ? parts[0] : emit::concat(ctx, parts, axis)};
}

OnnxValues stack(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    OnnxValues parts = tensorsOf(ctx, arguments);
    ElementType type = ctx.element(parts[0]);
    for (const OnnxValue part : parts) {
        type = promoted(type, ctx.element(part));
    }
    for (OnnxValue& part : parts) {
        part = emit::cast(ctx, part, type);
    }
    return {forms::stacked(ctx, parts, arguments.axis("dim", 0, ctx.rank(parts[0]) + 1))};
}

/// Tensors, each cut into so many parts along an axis and the parts flattened from it on: part i of all in row i.
/// Zeros extend the last part.
OnnxValues joinChunks(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    OnnxValues parts = tensorsOf(ctx, arguments);
    const std::int64_t axis = arguments.axis("dim", 0, ctx.rank(parts[0]));
    const std::int64_t count = arguments.positive("num_chunks", 1);
    for (OnnxValue& part : parts) {
        const std::int64_t size = ctx.fixedDim(part, axis);
        const std::int64_t missing = (count - size % count) % count;
        if (missing > 0) {
            Ints dims;
            for (std::int64_t i = 0; i < rankOf(ctx, part); ++i) {
                dims.push_back(i == axis ? missing : ctx.fixedDim(part, i));
            }
            part = emit::concat(ctx, {part, forms::filled(ctx, ctx.element(part), dims, 0)}, axis);
        }
        std::int64_t behind = 1;
        for (std::int64_t i = axis; i < rankOf(ctx, part); ++i) {
            behind *= i == axis ? (size + missing) / count : ctx.fixedDim(part, i);
        }
        Ints sizes;
        for (std::int64_t i = 0; i < axis; ++i) {
            sizes.push_back(ctx.fixedDim(part, i));
        }
        sizes.insert(sizes.end(), {count, behind});
        part = reshaped(ctx, part, ctx.onnx.ints(sizes));
    }
    return {parts.size() == 1 ? parts[0] : emit::concat(ctx, parts, axis + 1)};
}

OnnxValue flipped(const NodeContext& ctx, OnnxValue x, const Ints& axes)
{
    constexpr std::int64_t front = std::numeric_limits<std::int64_t>::min();
    const Ints last(axes.size(), -1);
    return axes.empty() ? x : emit::slice(ctx, x, last, Ints(axes.size(), front), axes, last);
}

OnnxValues flip(NodeContext& ctx)
{
    const OnnxValue x = selfOf(ctx);
    const Arguments arguments(ctx);
    return {flipped(
        ctx, x, arguments.integers("dims").value_or(Ints()).empty() ? Ints() : arguments.axes("dims", ctx.rank(x)))};
}

template <std::int64_t axis>
OnnxValues flipAxis(NodeContext& ctx)
{
    return {flipped(ctx, selfOf(ctx), {axis})};
}

/// So many quarter turns in the plane of two axes, from the first towards the second.
OnnxValues rotate(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = selfOf(ctx);
    const Ints axes = arguments.has("dims") ? arguments.axes("dims", ctx.rank(x)) : Ints{0, 1};
    if (axes.size() != 2) {
        ctx.invalid("a plane has two axes", "dims");
    }
    const std::int64_t turns = ((arguments.integer("k", 1) % 4) + 4) % 4;
    if (turns % 2 == 0) {
        return {turns == 0 ? x : flipped(ctx, x, axes)};
    }
    return {emit::swapAxes(ctx, flipped(ctx, x, {turns == 1 ? axes[1] : axes[0]}), axes[0], axes[1])};
}

OnnxValue rolled(const NodeContext& ctx, OnnxValue x, std::int64_t axis, std::int64_t shift)
{
    const Dim& dim = ctx.shape(x)[static_cast<std::size_t>(axis)];
    if (!dim.isFixed()) {
        const OnnxValue size = // at least 1, for an empty axis
            forms::sizes::larger(ctx, emit::dimVector(ctx, x, axis), ctx.onnx.ints({1}));
        const OnnxValue cut = ctx.emit("Sub", {size, ctx.emit("Mod", {ctx.onnx.ints({shift}), size})});
        const OnnxValue axes = ctx.onnx.ints({axis});
        const OnnxValue back = emit::slice(ctx, x, cut, ctx.onnx.ints({emit::farEnd}), axes);
        return emit::concat(ctx, {back, emit::slice(ctx, x, ctx.onnx.ints({0}), cut, axes)}, axis);
    }
    const std::int64_t size = dim.size;
    const std::int64_t cut = size == 0 ? 0 : ((-(shift % size)) + size) % size;
    if (cut == 0) {
        return x;
    }
    const OnnxValue back = emit::slice(ctx, x, Ints{cut}, Ints{emit::farEnd}, Ints{axis});
    return emit::concat(ctx, {back, emit::slice(ctx, x, Ints{0}, Ints{cut}, Ints{axis})}, axis);
}

OnnxValues roll(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    OnnxValue x = selfOf(ctx);
    const Ints shifts = arguments.integers("shifts").value_or(Ints());
    const Ints dims = arguments.integers("dims").value_or(Ints());
    if (shifts.empty() || (!dims.empty() && dims.size() != shifts.size())) {
        ctx.invalid("the numbers of shifts and axes differ", "shifts");
    }
    if (dims.empty()) {
        const OnnxValue flat = rolled(ctx, emit::reshape(ctx, x, Ints{-1}), 0, shifts[0]);
        return {emit::reshape(ctx, flat, emit::shapeVector(ctx, x))};
    }
    const Ints axes = arguments.axes("dims", ctx.rank(x));
    for (std::size_t i = 0; i < axes.size(); ++i) {
        x = rolled(ctx, x, axes[i], shifts[i]);
    }
    return {x};
}

/// Windows along an axis as a new last axis; the windows of a scalar are those of a vector, but for the axis.
OnnxValues unfold(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = selfOf(ctx);
    const std::int64_t axis = arguments.axis("dimension", 0, ctx.rank(x));
    const std::int64_t size = arguments.integer("size", 1);
    const std::int64_t step = arguments.positive("step", 1);
    if (size < 0 || (ctx.rank(x) == 0 && size > 1)) {
        ctx.invalid("the windows are larger than the axis, or of a negative size", "size");
    }
    if (ctx.rank(x) == 0) {
        return {emit::slice(ctx, emit::unsqueeze(ctx, x, {0}), Ints{0}, Ints{size}, Ints{0})};
    }
    const Dim& length = ctx.shape(x)[static_cast<std::size_t>(axis)];
    OnnxValue places;
    if (length.isFixed()) {
        if (size > length.size) {
            ctx.invalid("the windows are larger than the axis", "size");
        }
        const std::int64_t windows = (length.size - size) / step + 1;
        if (size > 0 && windows > forms::elementLimit / size) {
            ctx.refuse("the windows have too many elements", "size");
        }
        Ints indices;
        for (std::int64_t i = 0; i < windows; ++i) {
            for (std::int64_t k = 0; k < size; ++k) {
                indices.push_back(i * step + k);
            }
        }
        places = ctx.onnx.constant(Tensor::ints(indices).reshaped({windows, size}));
    } else {
        const OnnxValue room = forms::sizes::minus(ctx, emit::dimVector(ctx, x, axis), ctx.onnx.ints({size}));
        const OnnxValue windows = forms::sizes::plus(ctx, forms::sizes::over(ctx, room, step), ctx.onnx.ints({1}));
        const OnnxValue starts = ctx.emit("Mul", {forms::countTo(ctx, windows), ctx.onnx.ints({step})});
        places = ctx.emit("Add", {emit::unsqueeze(ctx, starts, {1}), forms::countTo(ctx, size)});
    }
    const OnnxValue gathered = emit::gather(ctx, x, places, axis);
    Ints axes(ctx.rank(gathered));
    std::iota(axes.begin(), axes.end(), 0);
    std::rotate(axes.iteratorAt(axis + 1), axes.iteratorAt(axis + 2), axes.end());
    return {emit::transpose(ctx, gathered, axes)};
}

} // namespace

std::span<const OpRow> shapeOps()
{
    static constexpr OpRow rows[] = {
        {"aten::alias", identity, ""},
        {"aten::alias_copy", identity, ""},
        {"aten::clone", identity, ""},
        {"aten::contiguous", identity, ""},
        {"aten::detach", identity, ""},
        {"aten::detach_", identity, ""},
        {"aten::detach_copy", identity, ""},
        {"aten::lift_fresh_copy", identity, ""},
        {"aten::lift_fresh", identity, ""},
        {"aten::to", convertType, "Cast"},
        {"aten::_to_copy", convertType, "Cast"},
        {"prims::convert_element_type", convertElements, "Cast"},
        {"aten::type_as", typeAs, "Cast"},
        {"aten::view", reshape, "Reshape"},
        {"aten::reshape", reshape, "Reshape"},
        {"aten::_unsafe_view", reshape, "Reshape"},
        {"aten::view_copy", reshape, "Reshape"},
        {"aten::view_as", reshapeAs, "Reshape"},
        {"aten::reshape_as", reshapeAs, "Reshape"},
        {"aten::flatten", flatten, "Reshape"},
        {"aten::unflatten", unflatten, "Reshape"},
        {"aten::ravel", ravel, "Reshape"},
        {"aten::unsqueeze", unsqueeze, "Unsqueeze"},
        {"aten::unsqueeze_copy", unsqueeze, "Unsqueeze"},
        {"aten::squeeze", squeeze, "Squeeze"},
        {"aten::squeeze_copy", squeeze, "Squeeze"},
        {"aten::permute", permute, "Transpose"},
        {"aten::permute_copy", permute, "Transpose"},
        {"aten::transpose", transpose, "Transpose"},
        {"aten::transpose_copy", transpose, "Transpose"},
        {"aten::swapaxes", transpose, "Transpose"},
        {"aten::swapdims", transpose, "Transpose"},
        {"aten::adjoint", transposeLast, "Transpose"},
        {"aten::mH", transposeLast, "Transpose"},
        {"aten::matrix_H", transposeLast, "Transpose"},
        {"aten::moveaxis", moveAxes, "Transpose"},
        {"aten::t", transposeLast, "Transpose"},
        {"aten::t_copy", transposeLast, "Transpose"},
        {"aten::mT", transposeLast, "Transpose"},
        {"aten::numpy_T", reverseAxes, "Transpose"},
        {"aten::movedim", moveAxes, "Transpose"},
        {"aten::expand", expand, "Expand"},
        {"aten::expand_copy", expand, "Expand"},
        {"aten::expand_as", expandAs, "Expand"},
        {"aten::broadcast_to", expand, "Expand"},
        {"aten::broadcast_tensors", broadcastTensors, "Expand"},
        {"aten::repeat", repeat, "Tile"},
        {"aten::tile", repeat, "Tile"},
        {"aten::slice", slice, "Slice"},
        {"aten::slice_copy", slice, "Slice"},
        {"aten::narrow", narrow, "Slice"},
        {"aten::narrow_copy", narrow, "Slice"},
        {"aten::select", select, "Gather"},
        {"aten::select_copy", select, "Gather"},
        {"aten::cat", concatenate, "Concat"},
        {"aten::concat", concatenate, "Concat"},
        {"aten::concatenate", concatenate, "Concat"},
        {"aten::_chunk_cat", joinChunks, "Pad, Reshape, Concat"},
        {"aten::stack", stack, "Unsqueeze, Concat"},
        {"aten::flip", flip, "Slice"},
        {"aten::fliplr", flipAxis<1>, "Slice"},
        {"aten::flipud", flipAxis<0>, "Slice"},
        {"aten::rot90", rotate, "Slice, Transpose"},
        {"aten::roll", roll, "Slice, Concat"},
        {"aten::unfold", unfold, "Gather, Transpose"},
        {"aten::unfold_copy", unfold, "Gather, Transpose"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
