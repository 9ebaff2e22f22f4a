#include "core/graph/element_type.h"

#include <array>

namespace crosswalk {
namespace {

struct Row {
    ElementType type;
    std::string_view name;
    std::size_t bytes;
};

constexpr std::array rows = {
    Row{ElementType::Float32, "float32", 4},
    Row{ElementType::Float64, "float64", 8},
    Row{ElementType::Float16, "float16", 2},
    Row{ElementType::BFloat16, "bfloat16", 2},
    Row{ElementType::Int8, "int8", 1},
    Row{ElementType::Int16, "int16", 2},
    Row{ElementType::Int32, "int32", 4},
    Row{ElementType::Int64, "int64", 8},
    Row{ElementType::UInt8, "uint8", 1},
    Row{ElementType::UInt16, "uint16", 2},
    Row{ElementType::UInt32, "uint32", 4},
    Row{ElementType::UInt64, "uint64", 8},
    Row{ElementType::Bool, "bool", 1},
    Row{ElementType::Complex64, "complex64", 8},
    Row{ElementType::Complex128, "complex128", 16},
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

std::size_t byteSize(ElementType type)
{
    const Row* row = rowOf(type);
    return row != nullptr ? row->bytes : 0;
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
