#pragma once

#include "core/rewrite/optimize.h"

#include <functional>
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

/// Calls a pass for the top-level graph, and then for each body with the types that it states.
void forEachGraph(RewrittenModel model, const std::function<void(const RewrittenModel& graph)>& pass);

} // namespace crosswalk
