#pragma once

#include "core/graph/attribute_value.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace crosswalk::mxnet {

/// Attributes of a node for the reader and for passes: a value that is not of the kind asked for is absent.
/// Translators have strict accessors (operator_attributes.h).
using AttributeSpan = std::span<const Attribute>;

/// The text of an attribute.
std::optional<std::string_view> findAttribute(AttributeSpan attributes, std::string_view key);
bool flag(AttributeSpan attributes, std::string_view key, bool fallback);
/// The fallback where the node has no such attribute or it is `None`; nothing where it is no integer.
std::optional<std::int64_t> integer(AttributeSpan attributes, std::string_view key,
                                    std::optional<std::int64_t> fallback = {});
std::optional<double> number(AttributeSpan attributes, std::string_view key, std::optional<double> fallback = {});
/// A bare integer is a tuple of one.
std::optional<std::vector<std::int64_t>> integers(AttributeSpan attributes, std::string_view key);

/// A key that is no parameter of an operator: `__shape__` and the like, and the keys that had their meaning before 0.9.
bool isHiddenKey(std::string_view key);

} // namespace crosswalk::mxnet
