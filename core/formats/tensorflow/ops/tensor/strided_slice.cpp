// StridedSlice: begin, end and step for each index, and five masks with a bit for each index.

#include "core/convert/slice_end.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <bit>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace crosswalk::tensorflow {
namespace {

constexpr std::int64_t farBegin = std::numeric_limits<std::int64_t>::min() + 1;

/// An operand with one number for each index, of which some may be known at conversion.
class Numbers {
public:
    Numbers(const NodeContext& ctx, OnnxValue vector)
        : m_ctx(ctx)
        , m_vector(vector)
    {
        if (const Tensor* stored = ctx.onnx.content(vector)) {
            for (const auto number : stored->toInts()) {
                m_known.emplace_back(number);
            }
            return;
        }
        const auto dims = ctx.onnx.integers(vector);
        const auto count = static_cast<std::size_t>(ctx.fixedDim(vector, 0));
        for (std::size_t i = 0; i < count; ++i) {
            const bool isFixed = dims && i < dims->size() && (*dims)[i].isFixed();
            m_known.push_back(isFixed ? std::optional((*dims)[i].size) : std::nullopt);
        }
    }

    std::size_t count() const { return m_known.size(); }
    std::optional<std::int64_t> known(std::size_t i) const { return m_known[i]; }
    /// Number i as an int64 vector of one element.
    OnnxValue at(std::size_t i) const
    {
        if (m_known[i]) {
            return m_ctx.onnx.ints({*m_known[i]});
        }
        const auto place = static_cast<std::int64_t>(i);
        const OnnxValue all = asInt64(m_ctx, m_vector);
        return m_known.size() == 1 ? all : emit::slice(m_ctx, all, Ints{place}, Ints{place + 1}, Ints{0});
    }

private:
    const NodeContext& m_ctx;
    OnnxValue m_vector;
    std::vector<std::optional<std::int64_t>> m_known;
};

/// The meaning of the indices: slices, then single elements, then new axes.
struct Plan {
    OnnxValues starts;
    OnnxValues ends;
    Ints axes;
    OnnxValues steps;
    bool hasUnitSteps = true;
    std::vector<std::pair<std::int64_t, std::size_t>> elements; ///< axis of the input and its index, ascending
    Ints newAxes;                                               ///< of the result
};

class Masks {
public:
    explicit Masks(const Settings& settings)
        : m_begin(settings.integer("begin_mask"))
        , m_end(settings.integer("end_mask"))
        , m_ellipsis(settings.integer("ellipsis_mask"))
        , m_newAxis(settings.integer("new_axis_mask"))
        , m_shrink(settings.integer("shrink_axis_mask"))
    {
    }
    bool begin(std::size_t i) const { return bit(m_begin, i); }
    bool end(std::size_t i) const { return bit(m_end, i); }
    bool ellipsis(std::size_t i) const { return bit(m_ellipsis, i); }
    bool newAxis(std::size_t i) const { return bit(m_newAxis, i); }
    bool shrink(std::size_t i) const { return bit(m_shrink, i); }
    int ellipses() const { return std::popcount(static_cast<std::uint64_t>(m_ellipsis)); }

private:
    static bool bit(std::int64_t mask, std::size_t i) { return i < 63 && ((mask >> i) & 1) != 0; }

    std::int64_t m_begin;
    std::int64_t m_end;
    std::int64_t m_ellipsis;
    std::int64_t m_newAxis;
    std::int64_t m_shrink;
};

/// The number of axes that an ellipsis at index i represents; `axis` is the next one of the input.
std::int64_t skippedBy(const NodeContext& ctx, const Masks& masks, std::size_t count, std::size_t i, std::int64_t axis)
{
    std::int64_t taken = 0; // axes of the input behind the ellipsis
    for (std::size_t j = i + 1; j < count; ++j) {
        taken += masks.newAxis(j) ? 0 : 1;
    }
    const std::int64_t skipped = static_cast<std::int64_t>(ctx.rank(ctx.input(0))) - axis - taken;
    if (skipped < 0) {
        ctx.invalid("there are more indices than dimensions");
    }
    return skipped;
}

/// `up` if the step is positive, else `down`.
OnnxValue byDirection(const NodeContext& ctx, const Numbers& steps, std::size_t i, std::int64_t up, std::int64_t down)
{
    if (const auto step = steps.known(i)) {
        return ctx.onnx.ints({*step > 0 ? up : down});
    }
    const OnnxValue isUp = ctx.emit("Greater", {steps.at(i), ctx.onnx.ints({0})});
    return ctx.emit("Where", {isUp, ctx.onnx.ints({up}), ctx.onnx.ints({down})});
}

Plan planOf(const NodeContext& ctx, const Masks& masks, const Numbers& begin, const Numbers& end, const Numbers& steps)
{
    Plan plan;
    std::int64_t axis = 0;   // of the input
    std::int64_t result = 0; // of the result
    for (std::size_t i = 0; i < begin.count(); ++i) {
        if (masks.ellipsis(i)) {
            if (i + 1 == begin.count()) {
                break;
            }
            const std::int64_t skipped = skippedBy(ctx, masks, begin.count(), i, axis);
            axis += skipped;
            result += skipped;
            continue;
        }
        if (masks.newAxis(i)) {
            plan.newAxes.push_back(result++);
            continue;
        }
        if (masks.shrink(i)) {
            plan.elements.emplace_back(axis++, i);
            continue;
        }
        const bool isWhole = masks.begin(i) && masks.end(i) && steps.known(i) == 1;
        if (!isWhole) {
            plan.starts.push_back(masks.begin(i) ? byDirection(ctx, steps, i, 0, emit::farEnd) : begin.at(i));
            plan.ends.push_back(masks.end(i) ? byDirection(ctx, steps, i, emit::farEnd, farBegin) : end.at(i));
            plan.axes.push_back(axis);
            plan.steps.push_back(steps.at(i));
            plan.hasUnitSteps = plan.hasUnitSteps && steps.known(i) == 1;
        }
        ++axis;
        ++result;
    }
    return plan;
}

/// One dimension of a computed shape is a constant if it is fixed.
OnnxValue slicedDimension(const NodeContext& ctx, OnnxValue x, const Plan& plan, const Numbers& begin)
{
    const auto dims = ctx.onnx.integers(x);
    const auto& shape = ctx.onnx.shape(x);
    if (!dims || !shape || shape->size() != 1 || plan.elements.size() != 1 || !plan.axes.empty() ||
        !plan.newAxes.empty()) {
        return {};
    }
    const auto index = begin.known(plan.elements.front().second);
    const auto count = static_cast<std::int64_t>(dims->size());
    if (!index || *index < -count || *index >= count) {
        return {};
    }
    const Dim& dim = (*dims)[static_cast<std::size_t>(*index < 0 ? *index + count : *index)];
    if (!dim.isFixed()) {
        return {};
    }
    const std::int64_t value = dim.size;
    return ctx.onnx.constant(Tensor::ints(std::span(&value, 1)).reshaped({}).converted(ctx.element(x)));
}

/// The slice that the node's operands and masks describe, of a tensor in the shape of its input 0.
OnnxValue stridedSliceOf(const NodeContext& ctx, OnnxValue x)
{
    const Masks masks{Settings(ctx)};
    const Numbers begin(ctx, ctx.input(1));
    const Numbers end(ctx, ctx.input(2));
    const Numbers steps(ctx, ctx.input(3));
    if (end.count() != begin.count() || steps.count() != begin.count() || masks.ellipses() > 1) {
        ctx.invalid("begin, end and step have different lengths");
    }
    for (std::size_t i = 0; i < steps.count(); ++i) {
        if (steps.known(i) == 0) {
            ctx.invalid(fmt::format("the step of index {} is 0", i));
        }
    }
    const Plan plan = planOf(ctx, masks, begin, end, steps);
    if (const OnnxValue constant = slicedDimension(ctx, x, plan, begin)) {
        return constant;
    }
    const bool isStored = ctx.onnx.content(x) != nullptr;
    if (!plan.axes.empty()) {
        x = emit::slice(ctx, x, emit::concat(ctx, plan.starts, 0), emit::concat(ctx, plan.ends, 0),
                        ctx.onnx.ints(plan.axes), plan.hasUnitSteps ? OnnxValue{} : emit::concat(ctx, plan.steps, 0));
    }
    for (std::size_t i = plan.elements.size(); i-- > 0;) { // the last axis first: the others keep their numbers
        const auto [axis, index] = plan.elements[i];
        const auto known = begin.known(index);
        if (isStored && known) { // folds
            x = emit::squeeze(
                ctx, emit::slice(ctx, x, Ints{*known}, Ints{*known == -1 ? emit::farEnd : *known + 1}, Ints{axis}),
                {axis});
        } else {
            x = emit::gather(ctx, x, scalarOf(ctx, begin.at(index)), axis);
        }
    }
    return emit::unsqueeze(ctx, x, plan.newAxes);
}

OnnxValues stridedSlice(NodeContext& ctx)
{
    return {stridedSliceOf(ctx, ctx.input(0))};
}

/// Input 0 with a slice of it replaced by input 4, which broadcasts. The slice of the places of all elements contains
/// the places to replace.
OnnxValues updatedSlice(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const OnnxValue shape = emit::shapeVector(ctx, x);
    Ints axes(ctx.rank(x));
    std::iota(axes.begin(), axes.end(), 0);
    const OnnxValue numbers = emit::reshape(ctx, countTo(ctx, emit::dimProduct(ctx, x, axes)), shape);
    const OnnxValue places = stridedSliceOf(ctx, numbers);
    const OnnxValue values = emit::expand(ctx, ctx.input(4), emit::shapeVector(ctx, places));
    const OnnxValue flat = emit::reshape(ctx, x, Ints{-1});
    const OnnxValue updated =
        ctx.emit("ScatterElements", {flat, emit::reshape(ctx, places, Ints{-1}), emit::reshape(ctx, values, Ints{-1})},
                 {{"axis", 0}});
    return {emit::reshape(ctx, updated, shape)};
}

} // namespace

std::span<const OpRow> stridedSliceOps()
{
    static constexpr OpRow rows[] = {
        {"StridedSlice", stridedSlice, "Slice, Gather, Unsqueeze"},
        {"TensorStridedSliceUpdate", updatedSlice, "Slice, ScatterElements"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
