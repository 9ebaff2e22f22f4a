#pragma once

#include "core/base/boxed.h"
#include "core/graph/ids.h"
#include "core/graph/value_type.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace crosswalk {

struct Attribute;
struct AttributeValue;

/// Bytes that are no text: a serialized message, the packed state of a custom operator.
struct RawBytes {
    std::string bytes;
    friend bool operator==(const RawBytes&, const RawBytes&) = default;
};

/// A shape as the value of an attribute.
struct ShapeAttribute {
    std::optional<Shape> shape; ///< nothing where the rank is unknown
    friend bool operator==(const ShapeAttribute&, const ShapeAttribute&) = default;
};

/// A function of the model by name (Graph::functions), with the values of the function's own attributes.
struct FunctionReference {
    std::string name;
    std::vector<Attribute> attributes;
    friend bool operator==(const FunctionReference& a, const FunctionReference& b);
};

/// A list whose items have no vector of their own below: of different kinds, of booleans, of lists.
using AttributeList = std::vector<AttributeValue>;

/// The value of an attribute. std::monostate: the attribute is there without a value (`None`).
struct AttributeValue
    : std::variant<std::monostate, bool, std::int64_t, double, std::string, RawBytes, ElementType, ShapeAttribute,
                   Boxed<ValueType>, TensorId, SubgraphId, Boxed<FunctionReference>, Ints, std::vector<double>,
                   std::vector<std::string>, std::vector<ElementType>, std::vector<ShapeAttribute>,
                   std::vector<TensorId>, std::vector<SubgraphId>, std::vector<FunctionReference>, AttributeList> {
    using variant::variant;
    using variant::operator=;
};

/// A setting of a node.
struct Attribute {
    std::string name;
    AttributeValue value;
    std::string text = {}; ///< the value as the file spells it, where a format stores attributes as text
    friend bool operator==(const Attribute&, const Attribute&) = default;
};

} // namespace crosswalk
