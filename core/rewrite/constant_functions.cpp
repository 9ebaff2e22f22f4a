#include "core/rewrite/constant_functions.h"

#include "core/base/saturating_product.h"
#include "core/onnx/node.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

namespace crosswalk {
namespace {

using ::onnx::NodeProto;
using Operands = std::span<const Tensor* const>;

constexpr std::int64_t resultLimit = 1 << 18U;
constexpr std::int64_t operandLimit = 16;       ///< of the largest results
constexpr std::int64_t productLimit = 1 << 26U; ///< multiplications of a matrix product

bool isReal(const Tensor& tensor)
{
    return tensor.type() == ElementType::Float32 || tensor.type() == ElementType::Float64;
}

bool isWhole(const Tensor& tensor)
{
    return tensor.type() == ElementType::Int64 || tensor.type() == ElementType::Int32 ||
           tensor.type() == ElementType::Bool;
}

/// The dimensions to which shapes broadcast; nothing if they do not, or to more elements than are computed.
std::optional<Ints> broadcast(std::span<const Ints> shapes)
{
    Ints dims;
    std::int64_t count = 1;
    for (const Ints& shape : shapes) {
        dims.resize(std::max(dims.size(), shape.size()), 1);
    }
    for (std::size_t back = 1; back <= dims.size(); ++back) {
        std::int64_t& dim = dims[dims.size() - back];
        dim = 1;
        for (const Ints& shape : shapes) {
            const std::int64_t own = back <= shape.size() ? shape[shape.size() - back] : 1;
            if (own != 1 && dim != 1 && own != dim) {
                return std::nullopt;
            }
            dim = own != 1 ? own : dim;
        }
        count *= dim;
        if (count * static_cast<std::int64_t>(shapes.size()) > resultLimit * operandLimit) {
            return std::nullopt;
        }
    }
    return count <= resultLimit ? std::optional(dims) : std::nullopt;
}

/// For each element of `dims` in C order, the place in a tensor of `own` that is broadcast to them.
std::vector<std::size_t> placesOf(const Ints& own, const Ints& dims)
{
    std::vector<std::size_t> places{0};
    std::size_t stride = 1;
    // From the last axis outwards, all places of an axis' elements repeat those of the axes behind it.
    for (std::size_t back = 1; back <= dims.size(); ++back) {
        const std::int64_t size = dims[dims.size() - back];
        const std::int64_t given = back <= own.size() ? own[own.size() - back] : 1;
        std::vector<std::size_t> grown;
        grown.reserve(places.size() * static_cast<std::size_t>(size));
        for (std::int64_t i = 0; i < size; ++i) {
            const std::size_t shift = given == 1 ? 0 : static_cast<std::size_t>(i) * stride;
            for (const std::size_t place : places) {
                grown.push_back(place + shift);
            }
        }
        places = std::move(grown);
        stride *= static_cast<std::size_t>(given);
    }
    return places;
}

std::optional<Ints> commonDims(Operands inputs)
{
    std::vector<Ints> shapes;
    for (const Tensor* input : inputs) {
        shapes.push_back(input->dims());
    }
    return broadcast(shapes);
}

std::optional<Tensor> unaryFunction(std::string_view op, const Tensor& x)
{
    if (op == "Not" && x.type() == ElementType::Bool) {
        Ints values = x.toInts();
        std::ranges::transform(values, values.begin(), [](std::int64_t value) { return value == 0 ? 1 : 0; });
        return Tensor::ints(values).reshaped(x.dims()).converted(ElementType::Bool);
    }
    using Function = double (*)(double);
    static constexpr std::pair<std::string_view, Function> functions[] = {
        {"Relu", [](double v) { return v < 0 ? 0 : v; }},
        {"Sigmoid", [](double v) { return 1 / (1 + std::exp(-v)); }},
        {"Tanh", [](double v) { return std::tanh(v); }},
        {"Exp", [](double v) { return std::exp(v); }},
        {"Log", [](double v) { return std::log(v); }}};
    const auto* const found = std::ranges::find(functions, op, &std::pair<std::string_view, Function>::first);
    if (found == std::end(functions) || !isReal(x)) {
        return std::nullopt;
    }
    std::vector<double> values = x.toDoubles();
    if (std::ranges::any_of(values, [](double value) { return std::isnan(value); })) {
        return std::nullopt;
    }
    std::ranges::transform(values, values.begin(), found->second);
    return Tensor::of<double>(ElementType::Float64, x.dims(), values).converted(x.type());
}

/// Integers as floating-point numbers, if all of them are exact.
std::optional<Tensor> casted(const NodeProto& node, const Tensor& x)
{
    const auto type = static_cast<ElementType>(intAttribute(node, "to", 0));
    const std::int64_t most = type == ElementType::Float32   ? std::int64_t{1} << 24U
                              : type == ElementType::Float64 ? std::int64_t{1} << 53U
                                                             : -1;
    const Ints values = isWhole(x) && most > 0 ? x.toInts() : Ints();
    const bool isExact = std::ranges::all_of(values, [&](std::int64_t v) { return v >= -most && v <= most; });
    return !values.empty() && isExact ? std::optional(x.converted(type)) : std::nullopt;
}

/// The operands of two or more, combined one after another.
template <typename T>
std::vector<T> combined(const std::vector<std::vector<T>>& values, Operands inputs, const Ints& dims,
                        const std::function<T(T, T)>& combine)
{
    std::vector<T> result;
    for (std::size_t k = 0; k < values.size(); ++k) {
        const auto places = placesOf(inputs[k]->dims(), dims);
        result.resize(places.size());
        for (std::size_t i = 0; i < places.size(); ++i) {
            const T value = values[k][places[i]];
            result[i] = k == 0 ? value : combine(result[i], value);
        }
    }
    return result;
}

template <typename T>
std::optional<std::function<T(T, T)>> combinationOf(std::string_view op)
{
    using Found = std::function<T(T, T)>;
    if constexpr (std::is_same_v<T, double>) {
        if (op == "Pow") {
            return Found([](double a, double b) { return std::pow(a, b); });
        }
    }
    if (op == "Max") {
        return Found([](T a, T b) { return std::max(a, b); });
    }
    if (op == "Min") {
        return Found([](T a, T b) { return std::min(a, b); });
    }
    return std::nullopt;
}

template <typename T>
std::optional<std::function<T(T, T)>> comparisonOf(std::string_view op)
{
    using Found = std::function<T(T, T)>;
    const auto truth = [](bool value) { return static_cast<T>(value ? 1 : 0); };
    if (op == "Equal") {
        return Found([truth](T a, T b) { return truth(a == b); });
    }
    if (op == "Less") {
        return Found([truth](T a, T b) { return truth(a < b); });
    }
    if (op == "Greater") {
        return Found([truth](T a, T b) { return truth(a > b); });
    }
    if (op == "LessOrEqual") {
        return Found([truth](T a, T b) { return truth(a <= b); });
    }
    if (op == "GreaterOrEqual") {
        return Found([truth](T a, T b) { return truth(a >= b); });
    }
    return std::nullopt;
}

std::optional<std::function<std::int64_t(std::int64_t, std::int64_t)>> connectiveOf(std::string_view op)
{
    using Found = std::function<std::int64_t(std::int64_t, std::int64_t)>;
    return op == "And"  ? std::optional(Found(std::bit_and<>()))
           : op == "Or" ? std::optional(Found(std::bit_or<>()))
                        : std::nullopt;
}

template <typename T, typename Read>
std::optional<Tensor> ofSeveral(std::string_view op, Operands inputs, Read read)
{
    const ElementType type = inputs[0]->type();
    const auto comparison = inputs.size() == 2 ? comparisonOf<T>(op) : std::nullopt;
    const auto combination = comparison ? comparison : combinationOf<T>(op);
    if (!combination || !std::ranges::all_of(inputs, [&](const Tensor* input) { return input->type() == type; })) {
        return std::nullopt;
    }
    const auto dims = commonDims(inputs);
    if (!dims) {
        return std::nullopt;
    }
    std::vector<std::vector<T>> values;
    for (const Tensor* input : inputs) {
        values.push_back(read(*input));
        if (std::ranges::any_of(values.back(), [](T value) { return value != value; })) { // NaN
            return std::nullopt;
        }
    }
    const std::vector<T> result = combined<T>(values, inputs, *dims, *combination);
    if (std::ranges::any_of(result, [](T value) { return value != value; })) {
        return std::nullopt;
    }
    constexpr ElementType own = std::is_same_v<T, double> ? ElementType::Float64 : ElementType::Int64;
    return Tensor::of<T>(own, *dims, result).converted(comparison ? ElementType::Bool : type);
}

std::optional<Tensor> connected(std::string_view op, Operands inputs)
{
    const auto connective = inputs.size() == 2 ? connectiveOf(op) : std::nullopt;
    const auto dims = connective ? commonDims(inputs) : std::nullopt;
    if (!dims || inputs[0]->type() != ElementType::Bool || inputs[1]->type() != ElementType::Bool) {
        return std::nullopt;
    }
    const auto result = combined<std::int64_t>({inputs[0]->toInts(), inputs[1]->toInts()}, inputs, *dims, *connective);
    return Tensor::ints(result).reshaped(*dims).converted(ElementType::Bool);
}

/// The elements of several tensors, each given by a tensor's number and a place in it.
template <typename Pick>
Tensor picked(Operands from, const Ints& dims, const Pick& pick)
{
    const std::size_t size = byteSize(from[0]->type());
    std::vector<std::vector<std::byte>> bytes;
    for (const Tensor* tensor : from) {
        bytes.push_back(tensor->toBytes());
    }
    std::vector<std::byte> result(static_cast<std::size_t>(saturatingProduct(dims)) * size);
    for (std::size_t i = 0; i * size < result.size(); ++i) {
        const auto [tensor, place] = pick(i);
        std::memcpy(&result[i * size], &bytes[tensor][place * size], size);
    }
    return Tensor::owned(from[0]->type(), dims, std::move(result));
}

std::optional<Tensor> selected(Operands inputs)
{
    const auto dims = inputs.size() == 3 ? commonDims(inputs) : std::nullopt;
    if (!dims || inputs[1]->type() != inputs[2]->type() || byteSize(inputs[1]->type()) == 0) {
        return std::nullopt;
    }
    const Ints truths = inputs[0]->toInts();
    const auto condition = placesOf(inputs[0]->dims(), *dims);
    const std::vector<std::size_t> places[]{placesOf(inputs[1]->dims(), *dims), placesOf(inputs[2]->dims(), *dims)};
    return picked(inputs.subspan(1), *dims, [&](std::size_t i) {
        const std::size_t tensor = truths[condition[i]] != 0 ? 0 : 1;
        return std::pair(tensor, places[tensor][i]);
    });
}

std::optional<Tensor> gatheredElements(const NodeProto& node, const Tensor& x, const Tensor& indices)
{
    const std::size_t axis = axisAt(intAttribute(node, "axis", 0), x.rank());
    if (axis >= x.rank() || byteSize(x.type()) == 0 || !isWhole(indices)) {
        return std::nullopt;
    }
    const std::span<const std::int64_t> all(x.dims());
    Ints dims(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(axis));
    dims.insert(dims.end(), indices.dims().begin(), indices.dims().end());
    dims.insert(dims.end(), all.begin() + static_cast<std::ptrdiff_t>(axis) + 1, all.end());
    const std::int64_t size = x.dims()[axis];
    Ints numbers = indices.toInts();
    for (std::int64_t& number : numbers) {
        if (number < -size || number >= size) {
            return std::nullopt;
        }
        number += number < 0 ? size : 0;
    }
    if (saturatingProduct(dims) > resultLimit || saturatingProduct(dims) == 0) {
        return std::nullopt;
    }
    const auto inner = static_cast<std::size_t>(saturatingProduct(all.subspan(axis + 1)));
    const Tensor* const from[]{&x};
    return picked(from, dims, [&](std::size_t i) {
        const std::size_t outer = i / inner / numbers.size();
        const auto number = static_cast<std::size_t>(numbers[i / inner % numbers.size()]);
        return std::pair(std::size_t{0}, (outer * static_cast<std::size_t>(size) + number) * inner + i % inner);
    });
}

std::optional<Tensor> multiplied(const Tensor& a, const Tensor& b)
{
    if (a.rank() < 2 || b.rank() < 2 || !isReal(a) || a.type() != b.type() ||
        a.dims().back() != b.dims()[b.rank() - 2]) {
        return std::nullopt;
    }
    const Ints outerOf[]{{a.dims().begin(), a.dims().end() - 2}, {b.dims().begin(), b.dims().end() - 2}};
    auto dims = broadcast(outerOf);
    if (!dims) {
        return std::nullopt;
    }
    const auto firsts = placesOf(outerOf[0], *dims);
    const auto seconds = placesOf(outerOf[1], *dims);
    const auto rows = static_cast<std::size_t>(a.dims()[a.rank() - 2]);
    const auto depth = static_cast<std::size_t>(a.dims().back());
    const auto columns = static_cast<std::size_t>(b.dims().back());
    dims->push_back(a.dims()[a.rank() - 2]);
    dims->push_back(b.dims().back());
    if (saturatingProduct(*dims) > resultLimit ||
        saturatingProduct(saturatingProduct(*dims), a.dims().back()) > productLimit) {
        return std::nullopt;
    }
    const std::vector<double> left = a.toDoubles();
    const std::vector<double> right = b.toDoubles();
    std::vector<double> result(firsts.size() * rows * columns);
    for (std::size_t m = 0; m < firsts.size(); ++m) {
        for (std::size_t i = 0; i < rows * columns; ++i) {
            const double* row = left.data() + (firsts[m] * rows + i / columns) * depth;
            const double* column = right.data() + seconds[m] * depth * columns + i % columns;
            double sum = 0;
            for (std::size_t k = 0; k < depth; ++k) {
                sum += row[k] * column[k * columns];
            }
            result[m * rows * columns + i] = sum;
        }
    }
    if (std::ranges::any_of(result, [](double value) { return std::isnan(value); })) {
        return std::nullopt;
    }
    return Tensor::of<double>(ElementType::Float64, *dims, result).converted(a.type());
}

} // namespace

std::optional<Tensor> constantFunction(const NodeProto& node, Operands inputs)
{
    const bool areKnown = std::ranges::all_of(inputs, [](const Tensor* input) {
        return input != nullptr && input->elements() <= resultLimit && input->elements() > 0;
    });
    if (!node.domain().empty() || inputs.empty() || !areKnown) {
        return std::nullopt;
    }
    const std::string_view op = node.op_type();
    if (inputs.size() == 1) {
        return op == "Cast" ? casted(node, *inputs[0]) : unaryFunction(op, *inputs[0]);
    }
    if (op == "Where") {
        return selected(inputs);
    }
    if (op == "Gather") {
        return gatheredElements(node, *inputs[0], *inputs[1]);
    }
    if (op == "MatMul") {
        return multiplied(*inputs[0], *inputs[1]);
    }
    if (auto result = connected(op, inputs)) {
        return result;
    }
    if (isReal(*inputs[0])) {
        return ofSeveral<double>(op, inputs, [](const Tensor& tensor) { return tensor.toDoubles(); });
    }
    return isWhole(*inputs[0])
               ? ofSeveral<std::int64_t>(op, inputs, [](const Tensor& tensor) { return tensor.toInts(); })
               : std::nullopt;
}

} // namespace crosswalk
