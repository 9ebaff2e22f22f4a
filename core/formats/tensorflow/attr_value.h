#pragma once

#include "core/formats/tensorflow/data_type.h"
#include "core/formats/tensorflow/wire_fields.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace crosswalk::tensorflow {

// The messages of attr_value.proto and tensor_shape.proto as stored in a file. Text and bytes refer to the file.

struct AttrValue;
struct NamedAttr;

/// TensorShapeProto. An unknown dimension is -1.
struct ShapeProto {
    bool hasRank = true;
    Ints dims;
};

/// The position of a TensorProto in the file; tensor_proto.h reads it.
struct TensorProto {
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// NameAttrList: a function by name with the values of its attributes.
struct FunctionProto {
    std::string_view name;
    std::vector<NamedAttr> attrs;
};

/// AttrValue.ListValue. At most one of the lists has items.
struct ListProto {
    std::vector<std::string_view> strings;
    Ints ints;
    std::vector<float> floats;
    std::vector<bool> bools;
    std::vector<DataType> types;
    std::vector<ShapeProto> shapes;
    std::vector<TensorProto> tensors;
    std::vector<FunctionProto> functions;
};

/// The name of an attribute of the enclosing function, whose value replaces this one.
struct PlaceholderName {
    std::string_view name;
};

/// AttrValue. std::monostate: no value.
struct AttrValue {
    std::variant<std::monostate, std::string_view, std::int64_t, float, bool, DataType, ShapeProto, TensorProto,
                 std::shared_ptr<const ListProto>, std::shared_ptr<const FunctionProto>, PlaceholderName>
        value;
};

struct NamedAttr {
    std::string_view name;
    AttrValue value;
};

/// The value of the attribute; null if there is none.
const AttrValue* findAttr(std::span<const NamedAttr> attrs, std::string_view name);
/// The same as a T (one of AttrValue's alternatives); null also for another kind.
template <class T>
const T* findAttrOf(std::span<const NamedAttr> attrs, std::string_view name)
{
    const AttrValue* found = findAttr(attrs, name);
    return found != nullptr ? std::get_if<T>(&found->value) : nullptr;
}

ShapeProto parseShape(std::span<const std::byte> file, const WireField& field);
/// Throws ModelError "damaged" for functions and lists nested too deep.
AttrValue parseAttrValue(std::span<const std::byte> file, const WireField& field, int depth = 0);
/// Adds the entry of a map<string, AttrValue>.
void appendAttr(std::span<const std::byte> file, const WireField& field, std::vector<NamedAttr>& attrs, int depth = 0);
/// A map is unordered in a file: sorts by name. The last of several entries of one name counts, as in protobuf.
void sortAttrs(std::vector<NamedAttr>& attrs);

/// The shape in the neutral graph; nothing if the rank is unknown. Throws ModelError "damaged" for a dimension below
/// -1.
std::optional<Shape> shapeOf(const ShapeProto& proto);

} // namespace crosswalk::tensorflow
