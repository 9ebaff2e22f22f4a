#pragma once

#include "core/graph/graph.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace crosswalk {

/// The value of an attribute of a node; null where it has none of that name, or one of another kind.
template <class T>
const T* attributeOf(const Node& node, std::string_view name)
{
    const AttributeValue* value = node.attribute(name);
    return value != nullptr ? std::get_if<T>(value) : nullptr;
}

/// An attribute as text: as the file spells it, or a value that is a string; null for any other.
inline const std::string* textOf(const Attribute& attribute)
{
    return attribute.text.empty() ? std::get_if<std::string>(&attribute.value) : &attribute.text;
}

inline std::int64_t intOf(const Node& node, std::string_view name, std::int64_t fallback)
{
    const auto* number = attributeOf<std::int64_t>(node, name);
    return number != nullptr ? *number : fallback;
}

} // namespace crosswalk
