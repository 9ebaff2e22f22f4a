#include "core/graph/tensor_type.h"

#include "core/graph/unknown_dim.h"

#include <algorithm>

namespace crosswalk {

bool isFixed(const Shape& shape)
{
    return std::all_of(shape.begin(), shape.end(), [](const Dim& dim) { return dim.isFixed(); });
}

std::optional<std::int64_t> elementCount(const Shape& shape)
{
    std::int64_t count = 1;
    for (const Dim& dim : shape) {
        if (!dim.isFixed() || __builtin_mul_overflow(count, dim.size, &count)) {
            return std::nullopt;
        }
    }
    return count;
}

namespace {

std::string text(const Dim& dim)
{
    return dim.isFixed() ? std::to_string(dim.size) : isUnnamed(dim) ? "?" : dim.symbol();
}

} // namespace

std::string toString(const Shape& shape)
{
    if (shape.empty()) {
        return "scalar";
    }
    std::string all;
    for (const Dim& dim : shape) {
        if (!all.empty()) {
            all += 'x';
        }
        all += text(dim);
    }
    return all;
}

std::string toString(const TensorType& type)
{
    std::string text;
    if (type.element != ElementType::Undefined) {
        text = elementTypeName(type.element);
    }
    if (type.shape) {
        text += (text.empty() ? "" : " ") + toString(*type.shape);
    }
    return text.empty() ? "unknown" : text;
}

Shape shapeOf(const Ints& dims)
{
    return {dims.begin(), dims.end()};
}

} // namespace crosswalk
