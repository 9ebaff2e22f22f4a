#pragma once

#include "core/graph/element_type.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace crosswalk {

/// One dimension: a size, a symbol ("N"), or unknown.
struct Dim {
    std::int64_t size = -1; ///< -1 when not fixed
    std::string symbol;     ///< empty when fixed or unknown

    Dim() = default;
    Dim(std::int64_t fixed)
        : size(fixed)
    {
    }
    explicit Dim(std::string name)
        : symbol(std::move(name))
    {
    }

    bool isFixed() const { return size >= 0; }
    bool isUnknown() const { return size < 0 && symbol.empty(); }
    friend bool operator==(const Dim&, const Dim&) = default;
};

using Shape = std::vector<Dim>;

/// Element type and shape of a tensor; either may be unknown. A shape of rank 0 is a scalar's.
struct TensorType {
    ElementType element = ElementType::Undefined;
    std::optional<Shape> shape = {};

    friend bool operator==(const TensorType&, const TensorType&) = default;
};

bool isFixed(const Shape& shape);
/// Product of the dimensions, or nothing where one is not fixed or the product does not fit 63 bits.
std::optional<std::int64_t> elementCount(const Shape& shape);
/// "1x3xHxW"; "scalar" for rank 0; "?" for an unknown dimension.
std::string toString(const Shape& shape);
std::string toString(const TensorType& type); ///< "float32 1x3xHxW"

Shape shapeOf(const std::vector<std::int64_t>& dims);

} // namespace crosswalk
