// Strings split into tokens, which a sparse matrix lists by row.

#include "core/convert/forms/tensor/running_sum.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

/// The parts of each string in a row.
struct Parts {
    OnnxValue strings; ///< (n, m)
    OnnxValue isToken; ///< (n, m), bool: false for padding and for parts that do not count
};

OnnxValue emptyString(const NodeContext& ctx)
{
    return ctx.onnx.constant(Tensor::strings({}, {""}));
}

/// The places of a row below the number of its parts.
OnnxValue isBelow(const NodeContext& ctx, OnnxValue strings, OnnxValue counts)
{
    const OnnxValue places = countTo(ctx, emit::dimVector(ctx, strings, 1));
    return ctx.emit("Less", {places, emit::unsqueeze(ctx, counts, {1})});
}

/// All parts between the delimiter; none of an empty string.
Parts splitAt(const NodeContext& ctx, const std::string& delimiter)
{
    const OnnxValues split = ctx.onnx.add("StringSplit", {ctx.input(0)}, {{"delimiter", delimiter}}, 2);
    return {split[0], isBelow(ctx, split[0], split[1])};
}

/// At most `splits` + 1 parts of a string, if not negative; an empty string has an empty part.
Parts splitWithLimit(const NodeContext& ctx, const std::string& delimiter, std::int64_t splits)
{
    const OnnxValue x = ctx.input(0);
    OnnxAttributes attributes{{"delimiter", delimiter}};
    if (splits >= 0) {
        attributes.emplace_back("maxsplit", splits);
    }
    const OnnxValues split = ctx.onnx.add("StringSplit", {x}, attributes, 2);
    // ONNX Runtime finds no part in an empty string: a further column has it.
    const OnnxValue column =
        emit::expand(ctx, emptyString(ctx), emit::concat(ctx, {emit::dimVector(ctx, x, 0), ctx.onnx.ints({1})}, 0));
    const OnnxValue strings = emit::concat(ctx, {split[0], column}, 1);
    const OnnxValue counts = ctx.emit("Max", {split[1], ctx.onnx.scalar(ElementType::Int64, 1)});
    return {strings, isBelow(ctx, strings, counts)};
}

/// The parts between any of the delimiters, characters of one byte, that are not empty.
Parts splitAtAny(const NodeContext& ctx, std::string_view delimiters)
{
    // Each delimiter splits the parts of the one before, on a further axis.
    OnnxValue parts = ctx.input(0);
    Ints axes;
    for (const char delimiter : delimiters) {
        parts = ctx.onnx.add("StringSplit", {parts}, {{"delimiter", std::string(1, delimiter)}}, 2)[0];
        axes.push_back(static_cast<std::int64_t>(axes.size()) + 1);
    }
    const OnnxValue dims = emit::concat(ctx, {emit::dimVector(ctx, parts, 0), emit::dimProduct(ctx, parts, axes)}, 0);
    parts = emit::reshape(ctx, parts, dims);
    return {parts, ctx.emit("Not", {ctx.emit("Equal", {parts, emptyString(ctx)})})};
}

/// Indices, values and dimensions of the sparse matrix: the tokens of a row follow each other without gaps.
OnnxValues sparseTokens(const NodeContext& ctx, const Parts& parts)
{
    const OnnxValue numbers = emit::cast(ctx, parts.isToken, ElementType::Int64);
    const OnnxValue before = runningSum(ctx, numbers, 1, true);
    const OnnxValue places = emit::transpose(ctx, ctx.emit("NonZero", {parts.isToken}), {1, 0});
    const OnnxValue rows = emit::slice(ctx, places, Ints{0}, Ints{1}, Ints{1});
    const OnnxValue columns = emit::unsqueeze(ctx, ctx.emit("GatherND", {before, places}), {1});
    const OnnxValue counts = emit::reduce(ctx, "ReduceSum", numbers, {1}, false);
    const OnnxValue longest =
        emit::reduce(ctx, "ReduceMax", emit::concat(ctx, {counts, ctx.onnx.ints({0})}, 0), {0}, true);
    return {emit::concat(ctx, {rows, columns}, 1), ctx.emit("GatherND", {parts.strings, places}),
            emit::concat(ctx, {emit::dimVector(ctx, ctx.input(0), 0), longest}, 0)};
}

/// Without a separator at any white space, as Python does.
OnnxValues splitBySeparator(NodeContext& ctx)
{
    expectOpset(ctx, 20, "StringSplit");
    const std::string separator = constantString(ctx, 1, "separator");
    const std::int64_t limit = Settings(ctx).integer("maxsplit");
    if (!separator.empty()) {
        return sparseTokens(ctx, splitWithLimit(ctx, separator, limit));
    }
    if (limit >= 0) {
        ctx.refuse("StringSplitV2 splits at white space with a limit, but ONNX Runtime splits at spaces only",
                   "maxsplit");
    }
    return sparseTokens(ctx, splitAtAny(ctx, " \t\n\v\f\r"));
}

/// Every character of the delimiter splits.
OnnxValues splitByCharacters(NodeContext& ctx)
{
    expectOpset(ctx, 20, "StringSplit");
    const std::string delimiters = constantString(ctx, 1, "delimiter");
    if (delimiters.empty()) {
        ctx.refuse("StringSplit without a delimiter splits into bytes, which ONNX does not", "delimiter");
    }
    constexpr std::size_t mostDelimiters = 16;
    const bool isText = std::ranges::all_of(delimiters, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    if (!isText || delimiters.size() > mostDelimiters) {
        ctx.refuse(fmt::format("StringSplit is supported for at most {} delimiters of ASCII", mostDelimiters),
                   "delimiter");
    }
    if (Settings(ctx).boolean("skip_empty")) {
        return sparseTokens(ctx, splitAtAny(ctx, delimiters));
    }
    if (delimiters.size() > 1) {
        ctx.refuse("StringSplit keeps the empty parts between several delimiters, but ONNX's operator has only one",
                   "delimiter");
    }
    return sparseTokens(ctx, splitAt(ctx, delimiters));
}

} // namespace

std::span<const OpRow> stringSplittingOps()
{
    static constexpr OpRow rows[] = {
        {"StringSplit", splitByCharacters, "StringSplit, NonZero", "opset 20"},
        {"StringSplitV2", splitBySeparator, "StringSplit, NonZero", "opset 20; at white space without a limit"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
