#include "core/formats/pytorch/scalar_types.h"

#include <array>

namespace crosswalk::pytorch {

ElementType fromScalarType(std::int64_t number)
{
    using enum ElementType;
    static constexpr std::array known{UInt8,     Int8,      Int16,     Int32,     Int64,      Float16,
                                      Float32,   Float64,   Undefined, Complex64, Complex128, Bool,
                                      Undefined, Undefined, Undefined, BFloat16};
    constexpr std::int64_t firstUnsigned = 27;
    if (number >= firstUnsigned && number < firstUnsigned + 3) {
        return std::array{UInt16, UInt32, UInt64}[static_cast<std::size_t>(number - firstUnsigned)];
    }
    return number >= 0 && number < static_cast<std::int64_t>(known.size()) ? known[static_cast<std::size_t>(number)]
                                                                           : Undefined;
}

ElementType fromSchemaType(std::int64_t number)
{
    using enum ElementType;
    constexpr std::int64_t bool8 = 12;
    switch (number) {
    case 13:
        return BFloat16;
    case 28:
        return UInt16;
    case 34:
        return UInt32;
    case 35:
        return UInt64;
    default:
        return number >= 1 && number <= bool8 ? fromScalarType(number - 1) : Undefined;
    }
}

} // namespace crosswalk::pytorch
