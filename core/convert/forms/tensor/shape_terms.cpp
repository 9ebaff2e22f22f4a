#include "core/convert/forms/tensor/shape_terms.h"

#include "core/base/saturating_product.h"
#include "core/convert/emit.h"

#include <algorithm>
#include <fmt/format.h>

namespace crosswalk::forms {
namespace {

/// The term as an int64 vector of one element.
OnnxValue computed(const NodeContext& ctx, const ShapeTerm& term)
{
    if (term.dim.isFixed()) {
        return ctx.onnx.ints({term.dim.size});
    }
    OnnxValue size = emit::dimProduct(ctx, term.source, term.axes);
    if (term.factor != 1) {
        size = ctx.emit("Mul", {size, ctx.onnx.ints({term.factor})});
    }
    return term.divisor == 1 ? size : ctx.emit("Div", {size, ctx.onnx.ints({term.divisor})});
}

/// The remaining dimension of the elements of `from` besides `terms`, as far as sizes and symbols cancel out.
Dim restOf(const Shape& from, const ShapeTerms& terms)
{
    Shape above;
    Shape below;
    std::vector<std::string> symbols;
    for (const Dim& dim : from) {
        if (dim.isFixed()) {
            above.push_back(dim);
        } else {
            symbols.push_back(dim.symbol());
        }
    }
    for (const ShapeTerm& term : terms) {
        if (term.isRest) {
            continue;
        }
        if (term.dim.isFixed()) {
            below.push_back(term.dim);
            continue;
        }
        const auto match = std::find(symbols.begin(), symbols.end(), term.dim.symbol());
        if (term.dim.symbol().empty() || match == symbols.end()) {
            return {};
        }
        symbols.erase(match);
    }
    const auto whole = elementCount(above);
    const auto part = elementCount(below);
    if (!whole || !part || *part == 0 || *whole % *part != 0) {
        return {};
    }
    if (symbols.empty()) {
        return {*whole / *part};
    }
    return symbols.size() == 1 && *whole == *part && !symbols.front().empty() ? Dim(symbols.front()) : Dim();
}

/// The shape in the words of Reshape, where it has them: a number, 0 for the input's dimension at the same place, -1
/// for one of the others.
std::optional<Ints> reshapeCodes(OnnxValue x, const ShapeTerms& terms)
{
    bool isInferred = std::any_of(terms.begin(), terms.end(),
                                  [](const ShapeTerm& term) { return term.isRest && !term.dim.isFixed(); });
    Ints codes;
    for (const ShapeTerm& term : terms) {
        const auto place = static_cast<std::int64_t>(codes.size());
        if (term.dim.isFixed() && term.dim.size != 0) {
            codes.push_back(term.dim.size);
        } else if (term.source == x && term.axes == Ints{place} && term.factor == 1 && term.divisor == 1) {
            codes.push_back(0);
        } else if (term.isRest || !isInferred) {
            isInferred = true;
            codes.push_back(-1);
        } else {
            return std::nullopt;
        }
    }
    return codes;
}

} // namespace

ShapeTerm fixedTerm(std::int64_t size)
{
    return {.dim = size};
}

ShapeTerm restTerm()
{
    return {.dim = {}, .isRest = true};
}

ShapeTerm termOf(const NodeContext& ctx, OnnxValue x, const Ints& axes)
{
    const Shape& shape = ctx.shape(x);
    ShapeTerm term{.dim = 1, .source = x, .axes = axes};
    Dim open;
    std::size_t openCount = 0;
    for (const auto axis : axes) {
        const Dim& dim = shape[static_cast<std::size_t>(axis)];
        if (dim.isFixed()) {
            term.dim.size = saturatingProduct(term.dim.size, dim.size);
        } else {
            open = dim;
            ++openCount;
        }
    }
    if (openCount > 0) {
        term.dim = openCount == 1 && term.dim.size == 1 ? open : Dim();
    }
    return term;
}

ShapeTerms termsOf(const NodeContext& ctx, OnnxValue x)
{
    ShapeTerms terms;
    for (std::int64_t axis = 0; axis < static_cast<std::int64_t>(ctx.rank(x)); ++axis) {
        terms.push_back(termOf(ctx, x, {axis}));
    }
    return terms;
}

Shape knownShape(const ShapeTerms& terms)
{
    Shape shape;
    std::transform(terms.begin(), terms.end(), std::back_inserter(shape), [](const ShapeTerm& t) { return t.dim; });
    return shape;
}

OnnxValue shapeVector(const NodeContext& ctx, const ShapeTerms& terms)
{
    OnnxValues parts;
    Ints fixed;
    const auto flush = [&] {
        if (!fixed.empty()) {
            parts.push_back(ctx.onnx.ints(fixed));
            fixed.clear();
        }
    };
    for (const ShapeTerm& term : terms) {
        if (term.dim.isFixed() || term.isRest) {
            fixed.push_back(term.dim.size);
        } else {
            flush();
            parts.push_back(computed(ctx, term));
        }
    }
    flush();
    return parts.empty() ? ctx.onnx.ints({}) : emit::concat(ctx, parts, 0);
}

OnnxValue reshapeTo(const NodeContext& ctx, OnnxValue x, ShapeTerms terms, std::string_view attribute)
{
    const Shape from = ctx.shape(x);
    for (ShapeTerm& term : terms) {
        if (term.isRest) {
            term.dim = restOf(from, terms);
        }
    }
    const Shape to = knownShape(terms);
    if (isFixed(from) && isFixed(to) && elementCount(from) != elementCount(to)) {
        ctx.invalid(fmt::format("a tensor of shape {} cannot be reshaped to {}", toString(from), toString(to)),
                    std::string(attribute));
    }
    if (from == to) {
        return x;
    }
    const auto codes = reshapeCodes(x, terms);
    const OnnxValue y = codes ? emit::reshape(ctx, x, *codes) : ctx.emit("Reshape", {x, shapeVector(ctx, terms)});
    ctx.onnx.refine(y, to);
    return y;
}

OnnxValue expandTo(const NodeContext& ctx, OnnxValue x, const ShapeTerms& terms)
{
    const Shape to = knownShape(terms);
    if (ctx.shape(x) == to) {
        return x;
    }
    const OnnxValue y = emit::expand(ctx, x, shapeVector(ctx, terms));
    ctx.onnx.refine(y, to);
    return y;
}

} // namespace crosswalk::forms
