#pragma once

#include "core/graph/attribute_value.h"

#include <cstddef>
#include <string>

namespace crosswalk {

class Graph;

/// How the value of an attribute is written for people.
struct AttributeTextStyle {
    char open = '('; ///< around lists
    char close = ')';
    std::size_t mostItems = 8;    ///< of a list; "…" follows
    std::size_t longestText = 48; ///< bytes of a string, cut between characters; "…" follows
    bool tensorTypes = false;     ///< "float32 2x3" for a tensor in place of "2x3"
};

/// One line: "3", "(3, 3)", "None", "int64", "1x3xHxW". `graph` is the one that TensorId and SubgraphId refer to.
/// Floating-point numbers have the digits of a float, which is what ONNX stores: 0.1, not 0.10000000149.
std::string attributeText(const AttributeValue& value, const Graph& graph, const AttributeTextStyle& style = {});

/// As the file spells it where the format stores attributes as text.
std::string attributeText(const Attribute& attribute, const Graph& graph, const AttributeTextStyle& style = {});

} // namespace crosswalk
