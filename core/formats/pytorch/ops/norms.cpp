// Norms of vectors and matrices, and distances.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/linalg/jacobi.h"
#include "core/convert/forms/linalg/matrix_product.h"
#include "core/convert/forms/tensor/reduce.h"
#include "core/formats/pytorch/ops/extremes.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"

#include <algorithm>
#include <cmath>

namespace crosswalk::pytorch {
namespace {

namespace arithmetic = forms::arithmetic;

/// The p-norm along axes. Half precision is summed in single.
OnnxValue normOf(const NodeContext& ctx, OnnxValue given, double p, const Ints& axes, bool keepDims)
{
    const ElementType own = ctx.element(given);
    const OnnxValue x = emit::cast(ctx, given, own == ElementType::Float64 ? own : ElementType::Float32);
    const auto made = [&](OnnxValue y) { return emit::cast(ctx, y, own); };
    const auto reduced = [&](const char* op, OnnxValue y) { return forms::reducedAlong(ctx, op, y, axes, keepDims); };
    if (axes.empty()) { // of a scalar
        const OnnxValue isThere = ctx.emit("Not", {ctx.emit("Equal", {x, emit::scalarLike(ctx, x, 0)})});
        return made(p == 0 ? emit::cast(ctx, isThere, ctx.element(x)) : ctx.emit("Abs", {x}));
    }
    if (p == 2) {
        return made(reduced("ReduceL2", x));
    }
    const OnnxValue magnitude = ctx.emit("Abs", {x});
    if (p == 1) {
        return made(reduced("ReduceSum", magnitude));
    }
    if (std::isinf(p)) {
        return made(extremeAlong(ctx, p > 0 ? "ReduceMax" : "ReduceMin", magnitude, axes, keepDims));
    }
    if (p == 0) {
        const OnnxValue isZero = ctx.emit("Equal", {magnitude, emit::scalarLike(ctx, x, 0)});
        return made(reduced("ReduceSum", emit::cast(ctx, ctx.emit("Not", {isZero}), ctx.element(x))));
    }
    const OnnxValue total = reduced("ReduceSum", arithmetic::power(ctx, magnitude, emit::scalarLike(ctx, x, p)));
    return made(arithmetic::power(ctx, total, emit::scalarLike(ctx, x, 1 / p)));
}

/// A floating operand in the type of the argument dtype.
OnnxValue typed(const NodeContext& ctx, const Arguments& arguments, std::string_view name = "self")
{
    const OnnxValue x = arguments.tensor(name);
    return emit::cast(ctx, x, arguments.type("dtype", floatingType(ctx.element(x))));
}

double orderOf(const Arguments& arguments, std::string_view name)
{
    return arguments.has(name) ? arguments.number(name, 2) : 2;
}

OnnxValues vectorNorm(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = typed(ctx, arguments);
    return {normOf(ctx, x, orderOf(arguments, "ord"), arguments.axes("dim", ctx.rank(x)), arguments.truth("keepdim"))};
}

OnnxValue nuclearNorm(const NodeContext& ctx, OnnxValue x, Ints axes, bool keepDims, const char* reduce);

/// torch.norm: p is a number, or "fro" or "nuc".
OnnxValues norm(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = typed(ctx, arguments);
    const std::string name = arguments.text("p");
    const Ints axes = arguments.axes("dim", ctx.rank(x));
    const bool keepDims = arguments.truth("keepdim");
    if (name == "nuc") {
        return {nuclearNorm(ctx, x, axes, keepDims, "ReduceSum")};
    }
    return {normOf(ctx, x, name == "fro" ? 2 : orderOf(arguments, "p"), axes, keepDims)};
}

OnnxValues frobeniusNorm(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = typed(ctx, arguments);
    return {normOf(ctx, x, 2, arguments.axes("dim", ctx.rank(x)), arguments.truth("keepdim"))};
}

/// The singular values of the matrices of two axes, reduced.
OnnxValue nuclearNorm(const NodeContext& ctx, OnnxValue x, Ints axes, bool keepDims, const char* reduce)
{
    const auto rank = static_cast<std::int64_t>(ctx.rank(x));
    if (axes.size() != 2 || axes[0] == axes[1]) {
        ctx.invalid("the norm of matrices needs two axes", "dim");
    }
    Ints order;
    for (std::int64_t i = 0; i < rank; ++i) {
        if (i != axes[0] && i != axes[1]) {
            order.push_back(i);
        }
    }
    if (ctx.fixedDim(x, axes[0]) > ctx.fixedDim(x, axes[1])) {
        std::swap(axes[0], axes[1]);
    }
    order.insert(order.end(), axes.begin(), axes.end());
    const OnnxValue matrices = emit::transpose(ctx, x, order);
    const OnnxValue values = forms::linear::singular(ctx, matrices).values;
    const OnnxValue y =
        forms::reducedAlong(ctx, reduce, values, {static_cast<std::int64_t>(ctx.rank(values)) - 1}, false);
    if (!keepDims) {
        return y;
    }
    return emit::unsqueeze(ctx, y, axes[0] < axes[1] ? axes : Ints{axes[1], axes[0]});
}

/// The norm of matrices: of the sums of rows (infinity) or of columns (1), of all elements ("fro"), or of the singular
/// values ("nuc", 2).
OnnxValue matrixNormOf(const NodeContext& ctx, const Arguments& arguments, OnnxValue x, const Ints& axes)
{
    const bool keepDims = arguments.truth("keepdim");
    const std::string name = arguments.text("ord");
    if (axes.size() != 2 || axes[0] == axes[1]) {
        ctx.invalid("the norm of matrices needs two axes", "dim");
    }
    const auto isEmpty = [&](std::int64_t axis) { return ctx.shape(x)[static_cast<std::size_t>(axis)] == Dim(0); };
    if (std::any_of(axes.begin(), axes.end(), isEmpty)) {
        return forms::reducedAlong(ctx, "ReduceSum", x, axes, keepDims);
    }
    if (name == "nuc") {
        return nuclearNorm(ctx, x, axes, keepDims, "ReduceSum");
    }
    const double order = orderOf(arguments, "ord");
    if (name == "fro" || !arguments.has("ord")) {
        return normOf(ctx, x, 2, axes, keepDims);
    }
    if (std::abs(order) == 2) {
        return nuclearNorm(ctx, x, axes, keepDims, order > 0 ? "ReduceMax" : "ReduceMin");
    }
    if (std::abs(order) != 1 && !std::isinf(order)) {
        ctx.invalid("the order of a norm of matrices is 1, 2 or infinity", "ord");
    }
    // The sums along one axis, then the extreme along the other.
    const bool sumsRows = std::isinf(order);
    const std::int64_t inner = sumsRows ? axes[1] : axes[0];
    const std::int64_t outer = sumsRows ? axes[0] : axes[1];
    const OnnxValue sums = forms::reducedAlong(ctx, "ReduceSum", ctx.emit("Abs", {x}), {inner}, true);
    const OnnxValue y = extremeAlong(ctx, order > 0 ? "ReduceMax" : "ReduceMin", sums, {outer}, true);
    return keepDims ? y : emit::squeeze(ctx, y, {std::min(inner, outer), std::max(inner, outer)});
}

Ints lastTwo(const NodeContext& ctx, OnnxValue x)
{
    const auto rank = static_cast<std::int64_t>(ctx.rank(x));
    return rank < 2 ? Ints() : Ints{rank - 2, rank - 1};
}

OnnxValues matrixNorm(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = typed(ctx, arguments);
    return {
        matrixNormOf(ctx, arguments, x, arguments.has("dim") ? arguments.axes("dim", ctx.rank(x)) : lastTwo(ctx, x))};
}

/// Of vectors without an order or with one axis, else of matrices.
OnnxValues linearNorm(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = typed(ctx, arguments);
    const bool hasAxes = arguments.has("dim");
    const Ints axes = arguments.axes("dim", ctx.rank(x));
    const bool isMatrix = arguments.has("ord") && axes.size() == 2;
    if (isMatrix) {
        return {matrixNormOf(ctx, arguments, x, axes)};
    }
    const bool isVector = !arguments.has("ord") || axes.size() == 1 || (!hasAxes && ctx.rank(x) == 1);
    if (!isVector || !arguments.text("ord").empty()) {
        ctx.invalid("the order does not fit the number of axes", "ord");
    }
    return {normOf(ctx, x, orderOf(arguments, "ord"), axes, arguments.truth("keepdim"))};
}

/// x.y / (max(|x|, eps) max(|y|, eps)); scalars are vectors of one element.
OnnxValues cosineSimilarity(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const ElementType type = promoted(ctx.element(arguments.tensor("x1")), ctx.element(arguments.tensor("x2")));
    const auto vectorOf = [&](std::string_view name) {
        const OnnxValue x = emit::cast(ctx, arguments.tensor(name), type);
        return ctx.rank(x) == 0 ? emit::unsqueeze(ctx, x, {0}) : x;
    };
    const OnnxValue a = vectorOf("x1");
    const OnnxValue b = vectorOf("x2");
    const OnnxValue product = arithmetic::multiply(ctx, a, b);
    const auto rank = ctx.rank(product);
    const Ints axes{arguments.axis("dim", 1, rank)};
    const auto norm = [&](OnnxValue given) {
        const auto axis = static_cast<std::size_t>(axes[0]);
        const bool isWhole = ctx.rank(given) == rank && ctx.shape(given)[axis] == ctx.shape(product)[axis];
        const OnnxValue x = isWhole ? given : emit::expand(ctx, given, emit::shapeVector(ctx, product));
        return emit::clip(ctx, emit::reduce(ctx, "ReduceL2", x, axes, false), arguments.number("eps", 1e-8),
                          std::nullopt);
    };
    return {arithmetic::divide(ctx, emit::reduce(ctx, "ReduceSum", product, axes, false),
                               arithmetic::multiply(ctx, norm(a), norm(b)))};
}

/// The norm of x1 - x2 + eps along the last axis.
OnnxValues pairwiseDistance(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const ElementType type = resultType(ctx, arguments, {"x1", "x2"});
    const OnnxValue given =
        arithmetic::subtract(ctx, operand(ctx, arguments, "x1", type), operand(ctx, arguments, "x2", type));
    const OnnxValue difference = emit::cast(ctx, given, floatingType(ctx.element(given)));
    const OnnxValue x =
        arithmetic::add(ctx, difference, emit::scalarLike(ctx, difference, arguments.number("eps", 1e-6)));
    return {normOf(ctx, x, arguments.number("p", 2), {static_cast<std::int64_t>(ctx.rank(x)) - 1},
                   arguments.truth("keepdim"))};
}

/// The norm of the difference.
OnnxValues distance(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const ElementType type = floatingType(resultType(ctx, arguments, {"self", "other"}));
    const OnnxValue x =
        arithmetic::subtract(ctx, operand(ctx, arguments, "self", type), operand(ctx, arguments, "other", type));
    return {normOf(ctx, x, orderOf(arguments, "p"), arguments.axes("dim", ctx.rank(x)), false)};
}

/// The distances of all rows (..., P, M) and (..., R, M): (..., P, R).
OnnxValues distancesOfAll(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue a = arguments.tensor("x1");
    const OnnxValue b = arguments.tensor("x2");
    const OnnxValue x = arithmetic::subtract(ctx, emit::unsqueeze(ctx, a, {static_cast<std::int64_t>(ctx.rank(a)) - 1}),
                                             emit::unsqueeze(ctx, b, {static_cast<std::int64_t>(ctx.rank(b)) - 2}));
    return {normOf(ctx, x, orderOf(arguments, "p"), {static_cast<std::int64_t>(ctx.rank(x)) - 1}, false)};
}

/// The distances of each row and every later one.
OnnxValues distancesOfPairs(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const std::int64_t rows = ctx.fixedDim(x, 0);
    if (rows > 1 << 12) {
        ctx.refuse("the distances of so many rows are not supported", "self");
    }
    Ints first;
    Ints second;
    for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t k = i + 1; k < rows; ++k) {
            first.push_back(i);
            second.push_back(k);
        }
    }
    const OnnxValue pairs = arithmetic::subtract(ctx, emit::gather(ctx, x, ctx.onnx.ints(first), 0),
                                                 emit::gather(ctx, x, ctx.onnx.ints(second), 0));
    return {normOf(ctx, pairs, orderOf(arguments, "p"), {1}, false)};
}

Ints allAxesBut(const NodeContext& ctx, OnnxValue x, std::int64_t axis)
{
    Ints axes;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(ctx.rank(x)); ++i) {
        if (i != axis) {
            axes.push_back(i);
        }
    }
    return axes;
}

/// By what PyTorch multiplies vectors of these norms, so that none is above the largest.
OnnxValue limitingFactor(const NodeContext& ctx, OnnxValue norms, double largest)
{
    const OnnxValue most = emit::scalarLike(ctx, norms, largest);
    const OnnxValue safe = arithmetic::add(ctx, norms, emit::scalarLike(ctx, norms, 1e-7));
    return ctx.emit("Where", {arithmetic::greater(ctx, norms, most), arithmetic::divide(ctx, most, safe),
                              emit::scalarLike(ctx, norms, 1)});
}

/// Slices along an axis with a norm above the largest are scaled down to it.
OnnxValues limitedNorm(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const Ints axes = allAxesBut(ctx, x, arguments.axis("dim", 0, ctx.rank(x)));
    const OnnxValue norms = normOf(ctx, x, orderOf(arguments, "p"), axes, true);
    return {arithmetic::multiply(ctx, x, limitingFactor(ctx, norms, arguments.number("maxnorm", 1)))};
}

/// The rows of an embedding that are read, scaled down to the largest norm. As PyTorch does, the factor is computed in
/// double precision.
OnnxValues embeddingRenorm(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue table = arguments.tensor("self");
    const OnnxValue places =
        emit::cast(ctx, emit::reshape(ctx, arguments.tensor("indices"), Ints{-1, 1}), ElementType::Int64);
    const OnnxValue rows = ctx.emit("GatherND", {table, places});
    const OnnxValue norms =
        emit::cast(ctx, normOf(ctx, rows, orderOf(arguments, "norm_type"), {1}, true), ElementType::Float64);
    const OnnxValue factor = limitingFactor(ctx, norms, arguments.number("max_norm", 1));
    const OnnxValue limited = arithmetic::multiply(ctx, rows, emit::cast(ctx, factor, ctx.element(rows)));
    return {ctx.emit("ScatterND", {table, places, limited})};
}

/// v g / |v|, the norms over all axes but one; -1: over all.
OnnxValues weightNorm(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue v = arguments.tensor("v");
    const std::int64_t dim = arguments.integer("dim", 0);
    const std::int64_t axis = dim == -1 ? -1 : arguments.axis("dim", 0, ctx.rank(v));
    const OnnxValue norms = normOf(ctx, v, 2, allAxesBut(ctx, v, axis), axis != -1);
    const OnnxValue g = arguments.tensor("g");
    return {arithmetic::multiply(ctx, v, arithmetic::divide(ctx, g, norms)), norms};
}

} // namespace

std::span<const OpRow> normOps()
{
    static constexpr OpRow rows[] = {
        {"aten::linalg_vector_norm", vectorNorm, "ReduceL2"},
        {"aten::norm", norm, "ReduceL2"},
        {"aten::frobenius_norm", frobeniusNorm, "ReduceL2"},
        {"aten::linalg_norm", linearNorm, "ReduceL2; Abs, ReduceSum, ReduceMax"},
        {"aten::linalg_matrix_norm", matrixNorm, "ReduceL2; Abs, ReduceSum, ReduceMax"},
        {"aten::cosine_similarity", cosineSimilarity, "Mul, ReduceSum, Div"},
        {"aten::pairwise_distance", pairwiseDistance, "Sub, ReduceL2"},
        {"aten::dist", distance, "Sub, ReduceL2"},
        {"aten::cdist", distancesOfAll, "Sub, ReduceL2"},
        {"aten::_cdist_forward", distancesOfAll, "Sub, ReduceL2"},
        {"aten::pdist", distancesOfPairs, "Gather, Sub, ReduceL2"},
        {"aten::_pdist_forward", distancesOfPairs, "Gather, Sub, ReduceL2"},
        {"aten::renorm", limitedNorm, "ReduceL2, Where, Mul"},
        {"aten::embedding_renorm", embeddingRenorm, "GatherND, ReduceL2, Where, Mul, ScatterND"},
        {"aten::_weight_norm", weightNorm, "ReduceL2, Div, Mul"},
        {"aten::_weight_norm_interface", weightNorm, "ReduceL2, Div, Mul"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
