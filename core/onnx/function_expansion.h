#pragma once

#include <cstdint>

namespace onnx {
class ModelProto;
}

namespace crosswalk {

/// The number of nodes that a model has once every call of its functions is replaced by the function's nodes, bodies
/// included; the largest number if it exceeds that. Counts each function once, so that calls which double cost nothing.
/// Throws ModelError "damaged" for a function that calls itself, for calls nested deeper than Budget::callDepth, and
/// where expectEquation() throws (operand_checks.h).
std::uint64_t expandedNodes(const ::onnx::ModelProto& model);

} // namespace crosswalk
