#include "core/verify/random_inputs.h"

#include "core/base/diagnostic.h"
#include "core/base/saturating_product.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <random>

namespace crosswalk {
namespace {

/// 4 GB as floats. A file may contain any size, and a larger run would take too long.
constexpr std::int64_t maxElements = std::int64_t{1} << 30;

std::int64_t product(const std::vector<std::int64_t>& dims, std::size_t first, std::size_t last)
{
    return saturatingProduct(std::span(dims).subspan(first, last - first));
}

/// Interleaves the parts: `outer` rounds of one chunk of each part.
template <typename Content>
Content interleaved(const std::vector<Content>& parts, std::int64_t outer)
{
    Content joined;
    for (std::int64_t round = 0; round < outer; ++round) {
        for (const Content& part : parts) {
            const auto chunk = static_cast<std::ptrdiff_t>(part.size()) / outer;
            joined.insert(joined.end(), part.begin() + round * chunk, part.begin() + (round + 1) * chunk);
        }
    }
    return joined;
}

Tensor interleave(std::span<const Tensor> parts, std::int64_t outer, std::vector<std::int64_t> dims)
{
    if (parts.front().type() == ElementType::String) {
        std::vector<std::vector<std::string>> strings;
        for (const Tensor& part : parts) {
            strings.push_back(part.toStrings());
        }
        return Tensor::strings(std::move(dims), interleaved(strings, outer));
    }
    std::vector<std::vector<std::byte>> bytes;
    for (const Tensor& part : parts) {
        bytes.push_back(part.toBytes());
    }
    return Tensor::owned(parts.front().type(), std::move(dims), interleaved(bytes, outer));
}

} // namespace

Tensor randomTensor(ElementType type, std::vector<std::int64_t> dims, const std::string& name, std::size_t round,
                    IntegerValues integers)
{
    const bool isSmall = type == ElementType::UInt8 || type == ElementType::Int8;
    if (!isNumeric(type) && type != ElementType::Bool) {
        throw ModelError("missing-input", fmt::format("input {} has type {}, for which random values are not supported",
                                                      name, elementTypeName(type)));
    }
    const auto count = elementCount(shapeOf(dims));
    if (!count || *count > maxElements) {
        throw ModelError("too-large",
                         fmt::format("input {} is too large for random values: {}", name, toString(shapeOf(dims))));
    }
    std::mt19937 random(static_cast<std::uint32_t>(std::hash<std::string>()(name) + round * 7919));
    std::vector<float> values(static_cast<std::size_t>(*count));
    for (float& value : values) {
        const auto drawn = random();
        value = isFloating(type)                  ? static_cast<float>(drawn) / 2147483648.0F - 1.0F
                : isSmall                         ? static_cast<float>(drawn % 128)
                : integers == IntegerValues::Ones ? 1.0F
                                                  : static_cast<float>(drawn % 2);
    }
    return Tensor::of<float>(ElementType::Float32, std::move(dims), values).converted(type);
}

Tensor concatenated(std::span<const Tensor> parts, std::size_t axis)
{
    std::vector<std::int64_t> dims = parts.front().dims();
    dims[axis] = 0;
    for (const Tensor& part : parts) {
        dims[axis] += part.dims()[axis];
    }
    const std::int64_t outer = product(dims, 0, axis);
    return interleave(parts, outer, std::move(dims));
}

std::vector<Tensor> concatenationCandidates(std::span<const Tensor> parts, const std::vector<std::int64_t>& dims,
                                            bool isOpened)
{
    const std::vector<std::int64_t>& one = parts.front().dims();
    const auto count = static_cast<std::int64_t>(parts.size());
    const bool areEqual =
        std::all_of(parts.begin(), parts.end(), [&](const Tensor& part) { return part.dims() == one; });
    if (byteSize(parts.front().type()) == 0 && parts.front().type() != ElementType::String) {
        return {};
    }
    if (areEqual && (count > 1 || isOpened) && dims.size() == one.size() + 1 && dims.front() == count &&
        std::equal(one.begin(), one.end(), dims.begin() + 1)) {
        return {interleave(parts, 1, dims)};
    }
    if (dims.size() != one.size()) {
        return {};
    }
    if (dims == one && count == 1) {
        return {parts.front()};
    }
    std::vector<std::size_t> others;
    for (std::size_t axis = 0; axis < dims.size(); ++axis) {
        if (dims[axis] != one[axis]) {
            others.push_back(axis);
        }
    }
    if (others.size() != 1 || dims[others.front()] != one[others.front()] * count) {
        return {};
    }
    if (!areEqual) {
        return {};
    }
    const std::size_t axis = others.front();
    return {interleave(parts, product(one, 0, axis), dims), interleave(parts, product(one, 0, axis + 1), dims)};
}

} // namespace crosswalk
