#include "core/graph/element_type.h"

#include <array>

namespace crosswalk {
namespace {

struct Row {
    ElementType type;
    std::string_view name;
    std::size_t bits;
};

constexpr std::array rows = {
    Row{ElementType::Float32, "float32", 32},
    Row{ElementType::Float64, "float64", 64},
    Row{ElementType::Float16, "float16", 16},
    Row{ElementType::BFloat16, "bfloat16", 16},
    Row{ElementType::Int8, "int8", 8},
    Row{ElementType::Int16, "int16", 16},
    Row{ElementType::Int32, "int32", 32},
    Row{ElementType::Int64, "int64", 64},
    Row{ElementType::UInt8, "uint8", 8},
    Row{ElementType::UInt16, "uint16", 16},
    Row{ElementType::UInt32, "uint32", 32},
    Row{ElementType::UInt64, "uint64", 64},
    Row{ElementType::Bool, "bool", 8},
    Row{ElementType::Complex64, "complex64", 64},
    Row{ElementType::Complex128, "complex128", 128},
    Row{ElementType::Float8E4M3FN, "float8_e4m3fn", 8},
    Row{ElementType::Float8E4M3FNUZ, "float8_e4m3fnuz", 8},
    Row{ElementType::Float8E5M2, "float8_e5m2", 8},
    Row{ElementType::Float8E5M2FNUZ, "float8_e5m2fnuz", 8},
    Row{ElementType::Float8E8M0, "float8_e8m0fnu", 8},
    Row{ElementType::Float6E2M3, "float6_e2m3fn", 6},
    Row{ElementType::Float6E3M2, "float6_e3m2fn", 6},
    Row{ElementType::Float4E2M1, "float4_e2m1fn", 4},
    Row{ElementType::Int4, "int4", 4},
    Row{ElementType::UInt4, "uint4", 4},
    Row{ElementType::Int2, "int2", 2},
    Row{ElementType::UInt2, "uint2", 2},
    Row{ElementType::String, "string", 0},
    Row{ElementType::Undefined, "undefined", 0},
};

const Row* rowOf(ElementType type)
{
    for (const Row& row : rows) {
        if (row.type == type) {
            return &row;
        }
    }
    return nullptr;
}

} // namespace

std::size_t bitSize(ElementType type)
{
    const Row* row = rowOf(type);
    return row != nullptr ? row->bits : 0;
}

std::size_t byteSize(ElementType type)
{
    return bitSize(type) / 8;
}

std::optional<std::uint64_t> packedSize(ElementType type, std::uint64_t elements)
{
    std::uint64_t bits = 0;
    const std::uint64_t width = bitSize(type);
    if (width % 8 == 0) {
        std::uint64_t bytes = 0;
        const bool fits = !__builtin_mul_overflow(elements, width / 8, &bytes) && bytes <= (~0ULL >> 1U);
        return fits ? std::optional(bytes) : std::nullopt;
    }
    if (__builtin_mul_overflow(elements, width, &bits)) {
        return std::nullopt;
    }
    return bits / 8 + (bits % 8 != 0 ? 1 : 0);
}

bool isNumeric(ElementType type)
{
    return isFloating(type) || isInteger(type) || type == ElementType::Bool;
}

std::string_view elementTypeName(ElementType type)
{
    const Row* row = rowOf(type);
    return row != nullptr ? row->name : "unknown";
}

std::optional<ElementType> elementTypeFromName(std::string_view name)
{
    for (const Row& row : rows) {
        if (row.name == name && row.type != ElementType::Undefined) {
            return row.type;
        }
    }
    return std::nullopt;
}

bool isInteger(ElementType type)
{
    switch (type) {
    case ElementType::Int8:
    case ElementType::Int16:
    case ElementType::Int32:
    case ElementType::Int64:
    case ElementType::UInt8:
    case ElementType::UInt16:
    case ElementType::UInt32:
    case ElementType::UInt64:
        return true;
    default:
        return false;
    }
}

} // namespace crosswalk
