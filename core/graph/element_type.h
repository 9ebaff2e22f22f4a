#pragma once

#include "crosswalk/shape.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace crosswalk {

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

inline bool isFloating(ElementType type)
{
    return type == ElementType::Float32 || type == ElementType::Float16 || type == ElementType::Float64 ||
           type == ElementType::BFloat16;
}
bool isInteger(ElementType type); ///< signed and unsigned, not bool

inline bool isComplex(ElementType type)
{
    return type == ElementType::Complex64 || type == ElementType::Complex128;
}

} // namespace crosswalk
