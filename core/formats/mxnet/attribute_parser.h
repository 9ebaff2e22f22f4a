#pragma once

#include "core/graph/attribute_value.h"

#include <optional>
#include <string>
#include <string_view>

namespace crosswalk::mxnet {

/// The value of an attribute's text in every spelling that MXNet 1.9 accepts (mxnet-formats.md):
/// `None`; `true` and `false` in any case as booleans; `3`; `0.5`; tuples `(3, 3)`, `[3,3]`, `(3L,)` as vectors of
/// integers or of floating-point numbers, `(None, 1)` and `((0, 0), (1, 1))` as lists. Either bracket closes a tuple,
/// and its items need commas. Anything else is a string. MXNet types an attribute by its operator: a boolean may be `0`
/// or `1`, a string may look like a number.
AttributeValue parseAttributeText(std::string_view text);

/// An attribute with the value of its text, and the text.
Attribute parsedAttribute(std::string name, std::string text);

/// `true` and `false` in any case, `1` and `0`. Nothing for any other value or spelling: MXNet does not accept a number
/// like `01` or `+1` as a boolean.
std::optional<bool> booleanOf(const Attribute& attribute);

/// The integers of a tuple; a single integer is a tuple of one. Nothing for any other value.
std::optional<Ints> integersOf(const AttributeValue& value);

} // namespace crosswalk::mxnet
