// Systems of linear equations, determinants and decompositions of matrices.

#include "core/convert/forms/linalg/linear_systems.h"
#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/linalg/matrix_product.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/reduce.h"
#include "core/formats/pytorch/ops/matrix.h"
#include "core/formats/pytorch/ops/operator_arguments.h"
#include "core/formats/pytorch/ops/pytorch_families.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace crosswalk::pytorch {
namespace {

namespace arithmetic = forms::arithmetic;

OnnxValues inverse(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor(arguments.has("A") ? "A" : "self");
    return {isEmpty(ctx, x) ? x : forms::linear::solved(ctx, x, forms::linear::identityLike(ctx, x))};
}

OnnxValue solvedOrEmpty(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    if (isEmpty(ctx, a) || isEmpty(ctx, b)) {
        return productOfEmpty(ctx, a, b);
    }
    const auto [left, right] = forms::linear::withCommonBatch(ctx, a, b);
    return forms::linear::solved(ctx, left, right);
}

/// A triangle of the matrix, with ones on its diagonal whatever it stores if it is unitriangular.
OnnxValue triangularPart(const NodeContext& ctx, OnnxValue a, bool isLower, bool isUnitriangular)
{
    if (isEmpty(ctx, a)) {
        return a;
    }
    const OnnxValue kept = forms::linear::triangleOf(ctx, a, isLower);
    if (!isUnitriangular) {
        return kept;
    }
    const OnnxValue identity = forms::linear::identityLike(ctx, kept);
    return ctx.emit("Where", {emit::cast(ctx, identity, ElementType::Bool), identity, kept});
}

OnnxValues solveTriangular(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    OnnxValue a =
        triangularPart(ctx, arguments.tensor("self"), !arguments.truth("upper"), arguments.truth("unitriangular"));
    const OnnxValue b = arguments.tensor("B");
    if (arguments.truth("left", true)) {
        return {solvedOrEmpty(ctx, a, b)};
    }
    a = forms::transposedMatrices(ctx, a);
    return {forms::transposedMatrices(ctx, solvedOrEmpty(ctx, a, forms::transposedMatrices(ctx, b)))};
}

/// Whether the right-hand sides are vectors: one for all matrices, or one for each.
bool areVectors(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    const std::size_t rank = ctx.rank(b);
    if (rank == 1 || rank + 1 != ctx.rank(a)) {
        return rank == 1;
    }
    const auto differs = [](const Dim& one, const Dim& other) {
        return one.isFixed() && other.isFixed() && one != other;
    };
    const bool isKnown = differs(ctx.shape(b)[rank - 2], ctx.shape(a)[rank]); // else they may be matrices
    bool areSame = true;
    for (std::size_t axis = 0; axis < rank; ++axis) {
        const Dim& size = ctx.shape(b)[axis];
        if (differs(size, ctx.shape(a)[axis])) {
            return false;
        }
        areSame = areSame && size == ctx.shape(a)[axis] && !size.isUnknown();
    }
    if (!isKnown && !areSame) {
        ctx.refuse("whether the right-hand sides are vectors or matrices depends on the sizes", "B",
                   "give the sizes of the inputs with --shape");
    }
    return true;
}

/// Right-hand sides are matrices or vectors.
OnnxValues solve(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue a = arguments.tensor("A");
    const OnnxValue b = arguments.tensor("B");
    if (!arguments.truth("left", true)) { // x a = b is a^T x^T = b^T
        const OnnxValue turned = forms::transposedMatrices(ctx, b);
        return {forms::transposedMatrices(ctx, solvedOrEmpty(ctx, forms::transposedMatrices(ctx, a), turned))};
    }
    const bool isVector = areVectors(ctx, a, b);
    const auto last = static_cast<std::int64_t>(ctx.rank(b));
    const OnnxValue matrices = isVector ? emit::unsqueeze(ctx, b, {last}) : b;
    const OnnxValue x = solvedOrEmpty(ctx, a, matrices);
    return {isVector ? emit::squeeze(ctx, x, {static_cast<std::int64_t>(ctx.rank(x)) - 1}) : x};
}

/// A zero for each matrix, of which none has elements.
OnnxValue zeroOfEach(const NodeContext& ctx, OnnxValue x)
{
    const auto rank = static_cast<std::int64_t>(ctx.rank(x));
    return forms::reducedAlong(ctx, "ReduceSum", x, {rank - 2, rank - 1}, false);
}

/// ONNX Runtime has no determinant of doubles.
OnnxValues determinant(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor(arguments.has("A") ? "A" : "self");
    if (isEmpty(ctx, x)) {
        const OnnxValue zeros = zeroOfEach(ctx, x);
        return {arithmetic::add(ctx, zeros, emit::scalarLike(ctx, zeros, 1))};
    }
    if (ctx.element(x) != ElementType::Float64) {
        return {ctx.emit("Det", {x})};
    }
    const forms::linear::Pivots pivots = forms::linear::pivots(ctx, x);
    return {emit::reduce(ctx, "ReduceProd", ctx.emit("Mul", {pivots.signs, pivots.values}), {0}, false)};
}

OnnxValues cholesky(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    if (isEmpty(ctx, x)) {
        return {x};
    }
    if (!arguments.truth("upper")) {
        return {forms::linear::choleskyFactor(ctx, x)};
    }
    const OnnxValue turned = forms::transposedMatrices(ctx, x); // whose lower triangle is the upper one of x
    return {forms::transposedMatrices(ctx, forms::linear::choleskyFactor(ctx, turned))};
}

/// The sign of the determinant and the logarithm of its magnitude.
OnnxValues signAndLog(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor(arguments.has("A") ? "A" : "self");
    if (isEmpty(ctx, x)) {
        const OnnxValue zeros = zeroOfEach(ctx, x);
        return {arithmetic::add(ctx, zeros, emit::scalarLike(ctx, zeros, 1)), zeros};
    }
    const forms::linear::Pivots pivots = forms::linear::pivots(ctx, x);
    const OnnxValue signs = ctx.emit("Mul", {pivots.signs, ctx.emit("Sign", {pivots.values})});
    const OnnxValue logs = forms::elementary::log(ctx, ctx.emit("Abs", {pivots.values}));
    return {emit::reduce(ctx, "ReduceProd", signs, {0}, false), emit::reduce(ctx, "ReduceSum", logs, {0}, false)};
}

/// No number where the determinant is negative.
OnnxValues logDeterminant(NodeContext& ctx)
{
    const OnnxValues parts = signAndLog(ctx);
    const OnnxValue isNegative = ctx.emit("Less", {parts[0], emit::scalarLike(ctx, parts[0], 0)});
    const OnnxValue none = emit::scalarLike(ctx, parts[1], std::numeric_limits<double>::quiet_NaN());
    return {ctx.emit("Where", {isNegative, none, parts[1]})};
}

/// A status for each matrix: zero, for success.
OnnxValue successes(const NodeContext& ctx, OnnxValue x)
{
    const auto rank = static_cast<std::int64_t>(ctx.rank(x));
    const OnnxValue batch = emit::slice(ctx, emit::shapeVector(ctx, x), Ints{0}, Ints{rank - 2}, Ints{0});
    return emit::expand(ctx, ctx.onnx.scalar(ElementType::Int32, 0), batch);
}

/// The result of another operator, then what only a failure would change.
template <OnnxValues (*operation)(NodeContext&), std::size_t results>
OnnxValues withStatus(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    OnnxValues outputs = operation(ctx);
    outputs.resize(results - 1); // factors that have no form are left out
    outputs.push_back(successes(ctx, arguments.tensor(arguments.has("A") ? "A" : "self")));
    return outputs;
}

/// Solves L L^T x = b, or with R^T R where the factor is the upper triangle.
OnnxValue solvedByFactor(const NodeContext& ctx, OnnxValue factor, OnnxValue b, bool isUpper)
{
    const OnnxValue triangle = forms::linear::triangleOf(ctx, factor, !isUpper);
    const OnnxValue turned = forms::transposedMatrices(ctx, triangle);
    return solvedOrEmpty(ctx, isUpper ? triangle : turned, solvedOrEmpty(ctx, isUpper ? turned : triangle, b));
}

OnnxValues choleskySolve(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    return {solvedByFactor(ctx, arguments.tensor("input2"), arguments.tensor("self"), arguments.truth("upper"))};
}

OnnxValues choleskyInverse(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    if (isEmpty(ctx, x)) {
        return {x};
    }
    return {solvedByFactor(ctx, x, forms::linear::identityLike(ctx, x), arguments.truth("upper"))};
}

/// The solution, and the matrix as it was given.
OnnxValues triangularSolve(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue given = arguments.tensor("A");
    OnnxValue a = triangularPart(ctx, given, !arguments.truth("upper", true), arguments.truth("unitriangular"));
    if (arguments.truth("transpose") && !isEmpty(ctx, a)) {
        a = forms::transposedMatrices(ctx, a);
    }
    return {solvedOrEmpty(ctx, a, arguments.tensor("self")), given};
}

Ints fixedSizes(const NodeContext& ctx, OnnxValue x)
{
    Ints sizes;
    for (std::size_t axis = 0; axis < ctx.rank(x); ++axis) {
        sizes.push_back(ctx.fixedDim(x, static_cast<std::int64_t>(axis)));
    }
    return sizes;
}

std::int64_t productOf(const NodeContext& ctx, const Ints& sizes)
{
    std::int64_t count = 1;
    for (const std::int64_t size : sizes) {
        if (size != 0 && count > forms::elementLimit / size) {
            ctx.invalid("a matrix has too many elements");
        }
        count *= size;
    }
    return count;
}

/// x as the tensor (rows..., columns...) of a linear map; ind is the number of its first axes.
OnnxValues tensorInverse(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const auto split = static_cast<std::ptrdiff_t>(arguments.positive("ind", 2));
    Ints dims = fixedSizes(ctx, x);
    if (split >= static_cast<std::ptrdiff_t>(dims.size())) {
        ctx.invalid("ind is not less than the number of dimensions", "ind");
    }
    const std::int64_t rows = productOf(ctx, Ints(dims.begin(), dims.begin() + split));
    const OnnxValue matrix = emit::reshape(ctx, x, Ints{rows, rows});
    std::rotate(dims.begin(), dims.begin() + split, dims.end());
    if (rows == 0) {
        return {emit::reshape(ctx, x, dims)};
    }
    const OnnxValue inverted = forms::linear::solved(ctx, matrix, forms::linear::identityLike(ctx, matrix));
    return {emit::reshape(ctx, inverted, dims)};
}

/// Solves tensordot(a, x) = b; the axes of `dims` are moved behind the others of a.
OnnxValues tensorSolve(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    OnnxValue a = arguments.tensor("self");
    const OnnxValue b = arguments.tensor("other");
    if (const auto moved = arguments.integers("dims"); moved && !moved->empty()) {
        const Ints last = arguments.axes("dims", ctx.rank(a));
        Ints order;
        for (std::int64_t axis = 0; axis < static_cast<std::int64_t>(ctx.rank(a)); ++axis) {
            if (std::find(last.begin(), last.end(), axis) == last.end()) {
                order.push_back(axis);
            }
        }
        order.insert(order.end(), last.begin(), last.end());
        a = emit::transpose(ctx, a, order);
    }
    const Ints dims = fixedSizes(ctx, a);
    const Ints result(dims.begin() + static_cast<std::ptrdiff_t>(ctx.rank(b)), dims.end());
    const std::int64_t count = productOf(ctx, result);
    const OnnxValue matrix = emit::reshape(ctx, a, Ints{count, count});
    const OnnxValue y = solvedOrEmpty(ctx, matrix, emit::reshape(ctx, b, Ints{count, 1}));
    return {emit::reshape(ctx, y, result)};
}

/// The powers of each element along a new last axis, from the highest on demand, as repeated products, which are exact
/// for integers.
template <bool isIncreasing>
OnnxValues vandermonde(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue any = arguments.tensor("x");
    const OnnxValue given = ctx.rank(any) == 0 ? emit::unsqueeze(ctx, any, {0}) : any;
    const OnnxValue x =
        emit::cast(ctx, given, isFloating(ctx.element(given)) ? ctx.element(given) : ElementType::Int64);
    const auto last = static_cast<std::int64_t>(ctx.rank(x));
    const std::int64_t count = arguments.has("N") ? arguments.integer("N", 0) : ctx.fixedDim(x, last - 1);
    if (count < 0 || count > mostParts) {
        ctx.invalid("the number of powers is negative or too large", "N");
    }
    const OnnxValue column = emit::unsqueeze(ctx, x, {last});
    OnnxValues powers{forms::filledLike(ctx, column, ctx.element(column), 1)};
    if (count == 0) {
        return {emit::slice(ctx, powers[0], Ints{0}, Ints{0}, Ints{last})};
    }
    while (static_cast<std::int64_t>(powers.size()) < count) {
        powers.push_back(powers.size() == 1 ? column : arithmetic::multiply(ctx, powers.back(), column));
    }
    if (!isIncreasing && !arguments.truth("increasing")) {
        std::reverse(powers.begin(), powers.end());
    }
    return {emit::concat(ctx, powers, last)};
}

} // namespace

std::span<const OpRow> linearSystemOps()
{
    static constexpr OpRow rows[] = {
        {"aten::inverse", inverse, "Scan"},
        {"aten::linalg_inv", inverse, "Scan"},
        {"aten::linalg_solve", solve, "Scan"},
        {"aten::linalg_solve_triangular", solveTriangular, "Trilu, Scan"},
        {"aten::det", determinant, "Det"},
        {"aten::linalg_det", determinant, "Det"},
        {"aten::linalg_slogdet", signAndLog, "Scan"},
        {"aten::logdet", logDeterminant, "Scan"},
        {"aten::slogdet", signAndLog, "Scan"},
        {"aten::linalg_cholesky", cholesky, "Scan"},
        {"aten::cholesky", cholesky, "Scan"},
        {"aten::linalg_inv_ex", withStatus<inverse, 2>, "Scan"},
        {"aten::linalg_solve_ex", withStatus<solve, 2>, "Scan"},
        {"aten::_linalg_solve_ex", withStatus<solve, 4>, "Scan"},
        {"aten::linalg_cholesky_ex", withStatus<cholesky, 2>, "Scan"},
        {"aten::_linalg_det", determinant, "Det"},
        {"aten::_linalg_slogdet", signAndLog, "Scan"},
        {"aten::cholesky_solve", choleskySolve, "Trilu, Scan"},
        {"aten::cholesky_inverse", choleskyInverse, "Trilu, Scan"},
        {"aten::triangular_solve", triangularSolve, "Trilu, Scan"},
        {"aten::linalg_tensorinv", tensorInverse, "Reshape, Scan"},
        {"aten::linalg_tensorsolve", tensorSolve, "Reshape, Scan"},
        {"aten::linalg_vander", vandermonde<true>, "Mul, Concat"},
        {"aten::vander", vandermonde<false>, "Mul, Concat"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
