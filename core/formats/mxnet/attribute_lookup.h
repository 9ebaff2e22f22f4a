#pragma once

#include "core/graph/attribute_value.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace crosswalk::mxnet {

/// Attributes of a node for the reader and for passes: a value of another kind than requested counts as absent.
/// Translators have strict accessors (operator_attributes.h).
using AttributeSpan = std::span<const Attribute>;

/// The text of an attribute.
std::optional<std::string_view> findAttribute(AttributeSpan attributes, std::string_view key);
bool flag(AttributeSpan attributes, std::string_view key, bool fallback);
/// The fallback if the node has no such attribute or it is `None`; nothing if it is not an integer.
std::optional<std::int64_t> integer(AttributeSpan attributes, std::string_view key,
                                    std::optional<std::int64_t> fallback = {});
std::optional<double> number(AttributeSpan attributes, std::string_view key, std::optional<double> fallback = {});
/// A single integer is a tuple of one.
std::optional<Ints> integers(AttributeSpan attributes, std::string_view key);

/// A key that is not an operator parameter: `__shape__` and the like, and their equivalents before 0.9.
bool isHiddenKey(std::string_view key);

} // namespace crosswalk::mxnet
