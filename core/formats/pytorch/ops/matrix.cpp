// Products of matrices.

#include "core/formats/pytorch/ops/matrix.h"
#include "core/convert/forms/elementwise/arithmetic.h"
#include "core/convert/forms/elementwise/compute_type.h"
#include "core/convert/forms/elementwise/precision.h"
#include "core/convert/forms/linalg/linear_systems.h"
#include "core/convert/forms/linalg/matrix_product.h"
#include "core/convert/forms/tensor/reduce.h"
#include "core/convert/forms/tensor/shape_terms.h"
#include "core/formats/pytorch/lowering/shared_weights.h"
#include "core/formats/pytorch/ops/half_steps.h"
#include "core/formats/pytorch/ops/promotion.h"
#include "core/formats/pytorch/ops/pytorch_families.h"
#include "core/graph/attributes.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <optional>

namespace crosswalk::pytorch {

namespace arithmetic = forms::arithmetic;

bool isEmpty(const NodeContext& ctx, OnnxValue x)
{
    const Shape& shape = ctx.shape(x);
    return std::find(shape.begin(), shape.end(), Dim(0)) != shape.end();
}

OnnxValue productOfEmpty(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    const auto last = [&](OnnxValue x) { return static_cast<std::int64_t>(ctx.rank(x)); };
    OnnxValue terms;
    bool sumsLast = false;
    if (ctx.rank(b) == 1) {
        terms = arithmetic::multiply(ctx, a, b);
        sumsLast = true;
    } else if (ctx.rank(a) == 1) {
        terms = arithmetic::multiply(ctx, emit::unsqueeze(ctx, a, {1}), b);
    } else {
        terms = arithmetic::multiply(ctx, emit::unsqueeze(ctx, a, {last(a)}), emit::unsqueeze(ctx, b, {last(b) - 2}));
    }
    return forms::reducedAlong(ctx, "ReduceSum", terms, {last(terms) - (sumsLast ? 1 : 2)}, false);
}

OnnxValue matrixProduct(const NodeContext& ctx, OnnxValue a, OnnxValue b)
{
    const ElementType type = ctx.element(a);
    if (isEmpty(ctx, a) || isEmpty(ctx, b)) {
        return productOfEmpty(ctx, a, b);
    }
    return forms::computedAs(ctx, isFloating(type) ? type : forms::widened(type), a, b, [&](OnnxValue x, OnnxValue y) {
        return ctx.emit("MatMul", {x, y});
    });
}

namespace {

template <const char* second>
OnnxValues multiplyMatrices(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    return {matrixProduct(ctx, arguments.tensor("self"), arguments.tensor(second))};
}

OnnxValues linear(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("input");
    const OnnxValue weight = arguments.tensor("weight");
    const OnnxValue bias = arguments.optional("bias");
    if (ctx.rank(weight) == 1) {
        const OnnxValue y = matrixProduct(ctx, x, weight);
        return {bias ? arithmetic::add(ctx, y, bias) : y};
    }
    if (ctx.rank(x) == 2 && bias && ctx.element(x) == ElementType::Float32 && !isEmpty(ctx, x) &&
        !isEmpty(ctx, weight)) {
        return {ctx.emit("Gemm", {x, weight, bias}, {{"transB", 1}})};
    }
    const auto* isShared = attributeOf<bool>(ctx.node, hasSharedWeight);
    if (isShared != nullptr && *isShared && ctx.rank(x) > 2 && ctx.element(x) == ElementType::Float32 &&
        !isEmpty(ctx, x) && !isEmpty(ctx, weight)) {
        forms::ShapeTerms shape = forms::termsOf(ctx, x);
        shape.back() = forms::fixedTerm(ctx.fixedDim(weight, 0));
        OnnxValues operands{emit::reshape(ctx, x, Ints{-1, ctx.fixedDim(weight, 1)}), weight};
        if (bias) {
            operands.push_back(bias);
        }
        return {forms::reshapeTo(ctx, ctx.emit("Gemm", operands, {{"transB", 1}}), shape)};
    }
    const OnnxValue y = matrixProduct(ctx, x, emit::transpose(ctx, weight, {1, 0}));
    return {bias ? arithmetic::add(ctx, y, bias) : y};
}

OnnxValue multipliedBy(const NodeContext& ctx, OnnxValue x, double factor)
{
    return factor == 1 ? x : arithmetic::multiply(ctx, x, emit::scalarLike(ctx, x, factor));
}

/// beta self + alpha a b. With factors, the product of half precision is computed in single, where it does not
/// overflow.
template <const char* first, const char* second>
OnnxValues addProduct(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const double alpha = arguments.number("alpha", 1);
    const double beta = arguments.number("beta", 1);
    const forms::Precision precision(ctx, arguments.tensor(first));
    const bool isScaled = alpha != 1 || (beta != 0 && beta != 1);
    const auto operand = [&](std::string_view name) {
        const OnnxValue x = arguments.tensor(name);
        return isScaled ? precision.widen(x) : x;
    };
    OnnxValue y = multipliedBy(ctx, matrixProduct(ctx, operand(first), operand(second)), alpha);
    y = beta == 0 ? y : arithmetic::add(ctx, multipliedBy(ctx, operand("self"), beta), y);
    return {isScaled ? precision.restore(y) : y};
}

OnnxValues outer(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const ElementType type = resultType(ctx, arguments, {"self", "vec2"});
    return {arithmetic::multiply(ctx, emit::unsqueeze(ctx, operand(ctx, arguments, "self", type), {1}),
                                 emit::unsqueeze(ctx, operand(ctx, arguments, "vec2", type), {0}))};
}

/// An equation in a type that ONNX Runtime's Einsum has; integers wrap in their own.
OnnxValue summedProduct(const NodeContext& ctx, OnnxValues operands, const std::string& equation, ElementType result)
{
    const ElementType type = ctx.element(operands[0]);
    const ElementType wide = isFloating(type) ? type : result == ElementType::Int64 ? result : forms::widened(type);
    for (OnnxValue& x : operands) {
        x = emit::cast(ctx, x, wide);
    }
    return emit::cast(ctx, ctx.emit("Einsum", operands, {{"equation", equation}}), result);
}

/// Whether an axis of one operand alone is summed up: its letter is in no other operand, and not in the result.
bool sumsUp(std::string equation)
{
    for (std::size_t at = equation.find("..."); at != std::string::npos; at = equation.find("...")) {
        equation.replace(at, 3, ".");
    }
    const std::size_t arrow = equation.find("->");
    const std::string operands = equation.substr(0, arrow);
    return std::ranges::any_of(operands, [&](char letter) {
        const bool isAxis = letter == '.' || std::isalpha(static_cast<unsigned char>(letter)) != 0;
        const std::size_t first = operands.rfind(',', operands.find(letter));
        const std::size_t last = operands.rfind(',', operands.rfind(letter));
        const bool isOut = equation.find(letter, arrow + 2) == std::string::npos;
        return isAxis && isOut && first == last;
    });
}

/// An equation without a result has the axes of the ellipsis, and the letters that occur once, in order.
std::string withResult(const std::string& equation)
{
    if (equation.find("->") != std::string::npos) {
        return equation;
    }
    std::string result = equation.find('.') != std::string::npos ? "..." : "";
    for (char letter = 'A'; letter <= 'z'; ++letter) {
        if (std::count(equation.begin(), equation.end(), letter) == 1) {
            result.push_back(letter);
        }
    }
    return equation + "->" + result;
}

/// Ellipses that stand for different numbers of axes, as letters: ONNX's stand for one number.
std::string withoutEllipses(const NodeContext& ctx, const OnnxValues& operands, const std::string& equation)
{
    constexpr std::string_view dots = "...";
    const std::size_t arrow = equation.find("->");
    std::vector<std::string> terms{{}};
    for (const char letter : equation.substr(0, arrow)) {
        if (letter == ',') {
            terms.emplace_back();
        } else {
            terms.back().push_back(letter);
        }
    }
    std::vector<std::size_t> axes(terms.size(), 0);
    std::size_t most = 0;
    std::optional<std::size_t> first;
    bool differ = false;
    for (std::size_t i = 0; i < std::min(terms.size(), operands.size()); ++i) {
        if (terms[i].find(dots) == std::string::npos) {
            continue;
        }
        const std::size_t letters = terms[i].size() - dots.size();
        axes[i] = ctx.rank(operands[i]) > letters ? ctx.rank(operands[i]) - letters : 0;
        differ = differ || axes[i] != first.value_or(axes[i]);
        first = axes[i];
        most = std::max(most, axes[i]);
    }
    if (!differ || terms.size() != operands.size()) {
        return equation;
    }
    std::string unused;
    for (char letter = 'A'; letter <= 'z'; ++letter) {
        if (std::isalpha(static_cast<unsigned char>(letter)) != 0 && equation.find(letter) == std::string::npos) {
            unused.push_back(letter);
        }
    }
    if (most > unused.size()) {
        ctx.refuse("there are more axes than letters", "equation");
    }
    const auto replaced = [&](std::string term, std::size_t count) {
        const std::size_t at = term.find(dots);
        return at == std::string::npos ? term : term.replace(at, dots.size(), unused.substr(most - count, count));
    };
    std::string result;
    for (std::size_t i = 0; i < terms.size(); ++i) {
        result += (i > 0 ? "," : "") + replaced(terms[i], axes[i]);
    }
    return result + "->" + replaced(equation.substr(arrow + 2), most);
}

/// Sums of integers alone are int64, products keep the type of the operands.
OnnxValues einsum(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    std::string equation = arguments.text("equation");
    std::erase(equation, ' ');
    const OnnxValues operands = arguments.tensors("tensors");
    if (operands.empty()) {
        ctx.invalid("needs at least one tensor", "tensors");
    }
    const ElementType own = ctx.element(operands[0]);
    const std::string letters = withoutEllipses(ctx, operands, withResult(equation));
    const bool isSum = !isFloating(own) && sumsUp(letters);
    return {summedProduct(ctx, operands, letters, isSum ? ElementType::Int64 : own)};
}

/// The sum of i1 i2 i3 over the axes `sumdim`. Each operand lacks the axes in its `expand`; those of size 1 do not
/// broadcast.
OnnxValues trilinear(NodeContext& ctx)
{
    constexpr std::array<std::array<const char*, 2>, 3> names{
        {{"i1", "expand1"}, {"i2", "expand2"}, {"i3", "expand3"}}};
    constexpr std::size_t letters = 26;
    const Arguments arguments(ctx);
    const auto axesIn = [&](const char* name) { return arguments.integers(name).value_or(Ints()); };
    const auto contains = [](const Ints& axes, std::size_t axis) {
        return std::ranges::find(axes, static_cast<std::int64_t>(axis)) != axes.end();
    };
    const auto letter = [](std::size_t axis) { return static_cast<char>('a' + axis); };
    const std::size_t rank = ctx.rank(arguments.tensor(names[0][0])) + axesIn(names[0][1]).size();
    if (rank > letters) {
        ctx.refuse("there are more axes than letters of an equation", names[0][1]);
    }
    OnnxValues operands;
    std::string equation;
    Shape sizes(rank, Dim());
    for (const auto& [operandName, expandName] : names) {
        const OnnxValue x = arguments.tensor(operandName);
        const Shape& shape = ctx.shape(x);
        const Ints missing = axesIn(expandName);
        std::string term;
        for (std::size_t axis = 0; axis < rank; ++axis) {
            if (contains(missing, axis)) {
                continue;
            }
            const Dim size = term.size() < shape.size() ? shape[term.size()] : Dim();
            if (size.isFixed() && sizes[axis].isFixed() && size != sizes[axis]) {
                ctx.invalid(fmt::format("axis {} has the sizes {} and {}", axis, sizes[axis].size, size.size),
                            operandName);
            }
            sizes[axis] = size.isFixed() ? size : sizes[axis];
            term.push_back(letter(axis));
        }
        if (term.size() != shape.size()) {
            ctx.invalid("the axes do not fit the number of dimensions", expandName);
        }
        equation += (operands.empty() ? "" : ",") + term;
        operands.push_back(x);
    }
    const Ints summed = axesIn("sumdim");
    std::string result;
    for (std::size_t axis = 0; axis < rank; ++axis) {
        if (contains(summed, axis)) {
            continue;
        }
        if (equation.find(letter(axis)) == std::string::npos) {
            ctx.refuse(fmt::format("no operand has axis {}", axis), names[0][1]);
        }
        result.push_back(letter(axis));
    }
    return {summedProduct(ctx, operands, equation + "->" + result, ctx.element(operands[0]))};
}

/// The sum over axes of both operands, as an equation.
OnnxValues tensorDot(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue a = arguments.tensor("self");
    const OnnxValue b = arguments.tensor("other");
    const auto axesOf = [&](std::string_view name, OnnxValue x) {
        return arguments.integers(name).value_or(Ints()).empty() ? Ints() : arguments.axes(name, ctx.rank(x));
    };
    const Ints first = axesOf("dims_self", a);
    const Ints second = axesOf("dims_other", b);
    if (first.size() != second.size() || ctx.rank(a) + ctx.rank(b) > 52) {
        ctx.invalid("the numbers of axes differ, or there are too many", "dims_self");
    }
    const auto letter = [](std::size_t i) { return static_cast<char>(i < 26 ? 'a' + i : 'A' + (i - 26)); };
    std::string left;
    std::string right;
    std::string result;
    for (std::size_t i = 0; i < ctx.rank(a); ++i) {
        left += letter(i);
        if (std::find(first.begin(), first.end(), static_cast<std::int64_t>(i)) == first.end()) {
            result += letter(i);
        }
    }
    for (std::size_t i = 0; i < ctx.rank(b); ++i) {
        const auto found = std::find(second.begin(), second.end(), static_cast<std::int64_t>(i));
        const bool isOwn = found == second.end();
        right += isOwn ? letter(ctx.rank(a) + i)
                       : left[static_cast<std::size_t>(first[static_cast<std::size_t>(found - second.begin())])];
        result += isOwn ? std::string(1, right.back()) : std::string();
    }
    return {summedProduct(ctx, {a, b}, left + "," + right + "->" + result, ctx.element(a))};
}

/// The vector product along an axis of size 3: the first such axis, or the last one of linalg_cross.
template <bool isLast>
OnnxValues cross(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const ElementType type = resultType(ctx, arguments, {"self", "other"});
    const OnnxValue a = operand(ctx, arguments, "self", type);
    const OnnxValue b = operand(ctx, arguments, "other", type);
    std::int64_t axis = static_cast<std::int64_t>(ctx.rank(a)) - 1;
    if (arguments.has("dim")) {
        axis = arguments.axis("dim", -1, ctx.rank(a));
    } else if (!isLast) {
        for (axis = 0; axis + 1 < static_cast<std::int64_t>(ctx.rank(a)) && ctx.fixedDim(a, axis) != 3;) {
            ++axis;
        }
    }
    const auto turned = [&](OnnxValue x, const Ints& order) {
        return emit::gather(ctx, x, ctx.onnx.ints(order), axis);
    };
    const Ints next{1, 2, 0};
    const Ints last{2, 0, 1};
    return {arithmetic::subtract(ctx, arithmetic::multiply(ctx, turned(a, next), turned(b, last)),
                                 arithmetic::multiply(ctx, turned(a, last), turned(b, next)))};
}

/// beta self + alpha times the sum of the products of all batches. PyTorch adds batch after batch, each time rounding
/// half precision.
OnnxValues addBatchProduct(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const double beta = arguments.number("beta", 1);
    const double alpha = arguments.number("alpha", 1);
    const OnnxValue first = arguments.tensor("batch1");
    const OnnxValue second = arguments.tensor("batch2");
    const OnnxValue self = arguments.tensor("self");
    constexpr std::int64_t mostSteps = 256;
    const Dim& batches = ctx.shape(first)[0];
    const HalfSteps step(ctx, ctx.element(first));
    if (step.isHalf() && batches.isFixed() && batches.size > 0 && batches.size <= mostSteps) {
        OnnxValue y = beta == 0 ? OnnxValue{} : multipliedBy(ctx, step.start(self), beta);
        for (std::int64_t i = 0; i < batches.size; ++i) {
            const auto at = [&](OnnxValue x) {
                return step.start(emit::gather(ctx, x, ctx.onnx.scalar(ElementType::Int64, static_cast<double>(i)), 0));
            };
            const OnnxValue term = multipliedBy(ctx, matrixProduct(ctx, at(first), at(second)), alpha);
            y = step.round(y ? ctx.emit("Add", {y, term}) : term);
        }
        return {step.end(y)};
    }
    const OnnxValue products = matrixProduct(ctx, first, second);
    const OnnxValue sum = forms::reducedAlong(ctx, "ReduceSum", products, {0}, false);
    const OnnxValue y = multipliedBy(ctx, sum, alpha);
    return {beta == 0 ? y : arithmetic::add(ctx, multipliedBy(ctx, self, beta), y)};
}

/// beta self + (alpha vec1) vec2^T, multiplied in this order.
OnnxValues addOuter(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const double beta = arguments.number("beta", 1);
    const OnnxValue scaled = multipliedBy(ctx, arguments.tensor("vec1"), arguments.number("alpha", 1));
    const OnnxValue y = arithmetic::multiply(ctx, emit::unsqueeze(ctx, scaled, {1}),
                                             emit::unsqueeze(ctx, arguments.tensor("vec2"), {0}));
    return {beta == 0 ? y : arithmetic::add(ctx, multipliedBy(ctx, arguments.tensor("self"), beta), y)};
}

/// Sums of products along the last axes of both.
OnnxValues inner(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue a = arguments.tensor("self");
    const OnnxValue b = arguments.tensor("other");
    if (ctx.rank(a) == 0 || ctx.rank(b) == 0) {
        return {arithmetic::multiply(ctx, a, b)};
    }
    if (ctx.rank(b) <= 2) {
        return {matrixProduct(ctx, a, ctx.rank(b) == 2 ? emit::transpose(ctx, b, {1, 0}) : b)};
    }
    ctx.refuse("an inner product with more than two dimensions in the second operand is not supported", "other");
}

OnnxValues vectorDot(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue products = arithmetic::multiply(ctx, arguments.tensor("x"), arguments.tensor("y"));
    return {emit::reduce(ctx, "ReduceSum", products, {arguments.axis("dim", -1, ctx.rank(products))}, false)};
}

OnnxValues productOfAll(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValues factors = arguments.tensors(arguments.has("matrices") ? "matrices" : "tensors");
    if (factors.empty()) {
        ctx.invalid("needs at least one matrix", "tensors");
    }
    OnnxValue y = factors[0];
    for (std::size_t i = 1; i < factors.size(); ++i) {
        y = matrixProduct(ctx, y, factors[i]);
    }
    return {y};
}

OnnxValues matrixPower(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue x = arguments.tensor("self");
    const std::int64_t n = arguments.integer("n", 1);
    constexpr std::int64_t most = 1 << 10;
    if (n < -most || n > most) {
        ctx.refuse("only powers from -1024 to 1024 are supported", "n");
    }
    if (isEmpty(ctx, x)) {
        return {x};
    }
    OnnxValue y;
    OnnxValue square = n < 0 ? forms::linear::solved(ctx, x, forms::linear::identityLike(ctx, x)) : x;
    for (std::int64_t rest = n < 0 ? -n : n; rest > 0; rest /= 2) {
        if (rest % 2 == 1) {
            y = y ? matrixProduct(ctx, y, square) : square;
        }
        square = rest > 1 ? matrixProduct(ctx, square, square) : square;
    }
    return {y ? y : forms::linear::identityLike(ctx, x)};
}

/// Blocks of b, each times an element of a.
OnnxValues kronecker(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const ElementType type = resultType(ctx, arguments, {"self", "other"});
    OnnxValue a = operand(ctx, arguments, "self", type);
    OnnxValue b = operand(ctx, arguments, "other", type);
    const std::size_t rank = std::max(ctx.rank(a), ctx.rank(b));
    Ints sizes;
    for (OnnxValue* x : {&a, &b}) { // ones in front, and between the own sizes those of the other
        Ints view(2 * rank, 1);
        for (std::size_t i = 0; i < ctx.rank(*x); ++i) {
            const std::size_t place = rank - ctx.rank(*x) + i;
            view[2 * place + (x == &b ? 1 : 0)] = ctx.fixedDim(*x, static_cast<std::int64_t>(i));
        }
        *x = emit::reshape(ctx, *x, view);
        for (std::size_t i = 0; i < rank; ++i) {
            const std::int64_t size = view[2 * i] * view[2 * i + 1];
            x == &a ? sizes.push_back(size) : static_cast<void>(sizes[i] *= size);
        }
    }
    return {emit::reshape(ctx, arithmetic::multiply(ctx, a, b), sizes)};
}

/// x1 W x2 + b for each of several matrices W.
OnnxValues bilinear(NodeContext& ctx)
{
    const Arguments arguments(ctx);
    const OnnxValue first = arguments.tensor("input1");
    const OnnxValue second = arguments.tensor("input2");
    const OnnxValue weight = arguments.tensor("weight"); // (out, in1, in2)
    const OnnxValue bias = arguments.optional("bias");
    // (..., 1, 1, in1) (out, in1, in2) = (..., out, 1, in2)
    const auto last = static_cast<std::int64_t>(ctx.rank(first)) - 1;
    const OnnxValue left = matrixProduct(ctx, emit::unsqueeze(ctx, first, {last, last + 1}), weight);
    const OnnxValue right = emit::unsqueeze(ctx, second, {last, last + 1});
    const OnnxValue y =
        forms::reducedAlong(ctx, "ReduceSum", arithmetic::multiply(ctx, left, right), {last + 1, last + 2}, false);
    return {bias ? arithmetic::add(ctx, y, bias) : y};
}

constexpr char otherName[] = "other";
constexpr char mat2Name[] = "mat2";
constexpr char vecName[] = "vec";
constexpr char tensorName[] = "tensor";
constexpr char mat1Name[] = "mat1";
constexpr char batch1Name[] = "batch1";
constexpr char batch2Name[] = "batch2";
constexpr char matName[] = "mat";

} // namespace

std::span<const OpRow> matrixOps()
{
    static constexpr OpRow rows[] = {
        {"aten::linear", linear, "Gemm; MatMul, Add"},
        {"aten::matmul", multiplyMatrices<otherName>, "MatMul"},
        {"aten::mm", multiplyMatrices<mat2Name>, "MatMul"},
        {"aten::bmm", multiplyMatrices<mat2Name>, "MatMul"},
        {"aten::mv", multiplyMatrices<vecName>, "MatMul"},
        {"aten::dot", multiplyMatrices<tensorName>, "MatMul"},
        {"aten::addmm", addProduct<mat1Name, mat2Name>, "MatMul, Add"},
        {"aten::baddbmm", addProduct<batch1Name, batch2Name>, "MatMul, Add"},
        {"aten::addmv", addProduct<matName, vecName>, "MatMul, Add"},
        {"aten::outer", outer, "Mul"},
        {"aten::einsum", einsum, "Einsum"},
        {"aten::tensordot", tensorDot, "Einsum"},
        {"aten::cross", cross<false>, "Gather, Mul, Sub"},
        {"aten::linalg_cross", cross<true>, "Gather, Mul, Sub"},
        {"aten::addbmm", addBatchProduct, "MatMul, ReduceSum, Add"},
        {"aten::_trilinear", trilinear, "Einsum"},
        {"aten::addr", addOuter, "Mul, Add"},
        {"aten::ger", outer, "Mul"},
        {"aten::inner", inner, "MatMul"},
        {"aten::vdot", multiplyMatrices<otherName>, "MatMul"},
        {"aten::linalg_vecdot", vectorDot, "Mul, ReduceSum"},
        {"aten::linalg_matmul", multiplyMatrices<otherName>, "MatMul"},
        {"aten::linalg_multi_dot", productOfAll, "MatMul"},
        {"aten::chain_matmul", productOfAll, "MatMul"},
        {"aten::matrix_power", matrixPower, "MatMul"},
        {"aten::linalg_matrix_power", matrixPower, "MatMul"},
        {"aten::kron", kronecker, "Reshape, Mul"},
        {"aten::bilinear", bilinear, "MatMul, Mul, ReduceSum"},
    };
    return rows;
}

} // namespace crosswalk::pytorch
