#pragma once

#include "core/graph/graph.h"

#include <string>
#include <vector>

namespace crosswalk {

/// What an operator does and can be told, for people.
struct OperatorDoc {
    struct Attribute {
        std::string name;
        std::string defaultValue; ///< as text; empty where it must be given, or has no fixed one
        std::string text = {};    ///< may be empty
    };
    std::string text;                  ///< UTF-8, a line a paragraph
    std::vector<Attribute> attributes; ///< those that are documented

    const Attribute* attribute(std::string_view name) const;
};

/// From the framework's own table, or onnx's schemas; empty for what is not documented.
OperatorDoc operatorDoc(const Graph& graph, const Node& node);

} // namespace crosswalk
