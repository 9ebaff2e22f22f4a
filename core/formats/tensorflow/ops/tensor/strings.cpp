// Strings: changed, joined, matched, and converted to and from numbers.

#include "core/formats/tensorflow/ops/node_settings.h"
#include "core/formats/tensorflow/ops/operands.h"
#include "core/formats/tensorflow/ops/tensorflow_families.h"

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

void expectOpset20(const NodeContext& ctx, std::string_view op)
{
    if (ctx.onnx.opset() < 20) {
        ctx.refuse(fmt::format("{} requires {}, available from opset 20", ctx.node.op, op), {}, "take --opset 20");
    }
}

OnnxValues join(NodeContext& ctx)
{
    const std::string separator = Settings(ctx).text("separator");
    if (ctx.inputCount() == 0) {
        return {ctx.onnx.constant(Tensor::strings({}, {""}))};
    }
    if (ctx.inputCount() > 1) {
        expectOpset20(ctx, "StringConcat");
    }
    OnnxValue joined = ctx.input(0);
    for (std::size_t i = 1; i < ctx.inputCount(); ++i) {
        if (!separator.empty()) {
            joined = ctx.emit("StringConcat", {joined, ctx.onnx.constant(Tensor::strings({}, {separator}))});
        }
        joined = ctx.emit("StringConcat", {joined, ctx.input(i)});
    }
    return {joined};
}

/// Both match with the same library's syntax, RE2.
OnnxValues matched(NodeContext& ctx, const std::string& pattern)
{
    expectOpset20(ctx, "RegexFullMatch");
    return {ctx.emit("RegexFullMatch", {ctx.input(0)}, {{"pattern", pattern}})};
}

OnnxValues matchesPattern(NodeContext& ctx)
{
    return matched(ctx, Settings(ctx).text("pattern"));
}

OnnxValues matchesOperand(NodeContext& ctx)
{
    const Tensor* pattern = ctx.onnx.content(ctx.input(1));
    if (pattern == nullptr || pattern->elements() != 1) {
        ctx.refuse("the pattern is computed at run time, but ONNX requires a constant", {}, "make it a constant");
    }
    return matched(ctx, pattern->toStrings().front());
}

} // namespace

std::span<const OpRow> stringOps()
{
    static constexpr OpRow rows[] = {
        {"AsString", asString, "Cast", "integers"},
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
