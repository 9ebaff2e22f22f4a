#pragma once

#include "core/graph/value_type.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace crosswalk::tensorflow {

/// TensorFlow's DataType. The numbers are those of types.proto. A reference type (the output of a VariableV2) is the
/// type + 100 in a file; the reader removes the offset.
enum class DataType : std::uint8_t {
    Invalid = 0,
    Float = 1,
    Double = 2,
    Int32 = 3,
    UInt8 = 4,
    Int16 = 5,
    Int8 = 6,
    String = 7,
    Complex64 = 8,
    Int64 = 9,
    Bool = 10,
    QInt8 = 11,
    QUInt8 = 12,
    QInt32 = 13,
    BFloat16 = 14,
    QInt16 = 15,
    QUInt16 = 16,
    UInt16 = 17,
    Complex128 = 18,
    Half = 19,
    Resource = 20,
    Variant = 21,
    UInt32 = 22,
    UInt64 = 23,
    Float8E5M2 = 24,
    Float8E4M3FN = 25,
    Int4 = 29,
    UInt4 = 30,
};

/// A number of the file as a type, references included. Throws ModelError "damaged" for an unknown number.
DataType dataType(std::uint64_t number);
/// TensorFlow's name: "float32", "resource", "qint8"; "invalid" for 0.
std::string_view dataTypeName(DataType type);
/// The type of that name in a table of operators: types.proto's without "DT_", in lower case ("float", "quint8").
DataType dataTypeFromName(std::string_view name);
/// The type of that name in a text form, without "DT_": "FLOAT". Nothing if there is none.
std::optional<DataType> dataTypeFromProtoName(std::string_view name);

/// The elements' type in the neutral graph: a quantised type maps to its integer type; Undefined for a resource, a
/// variant and Invalid.
ElementType elementType(DataType type);
/// Whether elementType() loses information: qint8 is not int8.
bool isQuantized(DataType type);
/// The kind of a value of this type: a tensor, or an opaque handle for a resource and a variant.
ValueType valueType(DataType type, std::optional<Shape> shape = {});

} // namespace crosswalk::tensorflow
