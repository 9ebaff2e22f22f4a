#include "core/convert/forms/tensor/reduce.h"

#include "core/convert/forms/control/loops.h"
#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/elementwise/integer_arithmetic.h"
#include "core/convert/forms/elementwise/number_limits.h"
#include "core/convert/forms/tensor/fill.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace crosswalk::forms {
namespace {

/// Whether the runtime reduces tensors of the type.
bool hasKernel(const NodeContext& ctx, std::string_view op, ElementType type)
{
    const bool isByte = type == ElementType::Int8 || type == ElementType::UInt8;
    return (!isNarrowInteger(type) && type != ElementType::UInt32 && type != ElementType::BFloat16) ||
           (isByte && ctx.onnx.opset() >= 12 && (op == "ReduceMax" || op == "ReduceMin"));
}

/// x with a further element along an axis that may be empty, where an operator does not take an empty one.
OnnxValue withOneMore(const NodeContext& ctx, OnnxValue x, std::int64_t axis, std::int64_t element)
{
    if (ctx.shape(x)[static_cast<std::size_t>(axis)].isFixed()) {
        return x;
    }
    Ints pads(2 * ctx.rank(x), 0);
    pads[ctx.rank(x) + static_cast<std::size_t>(axis)] = 1;
    const std::array<std::int64_t, 1> value{element};
    return ctx.emit(
        "Pad", {x, ctx.onnx.ints(pads), ctx.onnx.constant(Tensor::ints(value).reshaped({}).converted(ctx.element(x)))});
}

/// The largest or smallest element of int64, axis by axis: where their upper halves are equal, ONNX Runtime's ReduceMax
/// and ReduceMin compare the lower halves as if they had a sign. Its TopK is exact.
OnnxValue extremeOfWide(const NodeContext& ctx, bool isLargest, OnnxValue x, const Ints& axes, bool keepDims)
{
    using Limits = std::numeric_limits<std::int64_t>;
    for (const std::int64_t axis : axes) {
        x = withOneMore(ctx, x, axis, isLargest ? Limits::min() : Limits::max());
        x = ctx.onnx.add("TopK", {x, ctx.onnx.ints({1})}, {{"axis", axis}, {"largest", isLargest}, {"sorted", 0}},
                         2)[0];
    }
    return keepDims ? x : emit::squeeze(ctx, x, axes);
}

/// The limits of int32, which an empty set comes to, become those of a narrow type.
OnnxValue withinType(const NodeContext& ctx, std::string_view op, OnnxValue extreme, ElementType own)
{
    return op == "ReduceMax" ? arithmetic::maximum(ctx, extreme, emit::scalarLike(ctx, extreme, lowestNumber(own)))
                             : arithmetic::minimum(ctx, extreme, emit::scalarLike(ctx, extreme, highestNumber(own)));
}

bool hasDim(const NodeContext& ctx, OnnxValue x, const Ints& axes, auto condition)
{
    return std::ranges::any_of(
        axes, [&](std::int64_t axis) { return condition(ctx.shape(x)[static_cast<std::size_t>(axis)]); });
}

/// How many values of the type that x was cast from have a sum of less than 2^bits; 0 if x is not a Cast's result.
double mostSummands(const NodeContext& ctx, OnnxValue x, int bits)
{
    const ElementType from = ctx.onnx.castFrom(x);
    if (from != ElementType::Bool && !isInteger(from)) {
        return 0;
    }
    const int own = from == ElementType::Bool ? 1 : static_cast<int>(byteSize(from)) * 8 - (isUnsigned(from) ? 0 : 1);
    return std::ldexp(1.0, bits - own);
}

/// Whether ONNX Runtime's ReduceSum over the axes is exact because x was cast from a smaller type. Without a known
/// number of elements, it is taken to be one that memory holds.
bool hasSmallSums(const NodeContext& ctx, OnnxValue x, const Ints& axes)
{
    constexpr double mostElements = 1U << 30;
    constexpr int bitsOfDoubles = 53;
    double count = 1;
    for (const std::int64_t axis : axes) {
        const Dim& dim = ctx.shape(x)[static_cast<std::size_t>(axis)];
        count *= dim.isFixed() ? static_cast<double>(dim.size) : mostElements;
    }
    const int bits = std::min(static_cast<int>(byteSize(ctx.element(x))) * 8 - 1, bitsOfDoubles);
    return std::min(count, mostElements) <= mostSummands(ctx, x, bits);
}

/// Where ONNX has TopK of integers.
constexpr int topKOpset = 11;

OnnxValue plainReduction(const NodeContext& ctx, std::string_view op, OnnxValue x, const Ints& axes, bool keepDims)
{
    const ElementType own = ctx.element(x);
    const bool isExtreme = op == "ReduceMax" || op == "ReduceMin";
    const bool isAll = axes.size() == ctx.rank(x);
    const auto reduced = [&](OnnxValue value) { return emit::reduce(ctx, op, value, isAll ? Ints{} : axes, keepDims); };
    const bool isSize = ctx.onnx.integers(x).has_value();
    const auto isEmpty = [](const Dim& dim) { return dim == Dim(0); };
    if (isExtreme && isWideInteger(own) && !isSize && ctx.onnx.opset() >= topKOpset && !hasDim(ctx, x, axes, isEmpty)) {
        const OnnxValue found = extremeOfWide(ctx, op == "ReduceMax", arithmetic::orderedInt64(ctx, x), axes, keepDims);
        return arithmetic::fromOrderedInt64(ctx, found, own);
    }
    if (own == ElementType::UInt64) { // the bits of sums and products are those of int64
        return isExtreme ? arithmetic::fromOrderedInt64(ctx, reduced(arithmetic::orderedInt64(ctx, x)), own)
                         : computedAs(ctx, ElementType::Int64, x, reduced);
    }
    const ElementType type = hasKernel(ctx, op, own) ? own : widened(own);
    return computedAs(ctx, type, x, [&](OnnxValue value) {
        const OnnxValue y = reduced(value);
        const auto isOpen = [](const Dim& dim) { return !dim.isFixed() || dim.size == 0; };
        return isExtreme && type == ElementType::Int32 && isNarrowInteger(own) && own != ElementType::Bool &&
                       hasDim(ctx, x, axes, isOpen)
                   ? withinType(ctx, op, y, own)
                   : y;
    });
}

/// ONNX Runtime adds up integers in doubles, and saturates.
OnnxValue wrappingSum(const NodeContext& ctx, OnnxValue x, const Ints& axes, bool keepDims)
{
    const ElementType own = ctx.element(x);
    const auto sum = [&](OnnxValue value) { return plainReduction(ctx, "ReduceSum", value, axes, keepDims); };
    if (hasSmallSums(ctx, x, axes)) {
        return sum(x);
    }
    if (own != ElementType::Int64 && own != ElementType::UInt64) {
        return computedAs(ctx, ElementType::Int64, x, sum);
    }
    // ONNX Runtime adds up int64 in doubles, which hold 53 bits: in halves.
    return computedAs(ctx, ElementType::Int64, x, [&](OnnxValue value) {
        const OnnxValue half = emit::scalarLike(ctx, value, static_cast<double>(std::int64_t{1} << 32));
        const OnnxValue low = ctx.emit("Mod", {value, half});
        const OnnxValue high = ctx.emit("Div", {ctx.emit("Sub", {value, low}), half});
        return ctx.emit("Add", {ctx.emit("Mul", {sum(high), half}), sum(low)});
    });
}

/// ONNX Runtime's ReduceProd saturates.
OnnxValue wrappingProduct(const NodeContext& ctx, OnnxValue x, const Ints& axes, bool keepDims)
{
    const ElementType own = ctx.element(x);
    const bool isEmpty = hasDim(ctx, x, axes, [](const Dim& dim) { return dim == Dim(0); });
    if (isEmpty || ctx.onnx.castFrom(x) == ElementType::Bool) {
        return plainReduction(ctx, "ReduceProd", x, axes, keepDims);
    }
    const ElementType type = own == ElementType::UInt64 ? ElementType::Int64 : widened(own);
    return computedAs(ctx, type, x, [&](OnnxValue value) {
        // The last axis first, so that the others keep their numbers.
        for (std::size_t i = axes.size(); i-- > 0;) {
            value = withOneMore(ctx, value, axes[i], 1);
            const OnnxValue ones = filledTo(ctx, type, 1, stepShape(ctx, value, axes[i]));
            value = scanAlong(ctx, {axes[i], false}, {ones}, {value},
                              [&](const OnnxValues& states, const OnnxValues& elements) {
                                  return ScanStep{{ctx.emit("Mul", {states[0], elements[0]})}, {}};
                              })
                        .states.front();
        }
        return keepDims ? emit::unsqueeze(ctx, value, axes) : value;
    });
}

/// 1 where x differs from 0, else 0.
OnnxValue truthsOf(const NodeContext& ctx, OnnxValue x)
{
    return emit::cast(ctx, emit::cast(ctx, x, ElementType::Bool), ElementType::Int32);
}

} // namespace

OnnxValue reducedAlong(const NodeContext& ctx, std::string_view op, OnnxValue x, const Ints& axes, bool keepDims)
{
    if (axes.empty()) { // to ONNX no axes mean all
        return x;
    }
    const bool canOverflow = isInteger(ctx.element(x)) && !ctx.onnx.integers(x);
    if (canOverflow && op == "ReduceSum") {
        return wrappingSum(ctx, x, axes, keepDims);
    }
    if (canOverflow && op == "ReduceProd") {
        return wrappingProduct(ctx, x, axes, keepDims);
    }
    return plainReduction(ctx, op, x, axes, keepDims);
}

OnnxValue anyAlong(const NodeContext& ctx, OnnxValue x, const Ints& axes, bool keepDims)
{
    // The largest of no elements is the lowest number.
    const OnnxValue largest = reducedAlong(ctx, "ReduceMax", truthsOf(ctx, x), axes, keepDims);
    return ctx.emit("Greater", {largest, emit::scalarLike(ctx, largest, 0)});
}

OnnxValue allAlong(const NodeContext& ctx, OnnxValue x, const Ints& axes, bool keepDims)
{
    return emit::cast(ctx, reducedAlong(ctx, "ReduceMin", truthsOf(ctx, x), axes, keepDims), ElementType::Bool);
}

} // namespace crosswalk::forms
