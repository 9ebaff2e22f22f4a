#include "core/compare/tensor_diff.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace crosswalk {
namespace {

/// Elements per chunk.
constexpr std::size_t step = 1U << 16U;
constexpr std::int64_t maxShown = 16; ///< limit for lists of integers

std::string typeOf(const Tensor& tensor)
{
    return toString(TensorType{tensor.type(), shapeOf(tensor.dims())});
}

std::optional<std::string> stringDifference(const Tensor& before, const Tensor& after)
{
    const auto& a = before.toStrings();
    const auto& b = after.toStrings();
    std::size_t differing = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        differing += a[i] == b[i] ? 0 : 1;
    }
    return differing == 0 ? std::nullopt : std::optional(fmt::format("{} of {} elements differ", differing, a.size()));
}

/// Number of different elements and the largest difference, for two tensors of the same type and shape.
std::optional<std::string> elementDifference(const Tensor& before, const Tensor& after)
{
    if (before.type() == ElementType::String) {
        return stringDifference(before, after);
    }
    const std::size_t width = byteSize(before.type());
    const std::uint64_t size = before.bytes();
    std::uint64_t differing = 0;
    double largest = 0;
    std::vector<std::byte> a;
    std::vector<std::byte> b;
    for (std::uint64_t at = 0; at < size;) {
        const std::uint64_t bytes = std::min<std::uint64_t>(size - at, step * std::max<std::size_t>(1, width));
        a.resize(static_cast<std::size_t>(bytes));
        b.resize(a.size());
        before.read(at, a);
        after.read(at, b);
        at += bytes;
        if (a == b) {
            continue;
        }
        if (!isNumeric(before.type()) || width == 0) {
            return "different elements";
        }
        const std::size_t count = a.size() / width;
        std::vector<double> x(count);
        std::vector<double> y(count);
        convertElements(before.type(), a.data(), ElementType::Float64, reinterpret_cast<std::byte*>(x.data()), count);
        convertElements(before.type(), b.data(), ElementType::Float64, reinterpret_cast<std::byte*>(y.data()), count);
        for (std::size_t i = 0; i < count; ++i) {
            if (std::memcmp(&a[i * width], &b[i * width], width) != 0) {
                ++differing;
                const double difference = std::abs(x[i] - y[i]);
                largest = std::isnan(difference) ? largest : std::max(largest, difference);
            }
        }
    }
    if (differing == 0) {
        return std::nullopt;
    }
    return fmt::format("{} of {} elements differ, by {:.3g} at most", differing, before.elements(), largest);
}

/// "(2, 512)"; nothing if the tensor is not a short list of integers.
std::optional<std::string> valuesOf(const Tensor& tensor)
{
    const bool isList = tensor.type() == ElementType::Int64 || tensor.type() == ElementType::Int32;
    if (!isList || tensor.dims().size() > 1 || tensor.elements() > maxShown) {
        return std::nullopt;
    }
    const auto values = tensor.toInts();
    return tensor.dims().empty() ? fmt::format("{}", values.front()) : fmt::format("({})", fmt::join(values, ", "));
}

} // namespace

std::optional<std::pair<std::string, std::string>> tensorDifference(const Tensor& before, const Tensor& after)
{
    const auto x = valuesOf(before);
    const auto y = valuesOf(after);
    if (x && y && *x != *y) {
        return std::pair(*x, *y);
    }
    if (before.type() != after.type() || before.dims() != after.dims()) {
        return std::pair(typeOf(before), typeOf(after));
    }
    auto elements = elementDifference(before, after);
    return elements ? std::optional(std::pair(typeOf(before), std::move(*elements))) : std::nullopt;
}

} // namespace crosswalk
