#include "core/formats/tensorflow/data_type.h"

#include "core/base/diagnostic.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <fmt/format.h>

namespace crosswalk::tensorflow {
namespace {

constexpr std::uint64_t referenceOffset = 100;

struct TypeRow {
    DataType type;
    std::string_view protoName; ///< in types.proto, without DT_
    std::string_view name;      ///< tf.DType.name
    ElementType element;
};

constexpr auto types = std::to_array<TypeRow>({
    {DataType::Invalid, "invalid", "invalid", ElementType::Undefined},
    {DataType::Float, "float", "float32", ElementType::Float32},
    {DataType::Double, "double", "float64", ElementType::Float64},
    {DataType::Int32, "int32", "int32", ElementType::Int32},
    {DataType::UInt8, "uint8", "uint8", ElementType::UInt8},
    {DataType::Int16, "int16", "int16", ElementType::Int16},
    {DataType::Int8, "int8", "int8", ElementType::Int8},
    {DataType::String, "string", "string", ElementType::String},
    {DataType::Complex64, "complex64", "complex64", ElementType::Complex64},
    {DataType::Int64, "int64", "int64", ElementType::Int64},
    {DataType::Bool, "bool", "bool", ElementType::Bool},
    {DataType::QInt8, "qint8", "qint8", ElementType::Int8},
    {DataType::QUInt8, "quint8", "quint8", ElementType::UInt8},
    {DataType::QInt32, "qint32", "qint32", ElementType::Int32},
    {DataType::BFloat16, "bfloat16", "bfloat16", ElementType::BFloat16},
    {DataType::QInt16, "qint16", "qint16", ElementType::Int16},
    {DataType::QUInt16, "quint16", "quint16", ElementType::UInt16},
    {DataType::UInt16, "uint16", "uint16", ElementType::UInt16},
    {DataType::Complex128, "complex128", "complex128", ElementType::Complex128},
    {DataType::Half, "half", "float16", ElementType::Float16},
    {DataType::Resource, "resource", "resource", ElementType::Undefined},
    {DataType::Variant, "variant", "variant", ElementType::Undefined},
    {DataType::UInt32, "uint32", "uint32", ElementType::UInt32},
    {DataType::UInt64, "uint64", "uint64", ElementType::UInt64},
    {DataType::Float8E5M2, "float8_e5m2", "float8_e5m2", ElementType::Float8E5M2},
    {DataType::Float8E4M3FN, "float8_e4m3fn", "float8_e4m3fn", ElementType::Float8E4M3FN},
    {DataType::Int4, "int4", "int4", ElementType::Int4},
    {DataType::UInt4, "uint4", "uint4", ElementType::UInt4},
});

const TypeRow& rowOf(DataType type)
{
    const auto row = std::find_if(types.begin(), types.end(), [&](const TypeRow& each) { return each.type == type; });
    assert(row != types.end());
    return *row;
}

} // namespace

DataType dataType(std::uint64_t number)
{
    const std::uint64_t base = number > referenceOffset ? number - referenceOffset : number;
    const auto row = std::find_if(types.begin(), types.end(),
                                  [&](const TypeRow& each) { return static_cast<std::uint64_t>(each.type) == base; });
    if (row == types.end()) {
        throw ModelError("damaged", fmt::format("{} is not a TensorFlow data type", number));
    }
    return row->type;
}

std::string_view dataTypeName(DataType type)
{
    return rowOf(type).name;
}

DataType dataTypeFromName(std::string_view name)
{
    const auto row =
        std::find_if(types.begin(), types.end(), [&](const TypeRow& each) { return each.protoName == name; });
    assert(row != types.end());
    return row->type;
}

std::optional<DataType> dataTypeFromProtoName(std::string_view name)
{
    const auto isUpperCaseOf = [&](std::string_view lower) {
        return std::equal(name.begin(), name.end(), lower.begin(), lower.end(), [](char upper, char c) {
            return upper == (c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
        });
    };
    const auto row =
        std::find_if(types.begin(), types.end(), [&](const TypeRow& each) { return isUpperCaseOf(each.protoName); });
    return row != types.end() ? std::optional(row->type) : std::nullopt;
}

ElementType elementType(DataType type)
{
    return rowOf(type).element;
}

bool isQuantized(DataType type)
{
    return type == DataType::QInt8 || type == DataType::QUInt8 || type == DataType::QInt32 ||
           type == DataType::QInt16 || type == DataType::QUInt16;
}

ValueType valueType(DataType type, std::optional<Shape> shape)
{
    if (type == DataType::Resource || type == DataType::Variant) {
        return ValueType::opaque(std::string(dataTypeName(type)));
    }
    return TensorType{elementType(type), std::move(shape)};
}

} // namespace crosswalk::tensorflow
