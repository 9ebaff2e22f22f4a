#pragma once

#include <cstdint>

namespace onnx {
class ModelProto;
}

namespace crosswalk {

/// The number of nodes that a model has once every call of its functions is replaced by the function's nodes, bodies
/// included; the largest number if it exceeds that. Counts each function once, so that calls which double cost nothing.
/// Throws ModelError "damaged" for a function that calls itself, for calls nested deeper than Budget::callDepth, and as
/// expectEquation().
std::uint64_t expandedNodes(const ::onnx::ModelProto& model);

/// Throws ModelError "damaged" for an Einsum whose equation is longer than Budget::equationLength, as the time of
/// onnx's inference is quadratic in the length, or malformed, with which that inference may not end.
void expectEquation(const ::onnx::NodeProto& node);

} // namespace crosswalk
