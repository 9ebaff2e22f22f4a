#pragma once

#include "core/rewrite/optimize.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace crosswalk {

/// Adds the types that a body states to those of the graphs around it, and restores those of the same names when it is
/// destroyed.
class BodyTypes {
public:
    BodyTypes(ValueTypes& types, const ::onnx::GraphProto& body);
    ~BodyTypes();
    BodyTypes(const BodyTypes&) = delete;
    BodyTypes& operator=(const BodyTypes&) = delete;

private:
    ValueTypes& m_types;
    std::vector<std::pair<std::string, std::optional<TensorType>>> m_hidden;
};

} // namespace crosswalk
