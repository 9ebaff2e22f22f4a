#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

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
};

/// Bytes of one element; 0 for Undefined and String and for types narrower than a byte.
std::size_t byteSize(ElementType type);
/// The NumPy name: "float32", "int64", "bool"...; "unknown" for one that has no name here.
std::string_view elementTypeName(ElementType type);
std::optional<ElementType> elementTypeFromName(std::string_view name);

inline bool isFloating(ElementType type)
{
    return type == ElementType::Float32 || type == ElementType::Float16 || type == ElementType::Float64 ||
           type == ElementType::BFloat16;
}
bool isInteger(ElementType type); ///< signed and unsigned, not bool

} // namespace crosswalk
