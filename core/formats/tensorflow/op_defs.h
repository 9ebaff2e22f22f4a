#pragma once

#include "core/formats/tensorflow/data_type.h"
#include "core/graph/attribute_value.h"

#include <optional>
#include <string_view>
#include <vector>

namespace crosswalk::tensorflow {

/// One argument of an operator or a function, whose type and number of tensors depend on the attributes of a node
/// (OpDef.ArgDef).
struct ArgDef {
    std::string_view name;
    DataType type = DataType::Invalid;  ///< if none of the names below is set
    std::string_view typeAttr = {};     ///< attribute with the type
    std::string_view numberAttr = {};   ///< attribute with the number of tensors; one tensor if empty
    std::string_view typeListAttr = {}; ///< attribute with the types of several tensors
};

struct AttrDef {
    std::string_view name;
    std::string_view type; ///< "int", "list(type)", "func"...
    std::optional<std::string_view> defaultText = {};
    std::vector<std::string_view> allowed = {}; ///< the values of a string; empty if it may be any
};

/// An operator as TensorFlow registers it, or a function's signature.
struct OpDef {
    std::string_view name;
    std::vector<ArgDef> inputs = {};
    std::vector<ArgDef> outputs = {};
    std::vector<AttrDef> attrs = {};
    bool isStateful = false; ///< runs although nothing reads its outputs, and is not idempotent
};

/// Null for an operator that TensorFlow 2.15 and RETURNN do not have.
const OpDef* findOpDef(std::string_view op);
/// The value of an attribute that a node omits; nothing if the operator has no default.
std::optional<AttributeValue> defaultOf(const OpDef& op, std::string_view attribute);
/// The default of an attribute of type "type"; nothing as above.
std::optional<DataType> defaultTypeOf(const OpDef& op, std::string_view attribute);
/// Null if the operator has no such attribute.
const AttrDef* findAttrDef(const OpDef& op, std::string_view attribute);

} // namespace crosswalk::tensorflow
