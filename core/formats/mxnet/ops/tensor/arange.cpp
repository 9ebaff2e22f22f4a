// Evenly spaced numbers, and the identity matrix.

#include "core/convert/forms/tensor/computed_constant.h"

#include "core/base/half.h"
#include "core/convert/emit.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/formats/mxnet/ops/tensor/scalar_operand.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace crosswalk::mxnet {
namespace {

struct ArangeParameters {
    double start = 0;
    double step = 1;
    std::int64_t repeat = 1;
};

/// Writes the element at an index. MXNet computes each element in the tensor's type: start + i * step, rounded after
/// each operation.
using WriteElement = void (*)(const ArangeParameters& p, std::uint64_t index, std::byte* out);

template <typename T>
void writeElement(const ArangeParameters& p, std::uint64_t index, std::byte* out)
{
    const std::uint64_t row = index / static_cast<std::uint64_t>(p.repeat);
    const auto value = static_cast<T>(static_cast<T>(p.start) + static_cast<T>(row) * static_cast<T>(p.step));
    std::memcpy(out, &value, sizeof value);
}

void writeHalf(const ArangeParameters& p, std::uint64_t index, std::byte* out)
{
    const auto rounded = [](double value) { return halfToFloat(floatToHalf(static_cast<float>(value))); };
    const std::uint64_t row = index / static_cast<std::uint64_t>(p.repeat);
    const std::uint16_t value = floatToHalf(rounded(p.start) + rounded(static_cast<float>(row) * rounded(p.step)));
    std::memcpy(out, &value, sizeof value);
}

/// Null for a type of which MXNet has no ranges.
WriteElement writerOf(ElementType type)
{
    switch (type) {
    case ElementType::Float16:
        return writeHalf;
    case ElementType::Float32:
        return writeElement<float>;
    case ElementType::Float64:
        return writeElement<double>;
    case ElementType::Int64:
        return writeElement<std::int64_t>;
    case ElementType::Int32:
        return writeElement<std::int32_t>;
    case ElementType::Int8:
        return writeElement<std::int8_t>;
    case ElementType::UInt8:
        return writeElement<std::uint8_t>;
    default:
        return nullptr;
    }
}

/// Sequences up to so many bytes are stored; longer ones are computed when the model runs.
constexpr std::uint64_t storedLimit = 16U << 20U;

/// start + i * step from whole numbers i, with the roundings of MXNet.
OnnxValue along(const NodeContext& ctx, OnnxValue places, ElementType type, const ArangeParameters& p)
{
    if (p.repeat > 1) {
        places = ctx.emit("Div", {places, ctx.onnx.scalar(ElementType::Int64, static_cast<double>(p.repeat))});
    }
    places = emit::cast(ctx, places, type);
    if (p.step != 1) {
        places = arithmetic::multiply(ctx, places, emit::scalarLike(ctx, places, p.step));
    }
    if (p.start != 0) {
        places = arithmetic::add(ctx, places, emit::scalarLike(ctx, places, p.start));
    }
    return places;
}

OnnxValue stored(const NodeContext& ctx, ElementType type, const Ints& dims, const ArangeParameters& p)
{
    const WriteElement write = writerOf(type);
    if (write == nullptr) {
        ctx.refuse(fmt::format("a range of type {}", elementTypeName(type)), "dtype");
    }
    return computedConstant(ctx, type, dims, [p, write](std::uint64_t index, std::byte* out) { write(p, index, out); });
}

std::int64_t repeatOf(const NodeContext& ctx)
{
    const std::int64_t repeat = Attributes(ctx).integer("repeat", 1);
    if (repeat < 1) {
        ctx.invalid(fmt::format("repeat = {} leaves nothing", repeat), "repeat");
    }
    return repeat;
}

OnnxValues arange(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    ArangeParameters p{attributes.number("start", 0), attributes.number("step", 1), repeatOf(ctx)};
    auto stop = attributes.optionalNumber("stop");
    if (!stop && attributes.boolean("infer_range", false)) {
        ctx.refuse("the length follows from the consumers", "infer_range", "set attribute stop");
    }
    if (!stop) {
        stop = std::exchange(p.start, 0);
    }
    const double steps = std::ceil((*stop - p.start) / p.step);
    if (p.step == 0 || !(steps >= 1) || !(steps * static_cast<double>(p.repeat) <= elementLimit)) {
        ctx.invalid(fmt::format("no sequence runs from {} to {} in steps of {}", p.start, *stop, p.step), "stop");
    }
    const Ints dims{static_cast<std::int64_t>(steps) * p.repeat};
    const ElementType type = attributes.elementType("dtype", ElementType::Float32);
    p.start = castNumber(ctx, type, p.start, "start");
    p.step = castNumber(ctx, type, p.step, "step");
    const bool isComputable = type == ElementType::Float32 || type == ElementType::Float64 ||
                              type == ElementType::Int64 || type == ElementType::Int32;
    if (isComputable && static_cast<std::uint64_t>(dims[0]) * byteSize(type) > storedLimit) {
        return {along(ctx, countTo(ctx, dims[0]), type, p)};
    }
    return {stored(ctx, type, dims, p)};
}

/// Numbers along one axis of the input, or over all its elements.
OnnxValues arangeLike(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const OnnxValue x = ctx.input(0);
    const ElementType type = ctx.element(x);
    const ArangeParameters p{castNumber(ctx, type, attributes.number("start", 0), "start"),
                             castNumber(ctx, type, attributes.number("step", 1), "step"), repeatOf(ctx)};
    const auto given = attributes.optionalInteger("axis");
    const ShapeTerms terms = given ? ShapeTerms{termOf(ctx, x, {ctx.axis(*given, ctx.rank(x))})} : termsOf(ctx, x);
    if (const Shape shape = knownShape(terms); isFixed(shape)) {
        Ints dims;
        for (const Dim& dim : shape) {
            dims.push_back(dim.size);
        }
        return {stored(ctx, type, dims, p)};
    }
    const OnnxValue flat = given ? x : reshapeTo(ctx, x, {restTerm()});
    const OnnxValue places = along(ctx, countUp(ctx, flat, given ? ctx.axis(*given, ctx.rank(x)) : 0), type, p);
    return {given ? places : reshapeTo(ctx, places, terms)};
}

OnnxValues linspace(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const double start = attributes.number("start");
    const std::int64_t count = attributes.integer("num");
    if (count < (hasNumpyShapes(ctx) ? 0 : 1) || count > elementLimit) {
        ctx.invalid(fmt::format("{} numbers do not form a sequence", count), "num");
    }
    const std::int64_t steps = attributes.boolean("endpoint", true) ? count - 1 : count;
    const double step = steps > 0 ? (attributes.number("stop") - start) / static_cast<double>(steps) : 0;
    const ElementType type = attributes.elementType("dtype", ElementType::Float32);
    // Unlike arange, computed in doubles and rounded once.
    const auto element = [=](std::uint64_t index) {
        return castNumber(type, start + step * static_cast<double>(index));
    };
    return {computedConstant(ctx, type, {count}, element)};
}

OnnxValues eye(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const std::int64_t rows = attributes.integer("N");
    const std::int64_t columns = attributes.integer("M", 0) == 0 ? rows : attributes.integer("M");
    const std::int64_t given = attributes.integer("k", 0);
    const ElementType type = attributes.elementType("dtype", ElementType::Float32);
    if (rows < 1 || columns < 1) {
        ctx.invalid(fmt::format("a matrix of {} rows and {} columns", rows, columns), "N");
    }
    const std::int64_t offset = std::clamp(given, -rows, columns); // a diagonal beyond the corners is empty
    const auto element = [=](std::uint64_t index) {
        const auto place = static_cast<std::int64_t>(index);
        return place / columns + offset == place % columns ? 1.0 : 0.0;
    };
    return {computedConstant(ctx, type, {rows, columns}, element)};
}

} // namespace

std::span<const OpRow> arangeOps()
{
    static constexpr OpRow rows[] = {
        {"_arange", arange, "a constant, or Range"},
        {"_contrib_arange_like", arangeLike, "a constant, or Range"},
        {"_eye", eye, "a constant"},
        {"_linspace", linspace, "a constant"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
