#pragma once

#include "core/graph/tensor_type.h"

#include <cstddef>
#include <functional>

namespace onnx {
class NodeProto;
}

namespace crosswalk {

/// Throws ModelError "wrong-operands" if the shapes of a node's operands do not fit together, for those operators whose
/// inference by onnx does not compare them: no runtime can run the node. `shapeOf` returns the shape of an operand,
/// null if it is absent or unknown; open dimensions fit any size. The node is one of ONNX's default domain.
void checkShapes(const ::onnx::NodeProto& node, const std::function<const Shape*(std::size_t operand)>& shapeOf);

} // namespace crosswalk
