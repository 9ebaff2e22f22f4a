#pragma once

#include "core/base/source_file.h"
#include "core/formats/tensorflow/attr_value.h"
#include "core/formats/tensorflow/op_defs.h"
#include "core/graph/graph.h"

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace crosswalk::tensorflow {

/// The attributes of a node, a function or a call in the neutral graph; `graph` receives their tensors. `op` determines
/// the type of an empty list and may be null. Text that is not printable UTF-8 becomes RawBytes, and so does a tensor
/// of resources or variants (its TensorProto); a type without an ElementType (resource, variant) becomes a ValueType;
/// Attribute::text names a quantised type ("qint8", its value is int8) and the attribute of the enclosing function that
/// this one takes its value from ("$T", without a value).
std::vector<Attribute> attributesOf(std::span<const NamedAttr> attrs, const OpDef* op,
                                    const std::shared_ptr<const SourceFile>& file, Graph& graph);

/// The value of a node's attribute, or the operator's default. Nothing if there is neither.
std::optional<AttributeValue> attributeOrDefault(const Node& node, std::string_view name);

/// The same as a T: `fallback` if there is neither or the type differs.
template <typename T>
T settingOf(const Node& node, std::string_view name, T fallback)
{
    const auto value = attributeOrDefault(node, name);
    const auto* typed = value ? std::get_if<T>(&*value) : nullptr;
    return typed != nullptr ? *typed : fallback;
}

} // namespace crosswalk::tensorflow
