#include "core/convert/forms/quantized/range_quantization.h"

#include "core/convert/forms/elementwise/elementary.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace crosswalk::forms {
namespace {

constexpr ElementType single = ElementType::Float32;

struct Limits {
    double least;
    double most;

    bool isSigned() const { return least < 0; }
    double steps() const { return most - least; }
};

Limits limitsOf(ElementType type)
{
    const double count = std::ldexp(1.0, static_cast<int>(8 * byteSize(type)));
    const bool isSigned = type == ElementType::Int8 || type == ElementType::Int16 || type == ElementType::Int32;
    return isSigned ? Limits{-count / 2, count / 2 - 1} : Limits{0, count - 1};
}

/// Arithmetic on ends of ranges: scalars or vectors of a few stored numbers, computed at conversion, or nodes.
class Ends {
public:
    explicit Ends(const NodeContext& ctx)
        : m_ctx(ctx)
    {
    }

    OnnxValue number(double value, ElementType type = single) const { return m_ctx.onnx.scalar(type, value); }
    OnnxValue add(OnnxValue a, OnnxValue b) const { return m_ctx.emit("Add", {a, b}); }
    OnnxValue sub(OnnxValue a, OnnxValue b) const { return m_ctx.emit("Sub", {a, b}); }
    OnnxValue mul(OnnxValue a, OnnxValue b) const { return m_ctx.emit("Mul", {a, b}); }
    OnnxValue div(OnnxValue a, OnnxValue b) const { return m_ctx.emit("Div", {a, b}); }
    OnnxValue larger(OnnxValue a, OnnxValue b) const { return m_ctx.emit("Max", {a, b}); }
    OnnxValue smaller(OnnxValue a, OnnxValue b) const { return m_ctx.emit("Min", {a, b}); }
    OnnxValue magnitude(OnnxValue a) const { return larger(a, sub(number(0), a)); }
    OnnxValue wide(OnnxValue a) const { return emit::cast(m_ctx, a, ElementType::Float64); }
    OnnxValue narrow(OnnxValue a) const { return emit::cast(m_ctx, a, single); }

    OnnxValue rounded(OnnxValue a) const
    {
        if (const Tensor* stored = m_ctx.onnx.content(a)) {
            std::vector<float> values;
            for (const double value : stored->toDoubles()) {
                values.push_back(std::round(static_cast<float>(value)));
            }
            return m_ctx.onnx.constant(Tensor::of<float>(single, stored->dims(), values));
        }
        return elementary::roundAwayFromZero(m_ctx, a);
    }

    /// then where a is above 0, else otherwise, a number.
    OnnxValue whereAbove(OnnxValue a, OnnxValue then, double otherwise) const
    {
        const Tensor* ends = m_ctx.onnx.content(a);
        const Tensor* values = m_ctx.onnx.content(then);
        if (ends == nullptr || values == nullptr || ends->dims() != values->dims()) {
            return m_ctx.emit("Where", {m_ctx.emit("Greater", {a, number(0)}), then, number(otherwise)});
        }
        const auto tests = ends->toDoubles();
        const auto numbers = values->toDoubles();
        std::vector<float> chosen;
        for (std::size_t i = 0; i < tests.size(); ++i) {
            chosen.push_back(static_cast<float>(tests[i] > 0 ? numbers[i] : otherwise));
        }
        return m_ctx.onnx.constant(Tensor::of<float>(single, values->dims(), chosen));
    }

private:
    const NodeContext& m_ctx;
};

/// A range's end as it broadcasts against data.
OnnxValue along(const NodeContext& ctx, OnnxValue end, OnnxValue data, const std::optional<std::int64_t>& axis)
{
    if (!axis || ctx.rank(end) == 0) {
        return end;
    }
    Ints dims(ctx.rank(data) - static_cast<std::size_t>(*axis), 1);
    dims.front() = -1;
    return emit::reshape(ctx, end, dims);
}

/// The numbers that integers x represent: (x + offset) scale + base, without the terms that are absent.
struct Affine {
    std::optional<float> offset;
    OnnxValue scale;
    OnnxValue base;
};

Affine affineOf(const NodeContext& ctx, const RangeQuantization& how)
{
    const Ends e(ctx);
    const Limits limits = limitsOf(how.type);
    if (how.mode == RangeMode::Scaled) {
        const OnnxValue ofHigh = e.div(how.high, e.number(limits.most));
        if (!limits.isSigned()) { // whether the smallest integer is used or not
            return {{}, ofHigh, {}};
        }
        return {{}, e.larger(e.div(how.low, e.number(limits.least + (how.isNarrow ? 1 : 0))), ofHigh), {}};
    }
    const OnnxValue width = e.sub(how.high, how.low);
    if (how.mode == RangeMode::Whole) {
        const float count = static_cast<float>(limits.most) - static_cast<float>(limits.least);
        const OnnxValue scale = e.div(width, e.number(count));
        return {limits.isSigned() ? std::optional((count + 1) / 2) : std::nullopt, scale, how.low};
    }
    const OnnxValue scale = e.narrow(e.div(e.wide(width), e.number(limits.steps(), ElementType::Float64)));
    // An empty range is its low end: the quotient has no value there.
    const OnnxValue isWide = e.magnitude(width);
    const OnnxValue divisor = e.whereAbove(isWide, scale, 1);
    const OnnxValue moved = e.mul(e.rounded(e.div(how.low, divisor)), scale);
    const OnnxValue own = e.sub(how.low, e.whereAbove(isWide, how.low, 0)); // 0 but for an empty range
    const OnnxValue start = e.add(e.whereAbove(isWide, moved, 0), own);
    return {{}, scale, limits.isSigned() ? e.sub(start, e.mul(e.number(limits.least), scale)) : start};
}

/// Stored integers as float32, mapped when they are read.
class AffineSource final : public ByteSource {
public:
    AffineSource(const Tensor& codes, std::optional<float> offset, std::vector<float> scales, std::vector<float> bases,
                 std::uint64_t inner)
        : m_numbers(codes.converted(single))
        , m_offset(offset)
        , m_scales(std::move(scales))
        , m_bases(std::move(bases))
        , m_inner(std::max<std::uint64_t>(inner, 1))
    {
    }
    std::uint64_t size() const override { return m_numbers.bytes(); }
    void read(std::uint64_t offset, std::span<std::byte> out) const override
    {
        if (out.empty()) {
            return;
        }
        const std::uint64_t first = offset / sizeof(float);
        const std::uint64_t end = (offset + out.size() + sizeof(float) - 1) / sizeof(float);
        std::vector<float> numbers(end - first);
        m_numbers.read(first * sizeof(float), std::as_writable_bytes(std::span(numbers)));
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const std::uint64_t row = (first + i) / m_inner;
            float value = numbers[i];
            value = m_offset ? value + *m_offset : value;
            value *= m_scales[row % m_scales.size()];
            numbers[i] = m_bases.empty() ? value : value + m_bases[row % m_bases.size()];
        }
        const auto bytes = std::as_bytes(std::span(numbers)).subspan(offset - first * sizeof(float), out.size());
        std::copy(bytes.begin(), bytes.end(), out.begin());
    }

private:
    Tensor m_numbers;
    std::optional<float> m_offset;
    std::vector<float> m_scales; ///< one, or one for each index of the axis
    std::vector<float> m_bases;  ///< none, one, or one for each index of the axis
    std::uint64_t m_inner;       ///< the elements behind the axis
};

std::vector<float> floatsOf(const Tensor& tensor)
{
    std::vector<float> values;
    for (const double value : tensor.toDoubles()) {
        values.push_back(static_cast<float>(value));
    }
    return values;
}

} // namespace

OnnxValue dequantizedInRange(const NodeContext& ctx, OnnxValue codes, const RangeQuantization& how)
{
    assert(!how.axis || *how.axis >= 0);
    const Affine affine = affineOf(ctx, how);
    const auto stored = [&](OnnxValue value) {
        const Tensor* content = value ? ctx.onnx.content(value) : nullptr;
        return content != nullptr ? std::optional(*content) : std::nullopt;
    };
    const auto integers = stored(codes);
    const auto scale = stored(affine.scale);
    const auto base = stored(affine.base);
    if (integers && scale && scale->elements() > 0 && (!affine.base || (base && base->elements() > 0))) {
        std::uint64_t inner = 1;
        for (auto i = static_cast<std::size_t>(how.axis.value_or(0)) + 1; how.axis && i < integers->rank(); ++i) {
            inner *= static_cast<std::uint64_t>(integers->dims()[i]);
        }
        return ctx.onnx.constant(
            Tensor::generated(single, integers->dims(),
                              std::make_shared<AffineSource>(*integers, affine.offset, floatsOf(*scale),
                                                             base ? floatsOf(*base) : std::vector<float>(), inner)));
    }
    OnnxValue y = emit::cast(ctx, codes, single);
    if (affine.offset) {
        y = ctx.emit("Add", {y, ctx.onnx.scalar(single, static_cast<double>(*affine.offset))});
    }
    y = ctx.emit("Mul", {y, along(ctx, affine.scale, codes, how.axis)});
    return affine.base ? ctx.emit("Add", {y, along(ctx, affine.base, codes, how.axis)}) : y;
}

RangeQuantized quantizedInRange(const NodeContext& ctx, OnnxValue x, const RangeQuantization& how)
{
    assert(!how.axis || *how.axis >= 0);
    const Ends e(ctx);
    const Limits limits = limitsOf(how.type);
    const OnnxValue zero = e.number(0);
    const OnnxValue reach = e.larger(e.number(1), e.larger(e.magnitude(how.low), e.magnitude(how.high)));
    const OnnxValue least = e.mul(reach, e.number(how.leastWidth));
    OnnxValue low = e.smaller(zero, how.low);
    OnnxValue high = e.larger(zero, e.larger(how.high, e.add(low, least)));
    const auto spread = [&](OnnxValue end) { return along(ctx, end, x, how.axis); };
    const auto clamped = [&] { return ctx.emit("Max", {ctx.emit("Min", {x, spread(high)}), spread(low)}); };
    const auto wideSteps = e.number(limits.steps(), ElementType::Float64);
    OnnxValue steps;
    if (how.mode == RangeMode::Whole) {
        const OnnxValue scale = e.narrow(e.div(wideSteps, e.wide(e.sub(high, low))));
        const OnnxValue place = ctx.emit("Mul", {ctx.emit("Sub", {clamped(), spread(low)}), spread(scale)});
        steps = limits.isSigned()
                    ? elementary::roundAwayFromZero(ctx, ctx.emit("Sub", {place, e.number((limits.steps() + 1) / 2)}))
                    : ctx.emit("Floor", {ctx.emit("Add", {place, e.number(0.5)})});
    } else if (how.mode == RangeMode::First) {
        const OnnxValue width = e.sub(high, low);
        const OnnxValue quotient = e.narrow(e.div(wideSteps, e.wide(width)));
        const OnnxValue scale = e.whereAbove(width, quotient, 0);
        const OnnxValue start = e.rounded(e.mul(low, scale));
        const OnnxValue place = elementary::roundAwayFromZero(ctx, ctx.emit("Mul", {x, scale}));
        const OnnxValue moved = ctx.emit("Sub", {place, e.sub(start, e.number(limits.least))});
        // The largest float that an integer of 32 bits holds.
        const OnnxValue most = e.number(std::min(limits.most, 2147483520.0));
        steps = ctx.emit("Min", {ctx.emit("Max", {moved, e.number(limits.least)}), most});
    } else {
        const double smallest = limits.least + (how.isNarrow ? 1 : 0);
        const double none = std::numeric_limits<float>::max();
        const auto scaleOf = [&](double integer, OnnxValue end) {
            return e.whereAbove(e.mul(e.number(integer), end), e.div(e.number(integer), end), none);
        };
        const OnnxValue fromHigh = scaleOf(limits.most, high);
        const OnnxValue scale =
            smallest < 0 ? e.smaller(scaleOf(smallest, low), fromHigh) : e.smaller(fromHigh, e.number(none));
        low = e.div(e.number(smallest), scale);
        if (smallest > 0) { // a number below the smallest normal one is 0
            low = e.whereAbove(e.sub(low, e.number(std::numeric_limits<float>::min())), low, 0);
        }
        high = e.div(e.number(limits.most), scale);
        const OnnxValue place = ctx.emit("Mul", {clamped(), spread(scale)});
        steps = how.roundsToEven ? ctx.emit("Round", {place}) : elementary::roundAwayFromZero(ctx, place);
    }
    return {emit::cast(ctx, steps, how.type), low, high};
}

} // namespace crosswalk::forms
