#pragma once

#include <cstdint>

namespace onnx {
class ModelProto;
}

namespace crosswalk {

/// The number of nodes that a model has once every call of its functions is replaced by the function's nodes, bodies
/// included; the largest number if it exceeds that. Counts each function once, so that calls which double cost nothing.
/// Throws ModelError "damaged" for a function that calls itself, and for calls nested deeper than Budget::callDepth.
std::uint64_t expandedNodes(const ::onnx::ModelProto& model);

} // namespace crosswalk
