#include "core/onnx/fold.h"

#include "core/base/is_one_of.h"
#include "core/base/saturating_product.h"
#include "core/onnx/node.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace crosswalk {
namespace {

using Operands = std::span<const Tensor* const>;

/// Larger tensors are not read; they stay in the file and use no memory.
constexpr std::uint64_t readLimit = 8U << 20U;
constexpr std::uint64_t resultLimit = 1U << 20U;

std::size_t axisOf(const ::onnx::NodeProto& node, std::size_t rank)
{
    return axisAt(intAttribute(node, "axis", 0), rank);
}

Ints stridesOf(const Ints& dims)
{
    Ints strides(dims.size(), 1);
    for (std::size_t i = dims.size(); i-- > 1;) {
        strides[i - 1] = strides[i] * dims[i];
    }
    return strides;
}

/// Calls use(i, offsets) for each element i of `dims` in C order, with its offset according to each of the strides.
template <std::size_t N, typename Use>
void walk(const Ints& dims, const std::array<Ints, N>& strides, std::array<std::int64_t, N> offsets, const Use& use)
{
    Ints at(dims.size(), 0);
    const std::int64_t count = saturatingProduct(dims);
    for (std::int64_t i = 0; i < count; ++i) {
        use(i, offsets);
        for (std::size_t d = dims.size(); d-- > 0;) {
            for (std::size_t n = 0; n < N; ++n) {
                offsets[n] += strides[n][d];
            }
            if (++at[d] < dims[d]) {
                break;
            }
            for (std::size_t n = 0; n < N; ++n) {
                offsets[n] -= strides[n][d] * dims[d];
            }
            at[d] = 0;
        }
    }
}

/// The elements of x that start at offset `first`, with these strides.
Tensor strided(const Tensor& x, std::int64_t first, const Ints& strides, const Ints& dims)
{
    const std::size_t size = byteSize(x.type());
    const std::vector<std::byte> from = x.toBytes();
    std::vector<std::byte> to(static_cast<std::size_t>(saturatingProduct(dims)) * size);
    walk<1>(dims, {strides}, {first}, [&](std::int64_t i, const std::array<std::int64_t, 1>& offset) {
        std::memcpy(&to[static_cast<std::size_t>(i) * size], &from[static_cast<std::size_t>(offset[0]) * size], size);
    });
    return Tensor::owned(x.type(), dims, std::move(to));
}

Tensor transposed(const ::onnx::NodeProto& node, const Tensor& x, const Ints& dims)
{
    const auto* perm = findAttribute(node, "perm");
    const Ints own = stridesOf(x.dims());
    Ints strides;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const std::size_t from =
            perm == nullptr ? dims.size() - 1 - i : static_cast<std::size_t>(perm->ints(static_cast<int>(i)));
        strides.push_back(own[from]);
    }
    return strided(x, 0, strides, dims);
}

Tensor sliced(Operands inputs, const Ints& dims)
{
    const Tensor& x = *inputs[0];
    const Ints starts = inputs[1]->toInts();
    const Ints axes = inputs.size() > 3 && inputs[3] != nullptr ? inputs[3]->toInts() : Ints();
    const Ints steps = inputs.size() > 4 && inputs[4] != nullptr ? inputs[4]->toInts() : Ints();
    Ints strides = stridesOf(x.dims());
    std::int64_t first = 0;
    for (std::size_t i = 0; i < starts.size(); ++i) {
        std::int64_t axis = axes.empty() ? static_cast<std::int64_t>(i) : axes[i];
        axis += axis < 0 ? static_cast<std::int64_t>(x.rank()) : 0;
        const auto d = static_cast<std::size_t>(axis);
        const std::int64_t step = steps.empty() ? 1 : steps[i];
        const std::int64_t size = x.dims()[d];
        const std::int64_t start = starts[i] < 0 ? starts[i] + size : starts[i];
        first += std::clamp(start, std::int64_t{0}, step < 0 ? std::max<std::int64_t>(size - 1, 0) : size) * strides[d];
        strides[d] *= step;
    }
    return saturatingProduct(dims) == 0 ? Tensor::owned(x.type(), dims, {}) : strided(x, first, strides, dims);
}

/// Strides that broadcast x to `dims`.
Ints broadcastStrides(const Tensor& x, const Ints& dims)
{
    const Ints own = stridesOf(x.dims());
    Ints strides(dims.size(), 0);
    for (std::size_t i = 0; i < x.rank(); ++i) {
        if (x.dims()[i] != 1) {
            strides[dims.size() - x.rank() + i] = own[i];
        }
    }
    return strides;
}

Tensor joined(const ::onnx::NodeProto& node, Operands inputs, const Ints& dims)
{
    const std::size_t axis = axisOf(node, dims.size());
    const std::size_t size = byteSize(inputs[0]->type());
    const auto rows = static_cast<std::size_t>(saturatingProduct(std::span(dims).first(axis)));
    std::vector<std::vector<std::byte>> parts;
    for (const Tensor* input : inputs) {
        parts.push_back(input->toBytes());
    }
    std::vector<std::byte> bytes;
    bytes.reserve(static_cast<std::size_t>(saturatingProduct(dims)) * size);
    for (std::size_t row = 0; row < rows; ++row) {
        for (const auto& part : parts) {
            const std::size_t width = part.size() / rows;
            const auto* begin = part.data() + row * width;
            bytes.insert(bytes.end(), begin, begin + width);
        }
    }
    return Tensor::owned(inputs[0]->type(), dims, std::move(bytes));
}

template <typename T>
Tensor calculated(std::string_view op, Operands inputs, const Ints& dims)
{
    std::array<std::vector<T>, 2> in;
    for (std::size_t n = 0; n < 2; ++n) {
        const auto bytes = inputs[n]->toBytes();
        in[n].resize(bytes.size() / sizeof(T));
        std::copy(bytes.begin(), bytes.end(), std::as_writable_bytes(std::span(in[n])).begin());
    }
    std::vector<T> out(static_cast<std::size_t>(saturatingProduct(dims)));
    const std::array<Ints, 2> strides{broadcastStrides(*inputs[0], dims), broadcastStrides(*inputs[1], dims)};
    walk<2>(dims, strides, {0, 0}, [&](std::int64_t i, const std::array<std::int64_t, 2>& offset) {
        const T a = in[0][static_cast<std::size_t>(offset[0])];
        const T b = in[1][static_cast<std::size_t>(offset[1])];
        out[static_cast<std::size_t>(i)] = op == "Add"   ? a + b
                                           : op == "Sub" ? a - b
                                           : op == "Mul" ? a * b
                                           : op == "Div" ? a / b
                                           : op == "Max" ? std::max(a, b)
                                                         : std::min(a, b);
    });
    return Tensor::of<T>(inputs[0]->type(), dims, out);
}

/// Floating-point types only: integer overflow depends on the runtime.
std::optional<Tensor> arithmetic(std::string_view op, Operands inputs, const Ints& dims)
{
    switch (inputs[0]->type()) {
    case ElementType::Float32:
        return calculated<float>(op, inputs, dims);
    case ElementType::Float64:
        return calculated<double>(op, inputs, dims);
    default:
        return std::nullopt;
    }
}

template <typename T>
Tensor roundedDown(const Tensor& x)
{
    const auto bytes = x.toBytes();
    std::vector<T> values(bytes.size() / sizeof(T));
    std::copy(bytes.begin(), bytes.end(), std::as_writable_bytes(std::span(values)).begin());
    for (T& value : values) {
        value = std::floor(value);
    }
    return Tensor::of<T>(x.type(), x.dims(), values);
}

std::optional<Tensor> floorOf(const Tensor& x)
{
    switch (x.type()) {
    case ElementType::Float32:
        return roundedDown<float>(x);
    case ElementType::Float64:
        return roundedDown<double>(x);
    default:
        return std::nullopt;
    }
}

} // namespace

std::optional<Tensor> folded(const ::onnx::NodeProto& node, Operands inputs, const TensorType& result)
{
    const std::string_view op = node.op_type();
    const bool reshapes = isOneOf(op, {"Reshape", "Flatten", "Squeeze", "Unsqueeze"});
    const bool selects = inputs.size() == 2 && isOneOf(op, {"Max", "Min"});
    const bool calculates = selects || isOneOf(op, {"Add", "Sub", "Mul", "Div"});
    const bool known = reshapes || calculates || isOneOf(op, {"Floor", "Transpose", "Slice", "Expand", "Concat"});
    if (!known || !node.domain().empty() || !result.shape || !isFixed(*result.shape)) {
        return std::nullopt;
    }
    Ints dims;
    for (const Dim& dim : *result.shape) {
        dims.push_back(dim.size);
    }
    if (reshapes) {
        if (saturatingProduct(dims) != inputs[0]->elements()) {
            return std::nullopt;
        }
        return inputs[0]->reshaped(dims); // a view, of any size
    }
    const auto isLarge = [](const Tensor* input) { return input != nullptr && input->bytes() > readLimit; };
    const auto bytes = packedSize(result.element, static_cast<std::uint64_t>(saturatingProduct(dims)));
    if (byteSize(inputs[0]->type()) == 0 || bytes.value_or(resultLimit + 1) > resultLimit ||
        std::any_of(inputs.begin(), inputs.end(), isLarge)) {
        return std::nullopt;
    }
    const auto hasNan = [](const Tensor* input) {
        const auto numbers = input->toDoubles();
        return std::any_of(numbers.begin(), numbers.end(), [](double number) { return std::isnan(number); });
    };
    if (selects && std::any_of(inputs.begin(), inputs.end(), hasNan)) { // runtimes differ
        return std::nullopt;
    }
    if (calculates) {
        return arithmetic(op, inputs, dims);
    }
    if (op == "Floor") {
        return floorOf(*inputs[0]);
    }
    if (op == "Transpose") {
        return transposed(node, *inputs[0], dims);
    }
    if (op == "Slice") {
        return sliced(inputs, dims);
    }
    if (op == "Expand") {
        return strided(*inputs[0], 0, broadcastStrides(*inputs[0], dims), dims);
    }
    return joined(node, inputs, dims);
}

} // namespace crosswalk
