// Products, decompositions and systems of linear equations of Keras 3.

#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/elementary.h"
#include "core/convert/forms/linalg/jacobi.h"
#include "core/convert/forms/linalg/linear_systems.h"
#include "core/convert/forms/linalg/matrix_product.h"
#include "core/convert/forms/tensor/fill.h"
#include "core/convert/forms/tensor/reduce.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/keras/ops/call_arguments.h"
#include "core/formats/keras/ops/keras_families.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace crosswalk::keras {
namespace {

using namespace forms::linear;

// Products.

/// The sum over pairs of axes; the result has the other axes of a, then those of b.
OnnxValue contracted(const Layer& layer, const Operands& pair, const Ints& axesOfA, const Ints& axesOfB)
{
    const NodeContext& ctx = layer.ctx;
    if (axesOfA.size() != axesOfB.size()) {
        ctx.invalid(fmt::format("{} axes of one tensor and {} of the other", axesOfA.size(), axesOfB.size()), "axes");
    }
    const std::size_t rankOfA = ctx.rank(pair.a);
    const std::size_t rankOfB = ctx.rank(pair.b);
    if (rankOfA + rankOfB > 26) {
        layer.refuse("a product of tensors of more than 26 dimensions");
    }
    std::string a(rankOfA, ' ');
    std::string b(rankOfB, ' ');
    std::iota(a.begin(), a.end(), 'a');
    std::iota(b.begin(), b.end(), static_cast<char>('a' + rankOfA));
    for (std::size_t i = 0; i < axesOfA.size(); ++i) {
        b[static_cast<std::size_t>(axesOfB[i])] = a[static_cast<std::size_t>(axesOfA[i])];
    }
    std::string result;
    for (const char letter : a + b) {
        const bool isShared = a.find(letter) != std::string::npos && b.find(letter) != std::string::npos;
        result += isShared ? "" : std::string(1, letter);
    }
    return ctx.emit("Einsum", {pair.a, pair.b}, {{"equation", fmt::format("{},{}->{}", a, b, result)}});
}

std::int64_t lastAxis(const NodeContext& ctx, OnnxValue x)
{
    return static_cast<std::int64_t>(ctx.rank(x)) - 1;
}

/// The sum over the last axes of both.
OnnxValues inner(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Operands pair = operandsOf(layer);
    if (ctx.rank(pair.a) == 0 || ctx.rank(pair.b) == 0) {
        return {arithmetic::multiply(ctx, pair.a, pair.b)};
    }
    return {contracted(layer, pair, {lastAxis(ctx, pair.a)}, {lastAxis(ctx, pair.b)})};
}

/// The sum over the last axis of a and the one before the last of b.
OnnxValues dot(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Operands pair = operandsOf(layer, {"0", "x1", "a"}, {"1", "x2", "b"});
    const std::size_t rankOfA = ctx.rank(pair.a);
    const std::size_t rankOfB = ctx.rank(pair.b);
    if (rankOfA == 0 || rankOfB == 0) {
        return {arithmetic::multiply(ctx, pair.a, pair.b)};
    }
    if (rankOfB <= 2) {
        return {ctx.emit("MatMul", {pair.a, pair.b})};
    }
    return {contracted(layer, pair, {lastAxis(ctx, pair.a)}, {lastAxis(ctx, pair.b) - 1})};
}

OnnxValues outer(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Operands pair = operandsOf(layer);
    return {
        arithmetic::multiply(ctx, emit::reshape(ctx, pair.a, Ints{-1, 1}), emit::reshape(ctx, pair.b, Ints{1, -1}))};
}

/// Over all elements of both.
OnnxValues vectorDot(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Operands pair = operandsOf(layer);
    const OnnxValue products =
        arithmetic::multiply(ctx, emit::reshape(ctx, pair.a, Ints{-1}), emit::reshape(ctx, pair.b, Ints{-1}));
    return {reducedAlong(ctx, "ReduceSum", products, {0}, false)};
}

/// Over so many of the last axes of a and of the first axes of b, or over named ones.
OnnxValues tensorDot(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    const Operands pair = operandsOf(layer, {"0", "x1", "a"}, {"1", "x2", "b"});
    const std::string key = arguments.key({"axes", "2"});
    const Ints extents = key.empty() ? Ints{} : layer.settings.extents(key);
    const Ints given = key.empty() ? Ints{2} : layer.settings.ints(key);
    Ints axesOfA;
    Ints axesOfB;
    if (extents.empty()) {
        const std::int64_t count = given.front();
        if (count < 0 || count > lastAxis(ctx, pair.a) + 1 || count > lastAxis(ctx, pair.b) + 1) {
            ctx.invalid(fmt::format("a sum over {} axes", count), "axes");
        }
        for (std::int64_t i = 0; i < count; ++i) {
            axesOfA.push_back(lastAxis(ctx, pair.a) + 1 - count + i);
            axesOfB.push_back(i);
        }
    } else {
        const std::size_t half = given.size() / 2;
        if (given.size() % 2 != 0) {
            ctx.invalid("the tensors have different numbers of axes", "axes");
        }
        for (std::size_t i = 0; i < half; ++i) {
            axesOfA.push_back(ctx.axis(given[i], ctx.rank(pair.a), "axes"));
            axesOfB.push_back(ctx.axis(given[half + i], ctx.rank(pair.b), "axes"));
        }
    }
    return {contracted(layer, pair, axesOfA, axesOfB)};
}

/// The vector product along one axis of three elements.
OnnxValues cross(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Arguments arguments(layer);
    const Operands pair = operandsOf(layer);
    const auto axisOf = [&](const char* name, OnnxValue x) {
        const std::int64_t axis = arguments.has({"axis"}) ? arguments.integer({"axis"}) : arguments.integer({name}, -1);
        return ctx.axis(axis, ctx.rank(x), name);
    };
    const std::int64_t axis = axisOf("axisa", pair.a);
    if (ctx.rank(pair.a) != ctx.rank(pair.b) || axisOf("axisb", pair.b) != axis || axisOf("axisc", pair.a) != axis) {
        layer.refuse("a vector product along different axes", "axisa");
    }
    if (ctx.fixedDim(pair.a, axis) != 3 || ctx.fixedDim(pair.b, axis) != 3) {
        layer.refuse("a product of vectors of other than 3 elements");
    }
    const auto turned = [&](OnnxValue x, std::int64_t by) {
        return emit::gather(ctx, x, ctx.onnx.ints({by % 3, (by + 1) % 3, (by + 2) % 3}), axis);
    };
    const OnnxValue forward = arithmetic::multiply(ctx, turned(pair.a, 1), turned(pair.b, 2));
    const OnnxValue backward = arithmetic::multiply(ctx, turned(pair.a, 2), turned(pair.b, 1));
    return {arithmetic::subtract(ctx, forward, backward)};
}

/// Each element of a times all of b.
OnnxValues kronecker(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    Operands pair = operandsOf(layer);
    while (ctx.rank(pair.a) < ctx.rank(pair.b)) {
        pair.a = emit::unsqueeze(ctx, pair.a, {0});
    }
    while (ctx.rank(pair.b) < ctx.rank(pair.a)) {
        pair.b = emit::unsqueeze(ctx, pair.b, {0});
    }
    Ints afterEach;
    Ints beforeEach;
    ShapeTerms terms;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(ctx.rank(pair.a)); ++i) {
        beforeEach.push_back(2 * i);
        afterEach.push_back(2 * i + 1);
    }
    const OnnxValue wide =
        arithmetic::multiply(ctx, emit::unsqueeze(ctx, pair.a, afterEach), emit::unsqueeze(ctx, pair.b, beforeEach));
    for (const std::int64_t axis : beforeEach) {
        terms.push_back(termOf(ctx, wide, {axis, axis + 1}));
    }
    return {reshapeTo(ctx, wide, terms)};
}

/// Euclidean distances of the rows of a and of b.
OnnxValues distances(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Operands pair = floatingOperandsOf(layer);
    if (Arguments(layer).number({"p"}, 2) != 2) {
        layer.refuse("distances other than euclidean ones", "p");
    }
    const std::int64_t rank = lastAxis(ctx, pair.a) + 1;
    const OnnxValue difference =
        ctx.emit("Sub", {emit::unsqueeze(ctx, pair.a, {rank - 1}), emit::unsqueeze(ctx, pair.b, {rank - 2})});
    const OnnxValue sum = emit::reduce(ctx, "ReduceSum", ctx.emit("Mul", {difference, difference}), {rank}, false);
    return {elementary::sqrt(ctx, sum)};
}

/// The sums of products of a vector with a shorter one that moves along it.
OnnxValues correlate(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    Operands pair = floatingOperandsOf(layer);
    if (ctx.rank(pair.a) != 1 || ctx.rank(pair.b) != 1) {
        layer.refuse("a correlation of other than vectors");
    }
    const std::int64_t a = ctx.fixedDim(pair.a, 0);
    const std::int64_t b = ctx.fixedDim(pair.b, 0);
    const std::string mode = Arguments(layer).text({"mode"}, "valid");
    if (a < b) {
        layer.refuse("a correlation with a longer vector");
    }
    const std::int64_t before = mode == "full" ? b - 1 : mode == "same" ? b / 2 : 0;
    const std::int64_t after = mode == "full" ? b - 1 : mode == "same" ? b - 1 - b / 2 : 0;
    if (mode != "full" && mode != "same" && mode != "valid") {
        ctx.invalid(fmt::format("mode {} is not one of Keras", mode), "mode");
    }
    const OnnxValue y = ctx.emit("Conv", {emit::unsqueeze(ctx, pair.a, {0, 1}), emit::unsqueeze(ctx, pair.b, {0, 1})},
                                 {{"pads", Ints{before, after}}});
    return {emit::squeeze(ctx, y, {0, 1})};
}

/// The correlation coefficients of the rows.
OnnxValues correlationCoefficients(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue x = floatingOperand(layer);
    if (ctx.rank(x) != 2) {
        layer.refuse("correlation coefficients of other than a matrix");
    }
    const OnnxValue centered = ctx.emit("Sub", {x, emit::reduce(ctx, "ReduceMean", x, {1}, true)});
    const OnnxValue products = matrixProduct(ctx, centered, centered, false, true);
    const OnnxValue squares = emit::reduce(ctx, "ReduceSum", ctx.emit("Mul", {centered, centered}), {1}, true);
    const OnnxValue root = elementary::sqrt(ctx, squares);
    const OnnxValue scaled = ctx.emit("Div", {ctx.emit("Div", {products, root}), emit::transpose(ctx, root, {1, 0})});
    return {emit::clip(ctx, scaled, -1, 1)};
}

// Square matrices.

/// float32 and float64 only, as in Keras.
OnnxValue matrices(const Layer& layer)
{
    const OnnxValue a = floatingOperand(layer);
    if (layer.ctx.rank(a) < 2) {
        layer.ctx.invalid(fmt::format("a tensor of {} dimensions is not a matrix", layer.ctx.rank(a)));
    }
    return a;
}

OnnxValues cholesky(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue lower = choleskyFactor(ctx, matrices(layer));
    return {Arguments(layer).boolean({"upper"}, false) ? transposedMatrices(ctx, lower) : lower};
}

OnnxValues inverse(const Layer& layer)
{
    const OnnxValue a = matrices(layer);
    return {solved(layer.ctx, a, identityLike(layer.ctx, a))};
}

OnnxValues determinant(const Layer& layer)
{
    return {layer.ctx.emit("Det", {matrices(layer)})};
}

/// The sign of the determinant and the logarithm of its magnitude.
OnnxValues signAndLogarithm(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const Pivots found = pivots(ctx, matrices(layer));
    const OnnxValue signs = ctx.emit("Mul", {ctx.emit("Sign", {found.values}), found.signs});
    const OnnxValue logs = elementary::log(ctx, ctx.emit("Abs", {found.values}));
    return {emit::reduce(ctx, "ReduceProd", signs, {0}, false), emit::reduce(ctx, "ReduceSum", logs, {0}, false)};
}

/// The logarithm of the determinant of positive definite matrices.
OnnxValues logDeterminant(const Layer& layer)
{
    return {signAndLogarithm(layer)[1]};
}

Operands systemOf(const Layer& layer)
{
    Operands pair = operandsOf(layer, {"0", "a", "x1"}, {"1", "b", "x2"});
    if (!isFloating(layer.ctx.element(pair.a))) {
        layer.refuse("a system of equations of integers");
    }
    return pair;
}

/// b may be one vector for each matrix.
OnnxValues solution(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    Operands system = systemOf(layer);
    if (layer.op() == "ops.SolveTriangular") {
        system.a = triangleOf(ctx, system.a, Arguments(layer).boolean({"lower"}, false));
    }
    const bool isVector = ctx.rank(system.b) + 1 == ctx.rank(system.a);
    if (!isVector && ctx.rank(system.b) != ctx.rank(system.a)) {
        layer.refuse("a system of equations that broadcasts");
    }
    if (!isVector) {
        return {solved(ctx, system.a, system.b)};
    }
    const auto last = static_cast<std::int64_t>(ctx.rank(system.b));
    return {emit::squeeze(ctx, solved(ctx, system.a, emit::unsqueeze(ctx, system.b, {last})), {last})};
}

/// The inverse of L L^T.
OnnxValues inverseFromCholesky(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const bool isUpper = Arguments(layer).boolean({"upper"}, false);
    const OnnxValue factor = triangleOf(ctx, matrices(layer), !isUpper);
    const OnnxValue inverted = solved(ctx, factor, identityLike(ctx, factor));
    return {isUpper ? matrixProduct(ctx, inverted, inverted, false, true)
                    : matrixProduct(ctx, inverted, inverted, true, false)};
}

// Decompositions. The signs of vectors are not defined, so only values are exact.

void requireValuesOnly(const Layer& layer, std::size_t values)
{
    if (layer.ctx.node.outputs.size() > values) {
        layer.refuse("the vectors of a decomposition, whose signs are not defined", {},
                     "use its values only, or compute it outside of the model");
    }
}

OnnxValues eigenvalues(const Layer& layer)
{
    requireValuesOnly(layer, 1);
    const OnnxValue a = matrices(layer);
    return {eigen(layer.ctx, symmetricOf(layer.ctx, a, true)).values};
}

Singular singularOf(const Layer& layer, OnnxValue a, bool& isTransposed)
{
    const auto last = lastAxis(layer.ctx, a);
    isTransposed = layer.ctx.fixedDim(a, last - 1) > layer.ctx.fixedDim(a, last);
    return singular(layer.ctx, isTransposed ? transposedMatrices(layer.ctx, a) : a);
}

OnnxValues singularValues(const Layer& layer)
{
    if (Arguments(layer).boolean({"compute_uv"}, true)) {
        layer.refuse("singular vectors, whose signs are not defined", "compute_uv", "set compute_uv to False");
    }
    bool isTransposed = false;
    return {singularOf(layer, matrices(layer), isTransposed).values};
}

/// The reciprocals of the singular values that are not small.
OnnxValues pseudoInverse(const Layer& layer)
{
    const NodeContext& ctx = layer.ctx;
    const OnnxValue a = matrices(layer);
    const auto last = lastAxis(ctx, a);
    bool isTransposed = false;
    const Singular found = singularOf(layer, a, isTransposed);
    const double epsilon = ctx.element(a) == ElementType::Float64
                               ? std::numeric_limits<double>::epsilon()
                               : static_cast<double>(std::numeric_limits<float>::epsilon());
    const auto longest = static_cast<double>(std::max(ctx.fixedDim(a, last), ctx.fixedDim(a, last - 1)));
    const double share = Arguments(layer).number({"rcond"}, 10 * longest * epsilon);
    const OnnxValue largest = emit::reduce(ctx, "ReduceMax", found.values, {last - 1}, true);
    const OnnxValue least = ctx.emit("Mul", {largest, emit::scalarLike(ctx, largest, share)});
    const OnnxValue isTaken = ctx.emit("Greater", {found.values, least});
    const OnnxValue one = emit::scalarLike(ctx, largest, 1);
    const OnnxValue safe = ctx.emit("Where", {isTaken, found.values, one});
    const OnnxValue inverted =
        ctx.emit("Where", {isTaken, ctx.emit("Div", {one, safe}), emit::scalarLike(ctx, largest, 0)});
    const OnnxValue scaled = ctx.emit("Mul", {found.left, emit::unsqueeze(ctx, inverted, {last})});
    const OnnxValue y = matrixProduct(ctx, found.right, scaled, true, false);
    return {isTransposed ? transposedMatrices(ctx, y) : y};
}
} // namespace

std::span<const OpRow> matrixOperations()
{
    static constexpr OpRow rows[] = {
        {"ops.CDist", distances, "Sub, ReduceSum, Sqrt"},
        {"ops.Cholesky", cholesky, "Loop"},
        {"ops.CholeskyInverse", inverseFromCholesky, "Loop, MatMul"},
        {"ops.Corrcoef", correlationCoefficients, "MatMul, Div"},
        {"ops.Correlate", correlate, "Conv"},
        {"ops.Cross", cross, "Gather, Mul, Sub"},
        {"ops.Det", determinant, "Det"},
        {"ops.Dot", dot, "MatMul; Einsum"},
        {"ops.Eigh", eigenvalues, "Loop", Support::Exact, "the values only"},
        {"ops.Inner", inner, "Einsum"},
        {"ops.Inv", inverse, "Loop"},
        {"ops.Kron", kronecker, "Mul, Reshape"},
        {"ops.Logdet", logDeterminant, "Loop, Log"},
        {"ops.Outer", outer, "Mul"},
        {"ops.Pinv", pseudoInverse, "Loop, MatMul"},
        {"ops.SVD", singularValues, "Loop", Support::Exact, "the values only"},
        {"ops.Slogdet", signAndLogarithm, "Loop, Log"},
        {"ops.Solve", solution, "Loop"},
        {"ops.SolveTriangular", solution, "Loop"},
        {"ops.Tensordot", tensorDot, "Einsum"},
        {"ops.Vdot", vectorDot, "Mul, ReduceSum"},
        {"tf.linalg.cholesky", cholesky, "Loop"},
        {"tf.linalg.cross", cross, "Gather, Mul, Sub"},
        {"tf.linalg.det", determinant, "Det"},
        {"tf.linalg.inv", inverse, "Loop"},
        {"tf.tensordot", tensorDot, "Einsum"},
    };
    return rows;
}

} // namespace crosswalk::keras
