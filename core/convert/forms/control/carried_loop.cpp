#include "core/convert/forms/control/carried_loop.h"

#include "core/convert/emit.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/graph/unknown_dim.h"

#include <algorithm>
#include <utility>

namespace crosswalk::forms {
namespace {

/// Widens the type of a state to the result of a step; returns whether it did.
bool widen(TensorType& type, const std::optional<Shape>& next)
{
    if (!type.shape || !next || type.shape->size() != next->size()) {
        const bool isChanged = type.shape.has_value();
        type.shape.reset();
        return isChanged;
    }
    bool isChanged = false;
    for (std::size_t d = 0; d < next->size(); ++d) {
        Dim& dim = (*type.shape)[d];
        if (!dim.isUnknown() && dim != (*next)[d]) {
            dim = Dim();
            isChanged = true;
        }
    }
    return isChanged;
}

/// A stacked value whose steps are concatenated one by one, because their sizes may differ: a state of the loop.
class JoinedValue {
public:
    /// Of a value of a step; nothing if it has the same size in all steps, or has no such axis.
    static std::optional<JoinedValue> of(const TensorType& item, std::optional<std::int64_t> axis)
    {
        if (!axis || !item.shape) {
            return std::nullopt;
        }
        const auto rank = static_cast<std::int64_t>(item.shape->size());
        const bool isSameInAll = std::ranges::none_of(*item.shape, isUnnamed);
        if (isSameInAll || *axis >= rank || *axis < -rank) {
            return std::nullopt;
        }
        return JoinedValue(item.element, *item.shape, *axis < 0 ? *axis + rank : *axis);
    }

    /// Of the state inside the loop: only fixed sizes of other axes are known.
    TensorType type() const { return {m_element, m_shape}; }

    OnnxValue initial(const NodeContext& ctx) const
    {
        Ints dims;
        for (const Dim& dim : m_shape) {
            dims.push_back(dim.isFixed() ? dim.size : 0);
        }
        return constantOfShape(ctx, m_element, ctx.onnx.ints(dims), 0);
    }

    OnnxValue next(const NodeContext& ctx, OnnxValue iteration, OnnxValue state, OnnxValue item) const
    {
        if (std::ranges::count_if(m_shape, &Dim::isUnknown) == 1) { // the first state is empty along the axis only
            return emit::concat(ctx, {state, item}, m_axis);
        }
        const OnnxValue isFirst = ctx.emit("Equal", {iteration, ctx.onnx.scalar(ElementType::Int64, 0)});
        ctx.onnx.beginBody();
        const OnnxBody first = ctx.onnx.endBody({ctx.emit("Identity", {item})});
        ctx.onnx.beginBody();
        const OnnxBody later = ctx.onnx.endBody({emit::concat(ctx, {state, item}, m_axis)});
        return ctx.emit("If", {isFirst}, {{"then_branch", first}, {"else_branch", later}});
    }

    bool operator==(const JoinedValue&) const = default;

private:
    JoinedValue(ElementType element, Shape shape, std::int64_t axis)
        : m_element(element)
        , m_shape(std::move(shape))
        , m_axis(axis)
    {
        for (std::size_t d = 0; d < m_shape.size(); ++d) {
            m_shape[d] = m_shape[d].isFixed() && d != static_cast<std::size_t>(axis) ? m_shape[d] : Dim();
        }
    }

    ElementType m_element;
    Shape m_shape;
    std::int64_t m_axis;
};

} // namespace

OnnxValues carriedLoop(const NodeContext& ctx, OnnxValue turns, OnnxValue begins, const OnnxValues& initial,
                       const std::function<CarriedStep(OnnxValue iteration, const OnnxValues& states)>& step,
                       const JoinAxes& joinAxes)
{
    std::vector<TensorType> types;
    for (const OnnxValue value : initial) {
        types.push_back(ctx.onnx.type(value));
    }
    std::vector<std::optional<JoinedValue>> joined(joinAxes.size()); // by stacked value
    const auto isJoined = [&](std::size_t k) { return k < joined.size() && joined[k]; };
    constexpr int enough = 4; // a widened state can widen another
    OnnxBody body;
    std::size_t outputs = 0;
    std::size_t stackedCount = 0;
    for (int attempt = 0; body == nullptr; ++attempt) {
        const std::size_t problems = ctx.problemCount();
        const std::size_t depth = ctx.onnx.bodyDepth();
        ctx.onnx.beginBody();
        const OnnxValue iteration = ctx.onnx.bodyInput({ElementType::Int64, Shape{}});
        const OnnxValue goesOn = ctx.onnx.bodyInput({ElementType::Bool, Shape{}});
        OnnxValues states;
        for (const TensorType& type : types) {
            states.push_back(ctx.onnx.bodyInput(type));
        }
        OnnxValues joinedStates;
        for (const auto& value : joined) {
            joinedStates.push_back(value ? ctx.onnx.bodyInput(value->type()) : OnnxValue{});
        }
        const CarriedStep made = step(iteration, states);
        bool isSettled = true;
        for (std::size_t i = 0; i < made.states.size(); ++i) {
            isSettled = !widen(types[i], ctx.onnx.shape(made.states[i])) && isSettled;
        }
        std::vector<std::optional<JoinedValue>> wanted;
        for (std::size_t k = 0; k < joined.size() && k < made.stacked.size(); ++k) {
            wanted.push_back(JoinedValue::of(ctx.onnx.type(made.stacked[k]), joinAxes[k]));
            isSettled = isSettled && wanted[k] == joined[k];
        }
        if (!isSettled && attempt < enough) {
            joined = std::move(wanted);
            ctx.onnx.dropBodies(depth);
            ctx.forgetProblems(problems);
            continue;
        }
        OnnxValues results{made.condition ? made.condition : goesOn};
        results.insert(results.end(), made.states.begin(), made.states.end());
        for (std::size_t k = 0; k < joined.size(); ++k) {
            if (joined[k]) {
                results.push_back(joined[k]->next(ctx, iteration, joinedStates[k], made.stacked[k]));
            }
        }
        for (std::size_t k = 0; k < made.stacked.size(); ++k) {
            if (!isJoined(k)) {
                results.push_back(made.stacked[k]);
            }
        }
        outputs = results.size() - 1;
        stackedCount = made.stacked.size();
        body = ctx.onnx.endBody(results);
    }
    if (outputs == 0) {
        return {};
    }
    OnnxValues inputs{turns, begins ? begins : ctx.onnx.scalar(ElementType::Bool, 1)};
    inputs.insert(inputs.end(), initial.begin(), initial.end());
    for (const auto& value : joined) {
        if (value) {
            inputs.push_back(value->initial(ctx));
        }
    }
    OnnxValues last = ctx.onnx.add("Loop", inputs, {{"body", body}}, outputs);
    for (std::size_t i = 0; i < types.size(); ++i) {
        if (types[i].shape) {
            ctx.onnx.refine(last[i], *types[i].shape);
        }
    }
    OnnxValues ordered(last.iteratorAt(0), last.iteratorAt(static_cast<std::ptrdiff_t>(types.size())));
    std::size_t nextJoined = types.size();
    std::size_t nextStacked =
        types.size() +
        static_cast<std::size_t>(std::ranges::count_if(joined, [](const auto& one) { return bool(one); }));
    for (std::size_t k = 0; k < stackedCount; ++k) {
        if (isJoined(k)) {
            const OnnxValue whole = last[nextJoined++];
            ctx.onnx.refine(whole, *joined[k]->type().shape);
            ordered.push_back(emit::unsqueeze(ctx, whole, {0}));
        } else {
            ordered.push_back(last[nextStacked++]);
        }
    }
    return ordered;
}

} // namespace crosswalk::forms
