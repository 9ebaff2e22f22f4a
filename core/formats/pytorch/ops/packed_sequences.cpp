#include "core/formats/pytorch/ops/packed_sequences.h"

#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/int_vector.h"
#include "core/convert/forms/tensor/sizes.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numeric>

namespace crosswalk::pytorch {
namespace {

bool readsPacked(std::string_view op)
{
    static constexpr auto names = std::to_array<std::string_view>(
        {"aten::lstm", "aten::gru", "aten::rnn_tanh", "aten::rnn_relu", "aten::quantized_lstm", "aten::quantized_gru",
         "aten::_pad_packed_sequence", "aten::dropout", "prim::dtype"});
    return std::ranges::find(names, op) != names.end();
}

/// A bool matrix (a, b): whether each number of a vector is above each place of 0, 1, ... `count`.
OnnxValue abovePlaces(const NodeContext& ctx, OnnxValue numbers, OnnxValue count)
{
    const OnnxValue places = emit::unsqueeze(ctx, forms::countTo(ctx, count), {0});
    return ctx.emit("Greater", {emit::unsqueeze(ctx, emit::cast(ctx, numbers, ElementType::Int64), {1}), places});
}

OnnxValue countOf(const NodeContext& ctx, OnnxValue marks)
{
    return emit::reduce(ctx, "ReduceSum", emit::cast(ctx, marks, ElementType::Int64), {0}, false);
}

} // namespace

void expectReadAsPacked(const NodeContext& ctx)
{
    const auto refuse = [&](std::string_view reader) {
        ctx.refuse(fmt::format("{} reads the data of a packed sequence, which only recurrent layers can", reader), {},
                   "pad it first, with pad_packed_sequence");
    };
    ValueIds packed{ctx.node.outputs.at(0)};
    for (std::uint32_t i = ctx.id.index + 1; i < ctx.graph.nodeCount(); ++i) {
        const Node& node = ctx.graph.node(NodeId{i});
        const auto reads = [&](ValueId input) { return std::ranges::find(packed, input) != packed.end(); };
        if (!std::ranges::any_of(node.inputs, reads)) {
            continue;
        }
        const auto* dim = attributeOf<std::int64_t>(node, "dim");
        const bool isWidth = node.op == "aten::size" && dim != nullptr && *dim == -1;
        if (!readsPacked(node.op) && !isWidth) {
            refuse(node.op);
        }
        if (node.op == "aten::dropout") {
            packed.push_back(node.outputs.at(0));
        }
    }
    for (const ValueId output : ctx.graph.outputs) {
        if (std::ranges::find(packed, output) != packed.end()) {
            refuse("an output of the model");
        }
    }
}

OnnxValue lengthsOf(const NodeContext& ctx, OnnxValue sizes, OnnxValue samples)
{
    return countOf(ctx, abovePlaces(ctx, sizes, samples));
}

OnnxValue takenSteps(const NodeContext& ctx, OnnxValue sizes, OnnxValue samples)
{
    return emit::unsqueeze(ctx, abovePlaces(ctx, sizes, samples), {2});
}

namespace {

OnnxValues packSequence(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    expectReadAsPacked(ctx);
    const OnnxValue given = arguments.tensor("input");
    const OnnxValue lengths = emit::cast(ctx, arguments.tensor("lengths"), ElementType::Int64);
    const OnnxValue x = arguments.truth("batch_first") ? emit::swapAxes(ctx, given, 0, 1) : given;
    const OnnxValue longest = emit::reduce(ctx, "ReduceMax", lengths, {0}, true);
    const OnnxValue cut = emit::slice(ctx, x, ctx.onnx.ints({0}), longest, ctx.onnx.ints({0}));
    return {cut, countOf(ctx, abovePlaces(ctx, lengths, longest))};
}

/// The data with a value behind the end of each sample, and the lengths.
OnnxValues padSequence(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    OnnxValue x = arguments.tensor("data");
    const OnnxValue sizes = emit::cast(ctx, arguments.tensor("batch_sizes"), ElementType::Int64);
    const OnnxValue lengths = lengthsOf(ctx, sizes, emit::dimVector(ctx, x, 1));
    const OnnxValue value = operand(ctx, arguments, "padding_value", ctx.element(x));
    const OnnxValue times = emit::unsqueeze(ctx, forms::countTo(ctx, emit::dimVector(ctx, x, 0)), {1});
    const std::size_t rank = ctx.rank(x);
    OnnxValue isIn = ctx.emit("Less", {times, emit::unsqueeze(ctx, lengths, {0})});
    Ints features(rank - 2);
    std::iota(features.begin(), features.end(), 2);
    isIn = features.empty() ? isIn : emit::unsqueeze(ctx, isIn, features);
    x = ctx.emit("Where", {isIn, x, value});
    // A total length beyond the longest sample; a number that is not positive is none.
    const OnnxValue total = arguments.scalar("total_length", 0);
    const OnnxValue room = ctx.emit("Sub", {forms::intVector(ctx, total), emit::dimVector(ctx, x, 0)});
    const OnnxValue more = forms::sizes::larger(ctx, room, ctx.onnx.ints({0}));
    const OnnxValue pads = emit::concat(ctx, {ctx.onnx.ints(Ints(rank, 0)), more, ctx.onnx.ints(Ints(rank - 1, 0))}, 0);
    x = ctx.emit("Pad", {x, pads, value});
    return {arguments.truth("batch_first") ? emit::swapAxes(ctx, x, 0, 1) : x, lengths};
}

} // namespace

std::span<const OpRow> packedSequenceOps()
{
    static constexpr OpRow rows[] = {
        {"aten::_pack_padded_sequence", packSequence, "ReduceMax, Slice"},
        {"aten::_pad_packed_sequence", padSequence, "Where, Pad"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
