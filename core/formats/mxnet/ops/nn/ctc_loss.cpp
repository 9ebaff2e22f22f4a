// CTCLoss: minus the logarithm of the probability that a sequence produces a label.

#include "core/convert/emit.h"
#include "core/convert/forms/control/loops.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/formats/mxnet/families.h"
#include "core/formats/mxnet/operator_attributes.h"

namespace crosswalk::mxnet {
namespace {

/// Represents the logarithm of 0: its sums and differences stay finite.
constexpr double never = -1e30;

OnnxValue number(const NodeContext& ctx, double value)
{
    return ctx.onnx.scalar(ElementType::Float32, value);
}

/// log(e^a + e^b + ...)
OnnxValue logOfSum(const NodeContext& ctx, const OnnxValues& terms)
{
    const OnnxValue largest = ctx.emit("Max", terms);
    OnnxValues parts;
    for (const OnnxValue term : terms) {
        parts.push_back(ctx.emit("Exp", {ctx.emit("Sub", {term, largest})}));
    }
    return ctx.emit("Add", {largest, ctx.emit("Log", {ctx.emit("Sum", parts)})});
}

struct Label {
    OnnxValue spelled; ///< int64 (N, 2 L + 1): a blank before, between and behind the symbols
    OnnxValue length;  ///< int64 (N, 1)
    OnnxValue repeats; ///< int64 (N, 1): symbols that equal the preceding one and so need a blank between
    OnnxValue skips;   ///< bool (N, 2 L + 1): whether the blank before a symbol may be skipped
};

/// x (N, K) shifted right by `count` and filled with `filler`.
OnnxValue shifted(const NodeContext& ctx, OnnxValue x, std::int64_t count, OnnxValue filler)
{
    const OnnxValue kept = emit::slice(ctx, x, Ints{0}, Ints{-count}, Ints{1});
    const OnnxValue dims = emit::concat(ctx, {emit::dimVector(ctx, x, 0), ctx.onnx.ints({count})}, 0);
    return emit::concat(ctx, {emit::expand(ctx, filler, dims), kept}, 1);
}

/// The index of the first `padding` in each row, or the row's size.
OnnxValue lengthOf(const NodeContext& ctx, OnnxValue symbols, std::int64_t padding)
{
    const OnnxValue isPadding =
        ctx.emit("Equal", {symbols, ctx.onnx.scalar(ElementType::Int64, static_cast<double>(padding))});
    const OnnxValue marks = emit::cast(ctx, isPadding, ElementType::Float32);
    const OnnxValue dims = emit::concat(ctx, {emit::dimVector(ctx, symbols, 0), ctx.onnx.ints({1})}, 0);
    const OnnxValue closed = emit::concat(ctx, {marks, emit::expand(ctx, number(ctx, 1), dims)}, 1);
    return ctx.emit("ArgMax", {closed}, {{"axis", 1}, {"keepdims", 1}});
}

Label labelOf(const NodeContext& ctx, OnnxValue symbols, OnnxValue length, OnnxValue blank)
{
    Label label;
    label.length = length;
    const OnnxValue rows = emit::dimVector(ctx, symbols, 0);
    const OnnxValue blanks = emit::expand(ctx, blank, emit::shapeVector(ctx, symbols));
    const OnnxValue pairs =
        emit::concat(ctx, {emit::unsqueeze(ctx, blanks, {2}), emit::unsqueeze(ctx, symbols, {2})}, 2);
    const OnnxValue flat = emit::reshape(ctx, pairs, emit::concat(ctx, {rows, ctx.onnx.ints({-1})}, 0));
    const OnnxValue last = emit::expand(ctx, blank, emit::concat(ctx, {rows, ctx.onnx.ints({1})}, 0));
    label.spelled = emit::concat(ctx, {flat, last}, 1);
    const Dim& size = ctx.shape(symbols)[1];
    ctx.onnx.refine(label.spelled, {ctx.shape(symbols)[0], size.isFixed() ? Dim(2 * size.size + 1) : Dim()});
    // Elements beyond the length are never read.
    const OnnxValue twoBefore = shifted(ctx, label.spelled, 2, blank);
    const OnnxValue isBlank = ctx.emit("Equal", {label.spelled, blank});
    const OnnxValue isSame = ctx.emit("Equal", {label.spelled, twoBefore});
    label.skips = ctx.emit("Not", {ctx.emit("Or", {isBlank, isSame})});
    const OnnxValue before = shifted(ctx, symbols, 1, ctx.onnx.scalar(ElementType::Int64, -2));
    const OnnxValue inLabel = ctx.emit("Less", {countUp(ctx, symbols, 1), length});
    const OnnxValue repeated = ctx.emit("And", {ctx.emit("Equal", {symbols, before}), inLabel});
    label.repeats =
        emit::cast(ctx, emit::reduce(ctx, "ReduceSum", emit::cast(ctx, repeated, ElementType::Float32), {1}, true),
                   ElementType::Int64);
    return label;
}

/// Logarithms of the probabilities of each label position at the end of the sequence: (N, 2 L + 1).
OnnxValue endings(const NodeContext& ctx, OnnxValue logits, const Label& label, OnnxValue durations)
{
    const OnnxValue classes = emit::dimVector(ctx, logits, 2);
    const OnnxValue lastClass = emit::cast(ctx, classes, ElementType::Float32);
    const OnnxValue known = emit::cast(ctx, label.spelled, ElementType::Float32);
    const OnnxValue held =
        ctx.emit("Min", {ctx.emit("Max", {known, number(ctx, 0)}), ctx.emit("Sub", {lastClass, number(ctx, 1)})});
    const OnnxValue places = emit::cast(ctx, held, ElementType::Int64);
    const OnnxValue nowhere = number(ctx, never);
    // Before the first step: at the first blank, as if it had been skipped.
    const OnnxValue isFirst =
        ctx.emit("Less", {countUp(ctx, label.spelled, 1), ctx.onnx.scalar(ElementType::Int64, 1)});
    const OnnxValue start =
        emit::expand(ctx, ctx.emit("Where", {isFirst, number(ctx, 0), nowhere}), emit::shapeVector(ctx, label.spelled));
    ctx.onnx.refine(start, ctx.shape(label.spelled));
    const OnnxValue steps = countUp(ctx, logits, 0);
    return scan(ctx, {start}, {emit::softmax(ctx, logits, 2, true), steps},
                [&](const OnnxValues& states, const OnnxValues& elements) {
                    const OnnxValue now = states[0];
                    const OnnxValue skipped = shifted(ctx, now, 2, nowhere);
                    const OnnxValue sum = logOfSum(
                        ctx, {now, shifted(ctx, now, 1, nowhere), ctx.emit("Where", {label.skips, skipped, nowhere})});
                    const OnnxValue said = ctx.emit("GatherElements", {elements[0], places}, {{"axis", 1}});
                    OnnxValue next = ctx.emit("Add", {sum, said});
                    if (durations) {
                        const OnnxValue goesOn = ctx.emit("Less", {elements[1], durations});
                        next = ctx.emit("Where", {goesOn, next, now});
                    }
                    ctx.onnx.refine(next, ctx.shape(now));
                    return ScanStep{{next}, {}};
                })
        .states[0];
}

OnnxValue columnOfInput(const NodeContext& ctx, std::size_t i)
{
    return emit::unsqueeze(ctx, emit::cast(ctx, ctx.input(i), ElementType::Int64), {1});
}

OnnxValues ctcLoss(NodeContext& ctx)
{
    const Attributes attributes(ctx);
    const OnnxValue logits = ctx.input(0);
    if (ctx.rank(logits) != 3 || ctx.rank(ctx.input(1)) != 2 || ctx.element(logits) != ElementType::Float32) {
        ctx.invalid("CTCLoss requires data (T, N, C) in float32 and labels (N, L)");
    }
    const bool isBlankFirst = attributes.choice("blank_label", {"first", "last"}, "first") == "first";
    const bool hasDurations = attributes.boolean("use_data_lengths", false);
    const bool hasLengths = attributes.boolean("use_label_lengths", false);
    const OnnxValue symbols = emit::cast(ctx, ctx.input(1), ElementType::Int64);
    const OnnxValue one = ctx.onnx.scalar(ElementType::Int64, 1);
    const OnnxValue blank = isBlankFirst
                                ? ctx.onnx.scalar(ElementType::Int64, 0)
                                : ctx.emit("Sub", {emit::squeeze(ctx, emit::dimVector(ctx, logits, 2), {0}), one});
    const OnnxValue durations = hasDurations ? columnOfInput(ctx, 2) : OnnxValue{};
    const OnnxValue length =
        hasLengths ? columnOfInput(ctx, hasDurations ? 3 : 2) : lengthOf(ctx, symbols, isBlankFirst ? 0 : -1);
    const Label label = labelOf(ctx, symbols, length, blank);
    const OnnxValue ends = endings(ctx, logits, label, durations);
    const OnnxValue lastBlank = ctx.emit("Add", {length, length});
    const OnnxValue isEmpty = ctx.emit("Less", {length, one});
    const OnnxValue zero = ctx.onnx.scalar(ElementType::Int64, 0);
    const OnnxValue lastSymbol = ctx.emit("Where", {isEmpty, zero, ctx.emit("Sub", {lastBlank, one})});
    const auto at = [&](OnnxValue place) { return ctx.emit("GatherElements", {ends, place}, {{"axis", 1}}); };
    const OnnxValue bySymbol = ctx.emit("Where", {isEmpty, number(ctx, never), at(lastSymbol)});
    const OnnxValue loss = ctx.emit("Neg", {logOfSum(ctx, {at(lastBlank), bySymbol})});
    // MXNet returns no loss for a sequence that is too short for its label.
    const OnnxValue needed = ctx.emit("Add", {length, label.repeats});
    const OnnxValue given = hasDurations ? durations : emit::dimVector(ctx, logits, 0);
    const OnnxValue isShort = ctx.emit("Less", {given, needed});
    return {emit::squeeze(ctx, ctx.emit("Where", {isShort, number(ctx, 0), loss}), {1})};
}

} // namespace

std::span<const OpRow> ctcLossOps()
{
    static constexpr OpRow rows[] = {
        {"CTCLoss", ctcLoss, "LogSoftmax, Scan"},
    };
    return rows;
}

} // namespace crosswalk::mxnet
