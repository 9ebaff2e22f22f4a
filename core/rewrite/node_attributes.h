#pragma once

#include "core/onnx/proto.h"

#include <string_view>

namespace crosswalk {

inline const ::onnx::AttributeProto* findAttribute(const ::onnx::NodeProto& node, std::string_view name)
{
    for (const auto& attribute : node.attribute()) {
        if (attribute.name() == name) {
            return &attribute;
        }
    }
    return nullptr;
}

inline std::int64_t intAttribute(const ::onnx::NodeProto& node, std::string_view name, std::int64_t fallback)
{
    const auto* attribute = findAttribute(node, name);
    return attribute != nullptr ? attribute->i() : fallback;
}

/// Name of an input, empty where it is left out.
inline std::string inputOf(const ::onnx::NodeProto& node, int index)
{
    return index < node.input_size() ? node.input(index) : std::string();
}

} // namespace crosswalk
