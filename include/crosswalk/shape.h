#pragma once

#include "crosswalk/bounds_checked.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace crosswalk {

/// Type of a tensor's elements. The numbers are ONNX's (TensorProto.DataType), so that they cross over as they are.
enum class ElementType : std::uint8_t {
    Undefined = 0,
    Float32 = 1,
    UInt8 = 2,
    Int8 = 3,
    UInt16 = 4,
    Int16 = 5,
    Int32 = 6,
    Int64 = 7,
    String = 8,
    Bool = 9,
    Float16 = 10,
    Float64 = 11,
    UInt32 = 12,
    UInt64 = 13,
    Complex64 = 14,
    Complex128 = 15,
    BFloat16 = 16,
    Float8E4M3FN = 17,
    Float8E4M3FNUZ = 18,
    Float8E5M2 = 19,
    Float8E5M2FNUZ = 20,
    UInt4 = 21,
    Int4 = 22,
    Float4E2M1 = 23,
    Float8E8M0 = 24,
    UInt2 = 25,
    Int2 = 26,
    Float6E2M3 = 27,
    Float6E3M2 = 28,
};

/// The NumPy name: "float32", "int64", "bool"...; "unknown" for one that has no name here.
std::string_view elementTypeName(ElementType type);
std::optional<ElementType> elementTypeFromName(std::string_view name);

/// One dimension: a size, a symbol ("N"), or unknown.
class Dim {
public:
    std::int64_t size = -1; ///< -1 when not fixed

    Dim() = default;
    Dim(std::int64_t fixed)
        : size(fixed)
    {
    }
    explicit Dim(std::string name)
        : m_symbol(name.empty() ? nullptr : std::make_shared<const std::string>(std::move(name)))
    {
    }

    bool isFixed() const { return size >= 0; }
    bool isUnknown() const { return size < 0 && !m_symbol; }
    const std::string& symbol() const ///< empty when fixed or unknown
    {
        static const std::string none;
        return m_symbol ? *m_symbol : none;
    }
    friend bool operator==(const Dim& a, const Dim& b) { return a.size == b.size && a.symbol() == b.symbol(); }

private:
    std::shared_ptr<const std::string> m_symbol; ///< null when empty: a graph has many dimensions, few with a symbol
};

using Shape = BoundsChecked<Dim>;

/// Element type and shape of a tensor; either may be unknown. A shape of rank 0 is a scalar's.
struct TensorType {
    ElementType element = ElementType::Undefined;
    std::optional<Shape> shape = {};

    friend bool operator==(const TensorType&, const TensorType&) = default;
};

/// "1x3xHxW"; "scalar" for rank 0; "?" for an unknown dimension.
std::string toString(const Shape& shape);
std::string toString(const TensorType& type); ///< "float32 1x3xHxW"

} // namespace crosswalk
