#include "core/rewrite/constant_results.h"

#include "core/base/saturating_product.h"
#include "core/onnx/fold.h"
#include "core/onnx/node.h"
#include "core/onnx/tensor_record.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;
using Results = std::optional<std::vector<Tensor>>;

using TypeOf = std::function<TensorType(const std::string&)>;

constexpr std::int64_t elementLimit = 1 << 18U;

bool isIndex(const Tensor& tensor)
{
    return tensor.type() == ElementType::Int64 || tensor.type() == ElementType::Int32;
}

bool fits(std::int64_t value, ElementType type)
{
    return type == ElementType::Int64 ||
           (value >= std::numeric_limits<std::int32_t>::min() && value <= std::numeric_limits<std::int32_t>::max());
}

Tensor integers(ElementType type, const Ints& dims, const Ints& values)
{
    return Tensor::ints(values).reshaped(dims).converted(type);
}

/// The dimensions of a value, from begin to end.
Results shapeOfValue(const TypeOf& typeOf, const NodeProto& node)
{
    const auto shape = typeOf(node.input(0)).shape;
    if (!shape || !isFixed(*shape)) {
        return std::nullopt;
    }
    const auto rank = static_cast<std::int64_t>(shape->size());
    const auto bound = [&](const char* name, std::int64_t fallback) {
        const std::int64_t axis = intAttribute(node, name, fallback);
        return std::clamp<std::int64_t>(axis < 0 ? axis + rank : axis, 0, rank);
    };
    Ints dims;
    for (std::int64_t i = bound("start", 0); i < bound("end", rank); ++i) {
        dims.push_back((*shape)[static_cast<std::size_t>(i)].size);
    }
    return std::vector{Tensor::ints(dims)};
}

Results ofOneOperand(std::string_view op, const Tensor& x)
{
    if (x.type() != ElementType::Float32 && x.type() != ElementType::Float64) {
        return std::nullopt;
    }
    std::vector<double> values = x.toDoubles();
    for (double& value : values) {
        // Rounding the square root or quotient of a float in double precision to a float is exact.
        value = op == "Sqrt" ? std::sqrt(value) : op == "Neg" ? -value : op == "Abs" ? std::abs(value) : 1 / value;
    }
    return std::vector{Tensor::of<double>(ElementType::Float64, x.dims(), values).converted(x.type())};
}

/// Integers, and numbers that are the same whether they are added up or multiplied.
Results range(const Tensor& start, const Tensor& limit, const Tensor& delta)
{
    const bool isFloat = start.type() == ElementType::Float32;
    if ((!isIndex(start) && !isFloat) || start.elements() != 1 || limit.elements() != 1 || delta.elements() != 1) {
        return std::nullopt;
    }
    const double first = start.toDoubles().front();
    const double last = limit.toDoubles().front();
    const double step = delta.toDoubles().front();
    constexpr double bound = 1 << 24U;
    const double count = std::max(0.0, std::ceil((last - first) / step));
    // Also rejects NaN.
    if (!(step != 0 && std::abs(first) < bound && std::abs(last) < bound && std::abs(step) < bound && count < bound)) {
        return std::nullopt;
    }
    std::vector<double> values;
    auto sum = static_cast<float>(first);
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(count); ++i) {
        values.push_back(first + static_cast<double>(i) * step);
        if (static_cast<double>(sum) != values.back()) {
            return std::nullopt;
        }
        sum += static_cast<float>(step);
    }
    const auto size = static_cast<std::int64_t>(values.size());
    return std::vector{Tensor::of<double>(ElementType::Float64, {size}, values).converted(start.type())};
}

/// The product of all integers. A node that may reduce no axis is left to the runtime.
Results productOfAll(const NodeProto& node, const Tensor& x)
{
    if (!isIndex(x) || x.rank() > 1 || intAttribute(node, "noop_with_empty_axes", 0) != 0) {
        return std::nullopt;
    }
    std::int64_t result = 1;
    for (const std::int64_t value : x.toInts()) {
        if (__builtin_mul_overflow(result, value, &result) || !fits(result, x.type())) {
            return std::nullopt;
        }
    }
    const bool keepsAxis = intAttribute(node, "keepdims", 1) == 1 && x.rank() == 1;
    return std::vector{integers(x.type(), keepsAxis ? Ints{1} : Ints{}, {result})};
}

/// Rows of `size` elements of x that have `block` elements in front of the next row.
Tensor rowsOf(const Tensor& x, std::int64_t outer, std::int64_t stride, std::int64_t begin, std::int64_t size,
              const Ints& dims)
{
    std::vector<Tensor> rows;
    for (std::int64_t i = 0; i < outer; ++i) {
        rows.push_back(x.range(i * stride + begin, {size}));
    }
    return Tensor::joined(rows).reshaped(dims);
}

Results split(const TypeOf& typeOf, const NodeProto& node, const Tensor& x)
{
    const std::size_t axis = axisAt(intAttribute(node, "axis", 0), x.rank());
    if (axis >= x.rank() || x.type() == ElementType::String || byteSize(x.type()) == 0) {
        return std::nullopt;
    }
    const std::span<const std::int64_t> all(x.dims());
    const std::int64_t outer = saturatingProduct(all.first(axis));
    const std::int64_t inner = saturatingProduct(all.subspan(axis + 1));
    constexpr std::int64_t rowLimit = 64;
    if (outer == 0 || outer > rowLimit || inner == 0) {
        return std::nullopt;
    }
    std::vector<Tensor> parts;
    std::int64_t begin = 0;
    for (const std::string& output : node.output()) {
        const auto shape = typeOf(output).shape;
        if (!shape || !isFixed(*shape) || shape->size() != x.rank() || (*shape)[axis].size == 0) {
            return std::nullopt;
        }
        Ints dims = x.dims();
        dims[axis] = (*shape)[axis].size;
        parts.push_back(rowsOf(x, outer, x.dims()[axis] * inner, begin * inner, dims[axis] * inner, dims));
        begin += dims[axis];
    }
    return begin == x.dims()[axis] ? Results(parts) : std::nullopt;
}

/// Elements of a vector.
Results gather(const NodeProto& node, const Tensor& x, const Tensor& indices)
{
    if (x.rank() != 1 || intAttribute(node, "axis", 0) != 0 || !isIndex(x) || !isIndex(indices)) {
        return std::nullopt;
    }
    const Ints from = x.toInts();
    const auto size = static_cast<std::int64_t>(from.size());
    Ints values;
    for (const std::int64_t index : indices.toInts()) {
        if (index < -size || index >= size) {
            return std::nullopt;
        }
        values.push_back(from[static_cast<std::size_t>(index < 0 ? index + size : index)]);
    }
    return std::vector{integers(x.type(), indices.dims(), values)};
}

template <class T>
bool compare(std::string_view op, T a, T b)
{
    return op == "Less"          ? a < b
           : op == "Greater"     ? a > b
           : op == "Equal"       ? a == b
           : op == "LessOrEqual" ? a <= b
                                 : a >= b;
}

/// Integers within bounds.
Results clip(const Tensor& x, const Tensor& low, const Tensor& high)
{
    if (!isIndex(x) || low.type() != x.type() || high.type() != x.type() || low.elements() != 1 ||
        high.elements() != 1) {
        return std::nullopt;
    }
    Ints values = x.toInts();
    for (std::int64_t& value : values) {
        value = std::min(std::max(value, low.toInts().front()), high.toInts().front());
    }
    return std::vector{integers(x.type(), x.dims(), values)};
}

Results cast(const NodeProto& node, const Tensor& x)
{
    const auto type = static_cast<ElementType>(intAttribute(node, "to", 0));
    const bool isExact = isIndex(x) && (type == ElementType::Int64 || type == ElementType::Int32);
    if (!isExact) {
        return std::nullopt;
    }
    const Ints values = x.toInts();
    if (!std::all_of(values.begin(), values.end(), [&](std::int64_t value) { return fits(value, type); })) {
        return std::nullopt;
    }
    return std::vector{x.converted(type)};
}

/// The remainder with the sign of the divisor, ONNX's Mod of integers.
std::int64_t floorModulo(std::int64_t x, std::int64_t y)
{
    const std::int64_t rest = x % y;
    return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

/// Integer arithmetic on operands of one shape, or with a number.
Results arithmetic(std::string_view op, const Tensor& a, const Tensor& b)
{
    const bool isNumber = b.elements() == 1 && b.rank() <= a.rank();
    const bool isNumberFirst = a.elements() == 1 && a.rank() <= b.rank();
    if (!isIndex(a) || a.type() != b.type() || (a.dims() != b.dims() && !isNumber && !isNumberFirst)) {
        return std::nullopt;
    }
    const Ints left = a.toInts();
    const Ints right = b.toInts();
    Ints values(std::max(left.size(), right.size()));
    if (left.empty() || right.empty()) {
        return std::nullopt;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::int64_t x = left[left.size() == 1 ? 0 : i];
        const std::int64_t y = right[right.size() == 1 ? 0 : i];
        if ((op == "Div" || op == "Mod") && (y == 0 || y == -1)) { // the smallest integer divided by -1 overflows
            return std::nullopt;
        }
        values[i] = op == "Div" ? x / y : op == "Mod" ? floorModulo(x, y) : 0;
        const bool overflows = op == "Add"   ? __builtin_add_overflow(x, y, &values[i])
                               : op == "Sub" ? __builtin_sub_overflow(x, y, &values[i])
                               : op == "Mul" ? __builtin_mul_overflow(x, y, &values[i])
                                             : false;
        if (overflows || !fits(values[i], a.type())) {
            return std::nullopt;
        }
    }
    return std::vector{integers(a.type(), isNumber ? a.dims() : b.dims(), values)};
}

/// A comparison of two numbers.
Results comparison(std::string_view op, const Tensor& a, const Tensor& b)
{
    const bool isKnown = (isIndex(a) || a.type() == ElementType::Float32 || a.type() == ElementType::Float64) &&
                         a.type() == b.type() && a.elements() == 1 && b.elements() == 1;
    if (!isKnown) {
        return std::nullopt;
    }
    const bool isTrue = isIndex(a) ? compare(op, a.toInts().front(), b.toInts().front())
                                   : compare(op, a.toDoubles().front(), b.toDoubles().front());
    const Ints dims = a.rank() > b.rank() ? a.dims() : b.dims();
    const std::array<std::int64_t, 1> value{isTrue ? 1 : 0};
    return std::vector{Tensor::ints(value).reshaped(dims).converted(ElementType::Bool)};
}

/// One of two tensors, of the dimensions of the result.
Results choice(const Tensor& condition, const Tensor& a, const Tensor& b)
{
    if (condition.elements() != 1 || condition.rank() > a.rank() || a.dims() != b.dims()) {
        return std::nullopt;
    }
    return std::vector{condition.toInts().front() != 0 ? a : b};
}

} // namespace

std::optional<Tensor> constantValue(const NodeProto& node)
{
    if (node.op_type() != "Constant" || !node.domain().empty() || node.attribute_size() != 1) {
        return std::nullopt;
    }
    const auto& value = node.attribute(0);
    if (value.name() == "value" && value.has_t() && value.t().data_type() != ::onnx::TensorProto::STRING) {
        // A copy, because the node is removed.
        const auto owner = std::make_shared<const ::onnx::TensorProto>(value.t());
        return tensorOf(owner, *owner);
    }
    if (value.name() == "value_int") {
        return Tensor::of<std::int64_t>(ElementType::Int64, {}, Ints{value.i()});
    }
    if (value.name() == "value_ints") {
        return Tensor::ints(Ints(value.ints().begin(), value.ints().end()));
    }
    if (value.name() == "value_float") {
        return Tensor::of<float>(ElementType::Float32, {}, std::vector<float>{value.f()});
    }
    if (value.name() == "value_floats") {
        return Tensor::of<float>(ElementType::Float32, {value.floats_size()},
                                 std::vector<float>(value.floats().begin(), value.floats().end()));
    }
    return std::nullopt;
}

std::optional<std::vector<Tensor>> constantResults(const NodeProto& node, std::span<const Tensor* const> inputs,
                                                   const TypeOf& typeOf)
{
    const std::string_view op = node.op_type();
    if (!node.domain().empty() || node.input_size() == 0) {
        return std::nullopt;
    }
    if (op == "Shape") {
        return shapeOfValue(typeOf, node);
    }
    const bool areKnown = std::ranges::all_of(inputs, [](const Tensor* input) {
        return input != nullptr && input->elements() <= elementLimit && input->type() != ElementType::String;
    });
    if (!areKnown) {
        return std::nullopt;
    }
    if (op == "Identity") {
        return std::vector{*inputs[0]};
    }
    if (op == "ReduceProd" && inputs.size() == 1 && findAttribute(node, "axes") == nullptr) {
        return productOfAll(node, *inputs[0]);
    }
    if (op == "Sqrt" || op == "Reciprocal" || op == "Neg" || op == "Abs") {
        return ofOneOperand(op, *inputs[0]);
    }
    if (op == "Range" && inputs.size() == 3) {
        return range(*inputs[0], *inputs[1], *inputs[2]);
    }
    if (op == "Split") {
        return split(typeOf, node, *inputs[0]);
    }
    if (op == "Gather" && inputs.size() == 2) {
        return gather(node, *inputs[0], *inputs[1]);
    }
    if (inputs.size() == 2 &&
        (op == "Less" || op == "Greater" || op == "Equal" || op == "LessOrEqual" || op == "GreaterOrEqual")) {
        return comparison(op, *inputs[0], *inputs[1]);
    }
    if (op == "Where" && inputs.size() == 3) {
        return choice(*inputs[0], *inputs[1], *inputs[2]);
    }
    if (op == "Clip" && inputs.size() == 3) {
        return clip(*inputs[0], *inputs[1], *inputs[2]);
    }
    if (op == "Cast") {
        return cast(node, *inputs[0]);
    }
    const bool isWholeModulo = op == "Mod" && intAttribute(node, "fmod", 0) == 0;
    if ((op == "Add" || op == "Sub" || op == "Mul" || op == "Div" || isWholeModulo) && inputs.size() == 2) {
        return arithmetic(op, *inputs[0], *inputs[1]);
    }
    return std::nullopt;
}

std::optional<std::vector<Tensor>> foldedResults(const NodeProto& node, std::span<const Tensor* const> inputs,
                                                 const TypeOf& typeOf)
{
    const bool areKnown = std::ranges::equal(node.input(), inputs, [](const std::string& name, const Tensor* input) {
        return name.empty() || (input != nullptr && input->type() != ElementType::String);
    });
    if (node.output_size() == 1 && areKnown && !inputs.empty() && inputs[0] != nullptr) {
        if (auto result = folded(node, inputs, typeOf(node.output(0)))) {
            return std::vector{std::move(*result)};
        }
    }
    return constantResults(node, inputs, typeOf);
}

} // namespace crosswalk
