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

/// Bits of one element; 0 for Undefined and String.
std::size_t bitSize(ElementType type);
/// Bytes of one element; 0 for Undefined and String and for types narrower than a byte.
std::size_t byteSize(ElementType type);
/// Bytes that so many elements take: narrow ones are packed and the last byte is filled up. Nothing where the bytes
/// do not fit 63 bits.
std::optional<std::uint64_t> packedSize(ElementType type, std::uint64_t elements);
/// Whether convertElements can read and write the type: all but strings, complex numbers and those below 16 bits that
/// only quantised models use.
bool isNumeric(ElementType type);
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
