// Strings: changed, joined, matched, and converted to and from numbers.

#include "core/convert/forms/control/loops.h"
#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

/// The decimal digits of an integer are unambiguous; those of a floating-point number are not.
OnnxValues asString(NodeContext& ctx)
{
    const Settings settings(ctx);
    const OnnxValue x = ctx.input(0);
    const ElementType type = ctx.element(x);
    if (!isInteger(type) || settings.integer("width") != -1 || !settings.text("fill").empty()) {
        ctx.refuse(fmt::format("AsString of {} formats like printf, which ONNX's Cast cannot", elementTypeName(type)),
                   "T", "format the strings outside the model");
    }
    return {emit::cast(ctx, x, ElementType::String)};
}

OnnxValues stringToNumber(NodeContext& ctx)
{
    return {
        ctx.emit("Cast", {ctx.input(0)}, {{"to", static_cast<std::int64_t>(Settings(ctx).elementType("out_type"))}})};
}

/// Changes only the letters of ASCII, as the locale C does.
OnnxValues changeCase(NodeContext& ctx, std::string_view action)
{
    const std::string encoding = Settings(ctx).text("encoding");
    if (!encoding.empty()) {
        ctx.refuse(fmt::format("{} with encoding {} depends on Unicode's tables, which differ between runtimes",
                               ctx.node.op, encoding),
                   "encoding", "change the strings outside the model");
    }
    // ONNX's operator takes a vector, and returns one string for an empty one: a further string avoids that.
    const OnnxValue x = ctx.input(0);
    const OnnxValue further = ctx.onnx.constant(Tensor::strings({1}, {""}));
    const OnnxValue flat = emit::concat(ctx, {emit::reshape(ctx, x, Ints{-1}), further}, 0);
    const OnnxValue changed = ctx.emit("StringNormalizer", {flat},
                                       {{"case_change_action", std::string(action)},
                                        {"is_case_sensitive", 1},
                                        {"locale", "C"},
                                        {"stopwords", std::vector<std::string>{}}});
    ctx.onnx.refine(changed, {Dim()});
    return {emit::reshape(ctx, emit::slice(ctx, changed, Ints{0}, Ints{-1}, Ints{0}), emit::shapeVector(ctx, x))};
}

OnnxValues lower(NodeContext& ctx)
{
    return changeCase(ctx, "LOWER");
}

OnnxValues upper(NodeContext& ctx)
{
    return changeCase(ctx, "UPPER");
}

OnnxValue joined(const NodeContext& ctx, const OnnxValues& parts, const std::string& separator)
{
    OnnxValue whole = parts.at(0);
    for (std::size_t i = 1; i < parts.size(); ++i) {
        if (!separator.empty()) {
            whole = ctx.emit("StringConcat", {whole, ctx.onnx.constant(Tensor::strings({}, {separator}))});
        }
        whole = ctx.emit("StringConcat", {whole, parts[i]});
    }
    return whole;
}

OnnxValues join(NodeContext& ctx)
{
    if (ctx.inputCount() == 0) {
        return {ctx.onnx.constant(Tensor::strings({}, {""}))};
    }
    if (ctx.inputCount() > 1) {
        expectOpset(ctx, 20, "StringConcat");
    }
    return {joined(ctx, ctx.inputs(), Settings(ctx).text("separator"))};
}

/// The strings on axis 0, one after the other.
OnnxValue joinedRows(const NodeContext& ctx, OnnxValue rows, const std::string& separator)
{
    const OnnxValue empty = ctx.onnx.constant(Tensor::strings({}, {""}));
    const OnnxValue start = emit::expand(ctx, empty, stepShape(ctx, rows, 0));
    const OnnxValue count = scalarOf(ctx, emit::dimVector(ctx, rows, 0));
    return loop(ctx, count, {start},
                [&](OnnxValue turn, const OnnxValues& states) -> OnnxValues {
                    const OnnxValue row = emit::gather(ctx, rows, turn, 0);
                    const OnnxValue whole = joined(ctx, {states[0], row}, separator);
                    const OnnxValue isFirst = ctx.emit("Equal", {turn, ctx.onnx.scalar(ElementType::Int64, 0)});
                    return {separator.empty() ? whole : ctx.emit("Where", {isFirst, row, whole})};
                })
        .front();
}

/// Joins along the axes, of which the first one varies fastest.
OnnxValues reduceJoin(NodeContext& ctx)
{
    constexpr std::int64_t mostParts = 16; // without a loop
    const Settings settings(ctx);
    const OnnxValue x = ctx.input(0);
    Ints axes;
    for (const std::int64_t given : constantInts(ctx, 1, "reduction_indices")) {
        const std::int64_t axis = ctx.axis(given, ctx.rank(x), "reduction_indices");
        if (std::ranges::find(axes, axis) != axes.end()) {
            ctx.invalid(fmt::format("axis {} occurs twice", given), "reduction_indices");
        }
        axes.push_back(axis);
    }
    if (axes.empty()) {
        return {x};
    }
    expectOpset(ctx, 20, "StringConcat");
    Ints permutation(axes.rbegin(), axes.rend());
    OnnxValues rowDims{emit::dimProduct(ctx, x, axes)};
    OnnxValues resultDims;
    for (std::int64_t axis = 0; axis < static_cast<std::int64_t>(ctx.rank(x)); ++axis) {
        if (std::ranges::find(axes, axis) == axes.end()) {
            permutation.push_back(axis);
            rowDims.push_back(emit::dimVector(ctx, x, axis));
            resultDims.push_back(rowDims.back());
        } else if (settings.boolean("keep_dims")) {
            resultDims.push_back(ctx.onnx.ints({1}));
        }
    }
    const OnnxValue rows = emit::reshape(ctx, emit::transpose(ctx, x, permutation), emit::concat(ctx, rowDims, 0));
    const std::string separator = settings.text("separator");
    const Dim count = ctx.shape(rows)[0];
    OnnxValue whole;
    if (count.isFixed() && count.size > 0 && count.size <= mostParts) {
        whole = joined(ctx, emit::split(ctx, rows, 0, Ints(static_cast<std::size_t>(count.size), 1)), separator);
    } else {
        whole = joinedRows(ctx, rows, separator);
    }
    const OnnxValue dims = resultDims.empty() ? ctx.onnx.ints({}) : emit::concat(ctx, resultDims, 0);
    return {emit::reshape(ctx, whole, dims)};
}

/// Both match with the same library's syntax, RE2.
OnnxValues matched(NodeContext& ctx, const std::string& pattern)
{
    expectOpset(ctx, 20, "RegexFullMatch");
    return {ctx.emit("RegexFullMatch", {ctx.input(0)}, {{"pattern", pattern}})};
}

OnnxValues matchesPattern(NodeContext& ctx)
{
    return matched(ctx, Settings(ctx).text("pattern"));
}

OnnxValues matchesOperand(NodeContext& ctx)
{
    return matched(ctx, constantString(ctx, 1, "pattern"));
}

} // namespace

std::span<const OpRow> stringOps()
{
    static constexpr OpRow rows[] = {
        {"AsString", asString, "Cast", "integers"},
        {"ReduceJoin", reduceJoin, "StringConcat", "opset 20"},
        {"RegexFullMatch", matchesOperand, "RegexFullMatch", "opset 20"},
        {"StaticRegexFullMatch", matchesPattern, "RegexFullMatch", "opset 20"},
        {"StringJoin", join, "StringConcat", "opset 20"},
        {"StringLower", lower, "StringNormalizer", "letters of ASCII, the default encoding"},
        {"StringToNumber", stringToNumber, "Cast"},
        {"StringUpper", upper, "StringNormalizer", "letters of ASCII, the default encoding"},
    };
    return rows;
}

} // namespace crosswalk::tensorflow
