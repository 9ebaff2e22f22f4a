// _foreach, _while_loop and _cond with their subgraphs: Scan, Loop and If.

#include "core/convert/emit.h"
#include "core/convert/forms/control/loop_state.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace crosswalk::mxnet {
namespace {

SubgraphId bodyOf(const NodeContext& ctx, std::size_t index, std::size_t count)
{
    const auto* bodies = attributeOf<std::vector<SubgraphId>>(ctx.node, "subgraphs");
    if (bodies == nullptr || bodies->size() != count) {
        ctx.invalid(fmt::format("{} has {} subgraphs, but the node has {}", ctx.node.op, count,
                                bodies == nullptr ? 0 : bodies->size()));
    }
    return (*bodies)[index];
}

/// Indices in an attribute, each within [0, limit).
std::vector<std::size_t> places(const NodeContext& ctx, std::string_view name, std::size_t limit)
{
    std::vector<std::size_t> result;
    for (const std::int64_t place : Attributes(ctx).ints(name)) {
        if (place < 0 || static_cast<std::size_t>(place) >= limit) {
            ctx.invalid(fmt::format("{} contains index {}, but there are only {}", name, place, limit),
                        std::string(name));
        }
        result.push_back(static_cast<std::size_t>(place));
    }
    return result;
}

/// Arguments of a subgraph: for each, the node's input that it represents.
OnnxValues argumentsOf(const NodeContext& ctx, SubgraphId body, std::string_view name)
{
    const auto outer = places(ctx, name, ctx.inputCount());
    if (outer.size() != ctx.graph.subgraph(body).inputs.size()) {
        ctx.invalid(fmt::format("{} lists {} arguments, but the subgraph takes {}", name, outer.size(),
                                ctx.graph.subgraph(body).inputs.size()),
                    std::string(name));
    }
    OnnxValues values;
    for (const std::size_t place : outer) {
        values.push_back(ctx.input(place));
    }
    return values;
}

std::size_t outputsOf(const NodeContext& ctx, SubgraphId body, std::size_t stacked, std::size_t carried)
{
    const std::size_t count = ctx.graph.subgraph(body).outputs.size();
    if (count != stacked + carried) {
        ctx.invalid(fmt::format("its subgraph returns {} values, but the node requires {}", count, stacked + carried));
    }
    return count;
}

std::size_t stackedCount(const NodeContext& ctx)
{
    const std::int64_t count = Attributes(ctx).integer("num_out_data");
    if (count < 0 || static_cast<std::size_t>(count) > ctx.node.outputs.size()) {
        ctx.invalid(fmt::format("num_out_data = {} of {} outputs", count, ctx.node.outputs.size()), "num_out_data");
    }
    return static_cast<std::size_t>(count);
}

/// What a foreach iterates over. Without numpy's shapes there are no scalars: a step of a vector is one of its elements
/// as a vector.
OnnxValues sequencesOf(const NodeContext& ctx, std::size_t count)
{
    OnnxValues sequences(ctx.inputs().begin(), ctx.inputs().iteratorAt(count));
    for (OnnxValue& sequence : sequences) {
        if (ctx.rank(sequence) == 1 && !hasNumpyShapes(ctx)) {
            sequence = emit::unsqueeze(ctx, sequence, {1});
        }
    }
    return sequences;
}

TensorType stepOf(const NodeContext& ctx, OnnxValue sequence)
{
    Shape step = ctx.shape(sequence);
    if (step.empty()) {
        ctx.invalid("it iterates over the first axis of a scalar");
    }
    step.erase(step.begin());
    return {ctx.element(sequence), step};
}

OnnxValues foreach (NodeContext& ctx)
{
    const SubgraphId body = bodyOf(ctx, 0, 1);
    const std::size_t arguments = ctx.graph.subgraph(body).inputs.size();
    const auto dataPlaces = places(ctx, "in_data_locs", arguments);
    const auto statePlaces = places(ctx, "in_state_locs", arguments);
    const auto restPlaces = places(ctx, "remain_locs", arguments);
    const std::size_t states = statePlaces.size();
    const std::size_t stacked = stackedCount(ctx);
    if (dataPlaces.empty() || dataPlaces.size() + states + restPlaces.size() != ctx.inputCount()) {
        ctx.invalid(fmt::format("its subgraph uses {} arguments, but the node has {} inputs",
                                dataPlaces.size() + states + restPlaces.size(), ctx.inputCount()));
    }
    outputsOf(ctx, body, stacked, states);

    const OnnxValues sequences = sequencesOf(ctx, dataPlaces.size());
    LoopState carried(
        ctx, {ctx.inputs().iteratorAt(dataPlaces.size()), ctx.inputs().iteratorAt(dataPlaces.size() + states)});
    const OnnxBody made = carried.settle([&](const OnnxValues& initial) {
        OnnxValues given(arguments);
        for (std::size_t i = 0; i < states; ++i) {
            given[statePlaces[i]] = ctx.onnx.bodyInput(ctx.onnx.type(initial[i]));
        }
        for (std::size_t i = 0; i < dataPlaces.size(); ++i) {
            given[dataPlaces[i]] = ctx.onnx.bodyInput(stepOf(ctx, sequences[i]));
        }
        for (std::size_t i = 0; i < restPlaces.size(); ++i) {
            given[restPlaces[i]] = ctx.input(dataPlaces.size() + states + i);
        }
        const OnnxValues results = ctx.translateSubgraph(body, given);
        return LoopState::Step{{results.iteratorAt(stacked), results.end()},
                               {results.begin(), results.iteratorAt(stacked)}};
    });
    OnnxValues inputs = carried.initial();
    inputs.insert(inputs.end(), sequences.begin(), sequences.end());
    OnnxValues results = ctx.onnx.add(
        "Scan", inputs, {{"body", made}, {"num_scan_inputs", static_cast<std::int64_t>(dataPlaces.size())}},
        states + stacked);
    std::rotate(results.begin(), results.iteratorAt(states), results.end());
    return results;
}

/// MXNet's condition (one element of any type) as ONNX requires it (a bool scalar).
OnnxValue condition(const NodeContext& ctx, OnnxValue value)
{
    const OnnxValue truth = emit::cast(ctx, value, ElementType::Bool);
    const auto& shape = ctx.onnx.shape(truth);
    return shape && shape->empty() ? truth : emit::reshape(ctx, truth, Ints{});
}

OnnxValue onlyResult(const NodeContext& ctx, const OnnxValues& results)
{
    if (results.size() != 1 || !results[0]) {
        ctx.invalid(fmt::format("its condition returns {} values", results.size()));
    }
    return results[0];
}

/// The rows of the executed steps, padded with zeros to `length` rows (MXNet leaves those undefined).
OnnxValue filledUp(const NodeContext& ctx, OnnxValue rows, std::int64_t length)
{
    const Shape shape = ctx.shape(rows);
    const Shape rest(shape.iteratorAt(1), shape.end());
    const ElementType type = ctx.element(rows);
    OnnxValue zeros;
    if (isFixed(rest)) {
        Ints dims{length};
        for (const Dim& dim : rest) {
            dims.push_back(dim.size);
        }
        zeros = ctx.onnx.constant(Tensor::filled(type, dims, 0));
    } else {
        constexpr std::int64_t end = std::numeric_limits<std::int64_t>::max();
        const OnnxValue inner = emit::slice(ctx, ctx.emit("Shape", {rows}), Ints{1}, Ints{end}, Ints{0});
        zeros = emit::expand(ctx, ctx.onnx.scalar(type, 0), emit::concat(ctx, {ctx.onnx.ints({length}), inner}, 0));
    }
    const OnnxValue result = emit::slice(ctx, emit::concat(ctx, {rows, zeros}, 0), Ints{0}, Ints{length}, Ints{0});
    Shape known = rest;
    known.insert(known.begin(), Dim(length));
    ctx.onnx.refine(result, known);
    return result;
}

OnnxValues whileLoop(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const SubgraphId test = bodyOf(ctx, 0, 2);
    const SubgraphId body = bodyOf(ctx, 1, 2);
    const OnnxValues testArguments = argumentsOf(ctx, test, "cond_input_locs");
    const OnnxValues bodyArguments = argumentsOf(ctx, body, "func_input_locs");
    const auto testPlaces = places(ctx, "cond_input_locs", ctx.inputCount());
    const auto bodyPlaces = places(ctx, "func_input_locs", ctx.inputCount());
    const auto variables = places(ctx, "func_var_locs", bodyArguments.size());
    const std::int64_t most = attributes.integer("max_iterations");
    const std::size_t stacked = stackedCount(ctx);
    if (most < 1) {
        ctx.invalid(fmt::format("max_iterations = {}", most), "max_iterations");
    }
    outputsOf(ctx, body, stacked, variables.size());

    // The node's input that a loop variable starts from identifies the variable in both subgraphs.
    const auto withVariables = [&](OnnxValues arguments, const std::vector<std::size_t>& argumentPlaces,
                                   const OnnxValues& now) {
        for (std::size_t i = 0; i < variables.size(); ++i) {
            for (std::size_t k = 0; k < arguments.size(); ++k) {
                if (argumentPlaces[k] == bodyPlaces[variables[i]]) {
                    arguments[k] = now[i];
                }
            }
        }
        return arguments;
    };
    const auto goesOn = [&](const OnnxValues& now) {
        const OnnxValues arguments = withVariables(testArguments, testPlaces, now);
        return condition(ctx, onlyResult(ctx, ctx.translateSubgraph(test, arguments)));
    };
    OnnxValues start;
    for (const std::size_t variable : variables) {
        start.push_back(bodyArguments[variable]);
    }
    LoopState carried(ctx, start);
    const OnnxBody made = carried.settle([&](const OnnxValues& initial) {
        ctx.onnx.bodyInput({ElementType::Int64, Shape{}}); // the count of steps
        ctx.onnx.bodyInput({ElementType::Bool, Shape{}});
        OnnxValues now;
        for (const OnnxValue each : initial) {
            now.push_back(ctx.onnx.bodyInput(ctx.onnx.type(each)));
        }
        const OnnxValues results = ctx.translateSubgraph(body, withVariables(bodyArguments, bodyPlaces, now));
        const OnnxValues next(results.iteratorAt(stacked), results.end());
        return LoopState::Step{next, {results.begin(), results.iteratorAt(stacked)}, goesOn(next)};
    });
    OnnxValues inputs{ctx.onnx.scalar(ElementType::Int64, static_cast<double>(most)), goesOn(carried.initial())};
    inputs.insert(inputs.end(), carried.initial().begin(), carried.initial().end());
    OnnxValues results = ctx.onnx.add("Loop", inputs, {{"body", made}}, variables.size() + stacked);
    for (std::size_t i = 0; i < variables.size();
         ++i) { // before opset 13 shape inference leaves loop-carried values open
        ctx.onnx.refine(results[i], ctx.shape(carried.initial()[i]));
    }
    std::rotate(results.begin(), results.iteratorAt(variables.size()), results.end());
    for (std::size_t i = 0; i < stacked; ++i) {
        results[i] = filledUp(ctx, results[i], most);
    }
    return results;
}

OnnxValues conditional(NodeContext& ctx)
{
    const SubgraphId test = bodyOf(ctx, 0, 3);
    const OnnxValue truth =
        condition(ctx, onlyResult(ctx, ctx.translateSubgraph(test, argumentsOf(ctx, test, "cond_input_locs"))));
    const auto branch = [&](std::size_t index, std::string_view name) {
        const SubgraphId body = bodyOf(ctx, index, 3);
        const OnnxValues arguments = argumentsOf(ctx, body, name);
        outputsOf(ctx, body, ctx.node.outputs.size(), 0);
        ctx.onnx.beginBody();
        return ctx.onnx.endBody(ctx.translateSubgraph(body, arguments));
    };
    const OnnxBody then = branch(1, "then_input_locs");
    const OnnxBody otherwise = branch(2, "else_input_locs");
    return ctx.onnx.add("If", {truth}, {{"then_branch", then}, {"else_branch", otherwise}}, ctx.node.outputs.size());
}

} // namespace

std::span<const OpRow> controlFlowOps()
{
    static constexpr OpRow rows[] = {
        {"_cond", conditional, "If"},
        {"_foreach", foreach, "Scan"},
        {"_while_loop", whileLoop, "Loop, Concat, Slice", Support::Exact,
         "rows past the last step, which MXNet leaves undefined, are zero"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
