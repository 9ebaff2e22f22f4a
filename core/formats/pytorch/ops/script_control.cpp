// Branches, loops and exceptions of TorchScript.

#include "core/convert/forms/control/carried_loop.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/int_vector.h"
#include "core/formats/pytorch/lowering/joined_items.h"
#include "core/formats/pytorch/ops/operator_arguments.h"
#include "core/formats/pytorch/ops/pytorch_families.h"
#include "core/graph/attributes.h"
#include "core/graph/unknown_dim.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <optional>

namespace crosswalk::pytorch {
namespace {

using Difference = OnnxValues::difference_type;

std::optional<bool> knownTruth(const NodeContext& ctx, OnnxValue value)
{
    const Tensor* stored = ctx.onnx.content(value);
    if (stored == nullptr) {
        return std::nullopt;
    }
    const auto numbers = stored->toDoubles();
    return numbers.size() == 1 ? std::optional(numbers[0] != 0) : std::nullopt;
}

/// A result that no instruction of its branch computes is never read: any value of the other branch's type will do. It
/// stays absent if the other branch does not compute it either.
void fillUninitialized(const NodeContext& ctx, OnnxValues& results, const std::vector<std::optional<TensorType>>& types)
{
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (results[i] || !types[i]) {
            continue;
        }
        Ints dims;
        for (const Dim& dim : types[i]->shape.value_or(Shape())) {
            dims.push_back(dim.isFixed() ? dim.size : 0);
        }
        const ElementType type = types[i]->element == ElementType::Undefined ? ElementType::Float32 : types[i]->element;
        results[i] = forms::constantOfShape(ctx, type, ctx.onnx.ints(dims), 0);
    }
}

OnnxValues withoutAbsent(const OnnxValues& values)
{
    OnnxValues present;
    std::ranges::copy_if(values, std::back_inserter(present), [](OnnxValue value) { return bool(value); });
    return present;
}

/// Puts results in the places of the values that are present.
OnnxValues inPlacesOf(const OnnxValues& values, const OnnxValues& results)
{
    OnnxValues placed;
    std::size_t next = 0;
    for (const OnnxValue value : values) {
        placed.push_back(value ? results.at(next++) : OnnxValue{});
    }
    placed.insert(placed.end(), results.iteratorAt(static_cast<Difference>(next)), results.end());
    return placed;
}

bool areAllPresent(const OnnxValues& values)
{
    return std::ranges::all_of(values, [](OnnxValue value) { return bool(value); });
}

OnnxValues conditional(NodeContext& ctx)
{
    const OnnxValue condition = ctx.input(0);
    const OnnxValues& inputs = ctx.inputs();
    const auto* count = attributeOf<std::int64_t>(ctx.node, "then_branch_inputs");
    const auto border = 1 + static_cast<Difference>(count != nullptr ? *count : 0);
    const OnnxValues forThen(inputs.iteratorAt(1), inputs.iteratorAt(border));
    const OnnxValues forElse(inputs.iteratorAt(border), inputs.end());
    if (const auto known = knownTruth(ctx, condition)) { // only this branch runs
        return *known ? ctx.translateSubgraph(bodyOf(ctx, "then_branch"), forThen)
                      : ctx.translateSubgraph(bodyOf(ctx, "else_branch"), forElse);
    }
    std::vector<std::optional<TensorType>> types(ctx.node.outputs.size());
    const auto run = [&](std::string_view name, const OnnxValues& given) {
        OnnxValues results = ctx.translateSubgraph(bodyOf(ctx, name), given);
        for (std::size_t i = 0; i < results.size(); ++i) {
            if (results[i] && (!types[i] || types[i]->element == ElementType::Undefined)) {
                types[i] = ctx.onnx.type(results[i]);
            }
        }
        return results;
    };
    const std::size_t problems = ctx.problemCount();
    const std::size_t depth = ctx.onnx.bodyDepth();
    ctx.onnx.beginBody();
    OnnxValues first = run("then_branch", forThen);
    if (!areAllPresent(first)) { // the types are those of the other branch
        ctx.onnx.dropBodies(depth);
        ctx.onnx.beginBody();
        run("else_branch", forElse);
        ctx.onnx.dropBodies(depth);
        ctx.forgetProblems(problems);
        ctx.onnx.beginBody();
        first = run("then_branch", forThen);
        fillUninitialized(ctx, first, types);
    }
    const OnnxBody then = ctx.onnx.endBody(withoutAbsent(first));
    ctx.onnx.beginBody();
    OnnxValues second = run("else_branch", forElse);
    fillUninitialized(ctx, second, types);
    if (const auto* absent = attributeOf<Ints>(ctx.node, "absent_items")) {
        for (const std::int64_t item : *absent) { // its substitute must have its shape
            const auto& type = types.at(static_cast<std::size_t>(item));
            if (!type || !type->shape || !isFixed(*type->shape)) {
                ctx.refuse("a tensor of unknown size is appended to a list in only one branch", {},
                           "give fixed input shapes");
            }
        }
    }
    const OnnxBody otherwise = ctx.onnx.endBody(withoutAbsent(second));
    for (std::size_t i = 0; i < first.size(); ++i) {
        if (first[i] && ctx.onnx.element(first[i]) != ctx.onnx.element(second[i])) {
            ctx.refuse(
                fmt::format("result {} is {} in one branch and {} in the other, which ONNX's If does not support", i,
                            elementTypeName(ctx.onnx.element(first[i])), elementTypeName(ctx.onnx.element(second[i]))));
        }
    }
    const std::size_t outputs = withoutAbsent(first).size();
    if (outputs == 0) { // only checks
        return first;
    }
    return inPlacesOf(first,
                      ctx.onnx.add("If", {condition}, {{"then_branch", then}, {"else_branch", otherwise}}, outputs));
}

constexpr std::int64_t mostUnrolled = 16;

/// A short loop of known length, step after step: indices and shapes are constant in each.
OnnxValues unrolled(const NodeContext& ctx, std::int64_t turns, const OnnxValues& initial, const auto& step,
                    const forms::JoinAxes& joinAxes)
{
    OnnxValues states = initial;
    std::vector<OnnxValues> stacked;
    for (std::int64_t i = 0; i < turns; ++i) {
        const OnnxValue iteration =
            ctx.onnx.constant(Tensor::of<std::int64_t>(ElementType::Int64, {}, std::span(&i, 1)));
        forms::CarriedStep made = step(iteration, states);
        states = std::move(made.states);
        stacked.resize(made.stacked.size());
        for (std::size_t k = 0; k < made.stacked.size(); ++k) {
            stacked[k].push_back(made.stacked[k]);
        }
    }
    for (std::size_t k = 0; k < stacked.size(); ++k) {
        OnnxValues& parts = stacked[k];
        const auto mayDiffer = [&](OnnxValue part) {
            const auto shape = ctx.onnx.shape(part);
            return shape && (shape != ctx.onnx.shape(parts[0]) || std::ranges::any_of(*shape, isUnnamed));
        };
        if (k < joinAxes.size() && joinAxes[k] && std::ranges::any_of(parts, mayDiffer)) {
            states.push_back(emit::unsqueeze(ctx, emit::concat(ctx, parts, *joinAxes[k]), {0}));
            continue;
        }
        for (OnnxValue& part : parts) {
            part = emit::unsqueeze(ctx, part, {0});
        }
        states.push_back(emit::concat(ctx, parts, 0));
    }
    return states;
}

/// Values that a loop assigns before anything reads them begin as any of the type that a step gives them. Those that no
/// step gives a value stay absent.
void fillInitial(NodeContext& ctx, OnnxValues& initial, const auto& step)
{
    if (areAllPresent(initial)) {
        return;
    }
    const std::size_t problems = ctx.problemCount();
    const std::size_t depth = ctx.onnx.bodyDepth();
    ctx.onnx.beginBody();
    const OnnxValue iteration = ctx.onnx.bodyInput({ElementType::Int64, Shape{}});
    OnnxValues given; // not the first values, which may be known and decide branches
    for (const OnnxValue value : initial) {
        given.push_back(value ? ctx.onnx.bodyInput(ctx.onnx.type(value)) : value);
    }
    const OnnxValues states = step(iteration, given).states;
    std::vector<std::optional<TensorType>> types(initial.size());
    for (std::size_t i = 0; i < initial.size(); ++i) {
        if (states.at(i)) {
            types[i] = ctx.onnx.type(states[i]);
        }
    }
    ctx.onnx.dropBodies(depth);
    ctx.forgetProblems(problems);
    fillUninitialized(ctx, initial, types);
}

OnnxValues loop(NodeContext& ctx)
{
    const auto* carried = attributeOf<std::int64_t>(ctx.node, "carried");
    const auto* isWhile = attributeOf<bool>(ctx.node, "is_while");
    const OnnxValues& inputs = ctx.inputs();
    if (carried == nullptr || isWhile == nullptr || *carried < 0 ||
        static_cast<std::size_t>(*carried) + 1 > inputs.size()) {
        ctx.invalid("is damaged");
    }
    const auto border = 1 + static_cast<Difference>(*carried);
    OnnxValues initial(inputs.iteratorAt(1), inputs.iteratorAt(border));
    const OnnxValues captured(inputs.iteratorAt(border), inputs.end());
    const auto step = [&](OnnxValue iteration, const OnnxValues& states) {
        OnnxValues given{iteration};
        given.insert(given.end(), states.begin(), states.end());
        given.insert(given.end(), captured.begin(), captured.end());
        const OnnxValues results = ctx.translateSubgraph(bodyOf(ctx, "body"), given);
        const Difference first = *isWhile ? 1 : 0;
        const Difference last = first + static_cast<Difference>(*carried);
        OnnxValues next(results.iteratorAt(first), results.iteratorAt(last));
        for (std::size_t i = 0; i < next.size(); ++i) {
            next[i] = next[i] ? next[i] : states.at(i); // not computed, so never read
        }
        return forms::CarriedStep{
            *isWhile ? results.at(0) : OnnxValue{}, std::move(next), {results.iteratorAt(last), results.end()}};
    };
    fillInitial(ctx, initial, step);
    forms::JoinAxes joinAxes;
    if (const auto* axes = attributeOf<Ints>(ctx.node, joinedItems)) {
        for (const std::int64_t axis : *axes) {
            joinAxes.push_back(axis == notJoined ? std::nullopt : std::optional(axis));
        }
    }
    const auto turns = *isWhile ? std::nullopt : forms::knownInts(ctx, inputs[0]);
    if (turns && turns->size() == 1 && turns->front() <= mostUnrolled &&
        (turns->front() > 0 || ctx.node.outputs.size() == initial.size())) {
        return unrolled(ctx, turns->front(), initial, step, joinAxes);
    }
    const auto stepOfPresent = [&](OnnxValue iteration, const OnnxValues& states) {
        forms::CarriedStep made = step(iteration, inPlacesOf(initial, states));
        OnnxValues next;
        for (std::size_t i = 0; i < initial.size(); ++i) {
            if (initial[i]) {
                next.push_back(made.states.at(i));
            }
        }
        made.states = std::move(next);
        return made;
    };
    return inPlacesOf(initial,
                      forms::carriedLoop(ctx, *isWhile ? OnnxValue{} : inputs[0], *isWhile ? inputs[0] : OnnxValue{},
                                         withoutAbsent(initial), stepOfPresent, joinAxes));
}

OnnxValues uninitialized(NodeContext& /*ctx*/)
{
    return {OnnxValue{}};
}

/// An exception that the program raises if a condition has a value; also of a branch that has no form in ONNX.
OnnxValues exception(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const auto known = knownTruth(ctx, arguments.tensor("condition"));
    const bool raisesIf = arguments.truth("raises_if");
    const std::string message = arguments.text("message");
    if (known && *known != raisesIf) {
        return {};
    }
    if (arguments.truth("is_unsupported")) {
        ctx.refuse(known ? message : fmt::format("a branch has no form in ONNX: {}", message));
    }
    if (known) {
        ctx.refuse(fmt::format("the model raises an exception for these inputs: {}", message));
    }
    ctx.note("dropped-check", fmt::format("the model raises an exception for some inputs, which the ONNX model does "
                                          "not: {}",
                                          message));
    return {};
}

OnnxValues isGradEnabled(NodeContext& ctx)
{
    ctx.note("assumed-inference", "the program asks whether gradients are computed: the ONNX model is that without "
                                  "gradients, as in torch.no_grad()");
    return {ctx.onnx.scalar(ElementType::Bool, 0)};
}

OnnxValues unsupported(NodeContext& ctx)
{
    ctx.refuse(Arguments(ctx).text("message"));
}

} // namespace

std::span<const OpRow> scriptControlOps()
{
    static constexpr OpRow rows[] = {
        {"prim::If", conditional, "If"},
        {"prim::Loop", loop, "Loop"},
        {"prim::Uninitialized", uninitialized, ""},
        {"aten::is_grad_enabled", isGradEnabled, "", Support::Exact, "is False"},
        {"prim::RaiseException", exception, "", Support::Exact, "is a check"},
        {"prim::Unsupported", unsupported, "", Support::NotSupported,
         "the program up to a construct without a form in ONNX"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
