// While and If created by lowering, and the rows of lists.

#include "core/convert/emit.h"
#include "core/convert/forms/control/carried_loop.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/sizes.h"
#include "core/formats/tensorflow/lowering/recurrent_loops.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <limits>

namespace crosswalk::tensorflow {
namespace {

using Difference = OnnxValues::difference_type;

OnnxValues joined(OnnxValues first, const OnnxValues& second)
{
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

/// A condition of TensorFlow as a bool scalar: a scalar is true if it is not 0, a non-scalar tensor if it has elements.
OnnxValue truth(NodeContext& ctx, OnnxValue value)
{
    const auto isPositive = [&](OnnxValue count) {
        return ctx.emit("Greater", {count, ctx.onnx.scalar(ctx.element(count), 0)});
    };
    const std::optional<Shape> shape = ctx.onnx.shape(value);
    if (shape && !shape->empty()) {
        return isPositive(ctx.emit("Size", {value}));
    }
    if (ctx.element(value) == ElementType::String) {
        ctx.refuse("its condition is a string, which ONNX does not convert to bool");
    }
    const OnnxValue flag = emit::cast(ctx, value, ElementType::Bool);
    if (shape) {
        return flag;
    }
    const OnnxValue hasElements = isPositive(ctx.emit("Size", {value}));
    const OnnxValue hasAxes = isPositive(ctx.emit("Size", {ctx.emit("Shape", {value})}));
    const OnnxValue trueElements = emit::reduce(ctx, "ReduceSum", emit::cast(ctx, flag, ElementType::Int32), {}, false);
    return ctx.emit("And", {hasElements, ctx.emit("Or", {hasAxes, isPositive(trueElements)})});
}

SubgraphId bodyOf(const NodeContext& ctx, std::string_view name)
{
    return *attributeOf<SubgraphId>(ctx.node, name);
}

/// Whether a tensor has the rows of a list without elements, whose shape is unknown.
bool isWithoutRows(const NodeContext& ctx, OnnxValue rows)
{
    const auto shape = ctx.onnx.shape(rows);
    return shape && shape->size() == 1 && shape->front() == Dim(0);
}

/// No rows of elements like those of a type, [n, ...]: open sizes of elements become 0.
OnnxValue noRowsOf(const NodeContext& ctx, const TensorType& type)
{
    Ints dims{0};
    for (std::size_t d = 1; d < type.shape->size(); ++d) {
        const Dim& dim = (*type.shape)[d];
        dims.push_back(dim.isFixed() ? dim.size : 0);
    }
    return constantOfShape(ctx, type.element, ctx.onnx.ints(dims), 0);
}

std::vector<TensorType> typesOf(const NodeContext& ctx, const OnnxValues& values)
{
    std::vector<TensorType> types;
    for (const OnnxValue value : values) {
        types.push_back(value ? ctx.onnx.type(value) : TensorType());
    }
    return types;
}

/// The types of what a body returns, without keeping what it computes; none in deep bodies, where trials in trials
/// would take exponential time.
std::vector<TensorType> trialTypesOf(NodeContext& ctx, const std::function<OnnxValues()>& body)
{
    constexpr std::size_t deepest = 6;
    if (ctx.onnx.bodyDepth() > deepest) {
        return {};
    }
    const std::size_t problems = ctx.problemCount();
    const std::size_t depth = ctx.onnx.bodyDepth();
    ctx.onnx.beginBody();
    std::vector<TensorType> types = typesOf(ctx, body());
    ctx.onnx.dropBodies(depth);
    ctx.forgetProblems(problems);
    return types;
}

const Ints& listed(const NodeContext& ctx, std::string_view name)
{
    static const Ints none;
    const auto* numbers = attributeOf<Ints>(ctx.node, name);
    return numbers != nullptr ? *numbers : none;
}

/// Refuses to join the elements of a list that is a variable of the loop if their length is unknown, or 0 because the
/// list begins without rows: rows of one tensor have the same length.
void expectOneLength(const NodeContext& ctx, OnnxValue rows)
{
    const auto shape = ctx.onnx.shape(rows);
    if (!shape || shape->size() < 2 || (*shape)[1].isUnknown() || (*shape)[1] == Dim(0)) {
        ctx.refuse("the elements of a list that are joined after it may have different lengths, which requires that "
                   "each step writes the next element");
    }
}

OnnxValues whileLoop(NodeContext& ctx)
{
    const auto rows = static_cast<std::size_t>(intOf(ctx.node, "stacked_outputs", 0));
    const auto variables = static_cast<Difference>(ctx.node.outputs.size() - rows);
    const auto border = variables + static_cast<Difference>(intOf(ctx.node, "condition_captures", 0));
    const OnnxValues& inputs = ctx.inputs();
    OnnxValues initial(inputs.begin(), inputs.iteratorAt(variables));
    const OnnxValues conditionCaptures(inputs.iteratorAt(variables), inputs.iteratorAt(border));
    const OnnxValues bodyCaptures(inputs.iteratorAt(border), inputs.end());
    const auto goesOn = [&](const OnnxValues& states) {
        return truth(ctx, ctx.translateSubgraph(bodyOf(ctx, "cond"), joined(states, conditionCaptures)).at(0));
    };
    // Lists without elements take the shape of the elements that a step writes.
    const Ints& lists = listed(ctx, "list_variables");
    if (std::ranges::any_of(lists, [&](auto k) { return isWithoutRows(ctx, initial[static_cast<std::size_t>(k)]); })) {
        const std::vector<TensorType> next = trialTypesOf(ctx, [&] {
            OnnxValues states;
            for (const OnnxValue value : initial) {
                states.push_back(ctx.onnx.bodyInput(ctx.onnx.type(value)));
            }
            return ctx.translateSubgraph(bodyOf(ctx, "body"), joined(states, bodyCaptures));
        });
        for (const std::int64_t list : lists) {
            const auto k = static_cast<std::size_t>(list);
            if (k < next.size() && next[k].shape && !next[k].shape->empty() && isWithoutRows(ctx, initial[k])) {
                initial[k] = noRowsOf(ctx, next[k]);
            }
        }
    }
    const OnnxValue begins = goesOn(initial);
    const auto step = [&](OnnxValue /*iteration*/, const OnnxValues& states) {
        const OnnxValues results = ctx.translateSubgraph(bodyOf(ctx, "body"), joined(states, bodyCaptures));
        const OnnxValues next(results.begin(), results.iteratorAt(variables));
        return forms::CarriedStep{goesOn(next), next, {results.iteratorAt(variables), results.end()}};
    };
    forms::JoinAxes joinAxes(rows);
    for (const std::int64_t k : listed(ctx, "joined_outputs")) {
        joinAxes[static_cast<std::size_t>(k)] = 0;
    }
    OnnxValues made = forms::carriedLoop(ctx, {}, begins, initial, step, joinAxes);
    for (const std::int64_t k : listed(ctx, "joined_variables")) {
        expectOneLength(ctx, made[static_cast<std::size_t>(k)]);
    }
    if (const auto* difference = attributeOf<std::string>(ctx.node, stepDifference)) {
        ctx.note("rnn-step",
                 "its step has recurrent weights, but it is not an LSTM, GRU or RNN of ONNX: " + *difference);
    }
    return made;
}

OnnxValues conditional(NodeContext& ctx)
{
    const auto border = 1 + static_cast<Difference>(intOf(ctx.node, "then_captures", 0));
    const OnnxValues& inputs = ctx.inputs();
    const OnnxValues ofThen(inputs.iteratorAt(1), inputs.iteratorAt(border));
    const OnnxValues ofElse(inputs.iteratorAt(border), inputs.end());
    const Ints& lists = listed(ctx, "list_outputs");
    std::vector<TensorType> thenTypes;
    const auto branch = [&](std::string_view name, const OnnxValues& captures,
                            const std::function<std::vector<TensorType>()>& otherTypes) {
        ctx.onnx.beginBody();
        OnnxValues results = ctx.translateSubgraph(bodyOf(ctx, name), captures);
        std::vector<TensorType> types = typesOf(ctx, results);
        // Lists without elements have elements like those of the other side.
        std::vector<TensorType> other;
        for (const std::int64_t list : lists) {
            const auto k = static_cast<std::size_t>(list);
            if (!isWithoutRows(ctx, results[k])) {
                continue;
            }
            other = other.empty() ? otherTypes() : other;
            if (k < other.size() && other[k].shape && other[k].shape->size() > 1) {
                results[k] = noRowsOf(ctx, other[k]);
            }
        }
        thenTypes = std::move(types);
        return ctx.onnx.endBody(results);
    };
    const OnnxValue condition = truth(ctx, ctx.input(0));
    const OnnxBody then = branch("then_branch", ofThen, [&] {
        return trialTypesOf(ctx, [&] { return ctx.translateSubgraph(bodyOf(ctx, "else_branch"), ofElse); });
    });
    const OnnxBody otherwise = branch("else_branch", ofElse, [&] { return thenTypes; });
    return ctx.onnx.add("If", {condition}, {{"then_branch", then}, {"else_branch", otherwise}},
                        ctx.node.outputs.size());
}

/// So many rows of zeros, a vector of one element, like those of a tensor.
OnnxValue zeroRows(const NodeContext& ctx, OnnxValue count, OnnxValue rows)
{
    const auto rank = static_cast<std::int64_t>(ctx.rank(rows));
    OnnxValues dims{count};
    if (rank > 1) {
        dims.push_back(emit::slice(ctx, emit::shapeVector(ctx, rows), Ints{1}, Ints{rank}, Ints{0}));
    }
    return constantOfShape(ctx, ctx.element(rows), emit::concat(ctx, dims, 0), 0);
}

/// Pads a tensor with rows of zeros to a number of rows.
OnnxValues extendRows(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    const std::size_t rank = ctx.rank(x);
    const OnnxValue size = emit::reshape(ctx, emit::cast(ctx, ctx.input(1), ElementType::Int64), Ints{1});
    const OnnxValue difference = ctx.emit("Sub", {size, emit::dimVector(ctx, x, 0)});
    const OnnxValue missing = sizes::larger(ctx, difference, ctx.onnx.ints({0}));
    if (ctx.element(x) == ElementType::Int16 || ctx.element(x) == ElementType::UInt16) { // ONNX Runtime has no Pad
        return {emit::concat(ctx, {x, zeroRows(ctx, missing, x)}, 0)};
    }
    const OnnxValue before = ctx.onnx.ints(Ints(rank, 0));
    OnnxValues pads{before, missing};
    if (rank > 1) {
        pads.push_back(ctx.onnx.ints(Ints(rank - 1, 0)));
    }
    return {ctx.emit("Pad", {x, emit::concat(ctx, pads, 0), emit::scalarLike(ctx, x, 0)})};
}

/// Prepends rows of zeros to a tensor; input 1 contains their number. A negative number fails at run time, as writing
/// to a negative index does in TensorFlow.
OnnxValues prependRows(NodeContext& ctx)
{
    const OnnxValue x = ctx.input(0);
    OnnxValue count = emit::reshape(ctx, emit::cast(ctx, ctx.input(1), ElementType::Int64), Ints{1});
    if (!ctx.shape(x)[0].isFixed()) { // a loop without iterations writes no element that zeros could precede
        count = ctx.emit("Mul", {count, sizes::smaller(ctx, emit::dimVector(ctx, x, 0), ctx.onnx.ints({1}))});
    }
    return {emit::concat(ctx, {zeroRows(ctx, count, x), x}, 0)};
}

/// The rows of a list without elements: of shape [0] if the shape of its elements is not declared.
OnnxValues noRows(NodeContext& ctx)
{
    const auto* type = attributeOf<ElementType>(ctx.node, "dtype");
    if (type == nullptr || *type == ElementType::Undefined) {
        ctx.refuse("the type of the list's elements is unknown");
    }
    Ints dims{0};
    const Ints& ofElement = listed(ctx, "element_dims");
    dims.insert(dims.end(), ofElement.begin(), ofElement.end());
    return {constantOfShape(ctx, *type, ctx.onnx.ints(dims), 0)};
}

/// Writes an element of a list, input 1, as a row: at the index of input 2, or behind the last row. Rows of zeros fill
/// a gap before it.
OnnxValues writeRow(NodeContext& ctx)
{
    const OnnxValue rows = ctx.input(0);
    const OnnxValue value = ctx.input(1);
    const std::size_t rank = ctx.rank(value) + 1;
    const Shape& ofElement = ctx.shape(value);
    const OnnxValue row = emit::unsqueeze(ctx, value, {0});
    const bool isAppended = ctx.inputCount() < 3 || !ctx.inputs()[2];
    const OnnxValue index =
        isAppended ? OnnxValue{} : emit::reshape(ctx, emit::cast(ctx, ctx.input(2), ElementType::Int64), Ints{1});
    const auto zeros = [&](OnnxValue count) {
        const OnnxValue dims = rank == 1 ? count : emit::concat(ctx, {count, emit::shapeVector(ctx, value)}, 0);
        return constantOfShape(ctx, ctx.element(value), dims, 0);
    };
    const auto toNone = [&] { return isAppended ? row : emit::concat(ctx, {zeros(index), row}, 0); };
    const auto toSome = [&] {
        if (isAppended) {
            return emit::concat(ctx, {rows, row}, 0);
        }
        const OnnxValue axis = ctx.onnx.ints({0});
        const OnnxValue one = ctx.onnx.ints({1});
        const OnnxValue end = ctx.onnx.ints({std::numeric_limits<std::int64_t>::max()});
        const OnnxValue before = ctx.emit("Slice", {rows, ctx.onnx.ints({0}), index, axis});
        const OnnxValue missing =
            sizes::larger(ctx, ctx.emit("Sub", {index, emit::dimVector(ctx, rows, 0)}), ctx.onnx.ints({0}));
        const OnnxValue after = ctx.emit("Slice", {rows, ctx.emit("Add", {index, one}), end, axis});
        return emit::concat(ctx, {before, zeros(missing), row, after}, 0);
    };
    Shape written{Dim()};
    written.insert(written.end(), ofElement.begin(), ofElement.end());
    const auto known = ctx.onnx.shape(rows);
    OnnxValue made;
    if (isWithoutRows(ctx, rows) && rank != 1) {
        made = toNone();
    } else if (known && known->size() == rank &&
               std::equal(known->begin() + 1, known->end(), ofElement.begin(), ofElement.end(),
                          [](const Dim& a, const Dim& b) { return a.isFixed() && (a == b || !b.isFixed()); })) {
        made = toSome();
        std::copy(known->begin() + 1, known->end(), written.begin() + 1);
    } else { // without rows, the sizes of the elements are unknown
        const OnnxValue isEmpty = ctx.emit("Equal", {emit::reshape(ctx, emit::dimVector(ctx, rows, 0), Ints{}),
                                                     ctx.onnx.scalar(ElementType::Int64, 0)});
        ctx.onnx.beginBody();
        const OnnxBody none = ctx.onnx.endBody({ctx.emit("Identity", {toNone()})});
        ctx.onnx.beginBody();
        const OnnxBody some = ctx.onnx.endBody({toSome()});
        made = ctx.emit("If", {isEmpty}, {{"then_branch", none}, {"else_branch", some}});
    }
    ctx.onnx.refine(made, written);
    return {made};
}

} // namespace

std::span<const OpRow> loopOps()
{
    static constexpr OpRow rows[] = {
        {"ExtendRows", extendRows, "Pad"},     {"If", conditional, "If"},
        {"NoRows", noRows, "ConstantOfShape"}, {"PrependRows", prependRows, "ConstantOfShape, Concat"},
        {"While", whileLoop, "Loop"},          {"WriteRow", writeRow, "Slice, Concat"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
