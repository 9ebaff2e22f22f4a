#pragma once

#include "core/graph/tensor.h"
#include "core/onnx/proto.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace crosswalk {

/// The value of a Constant node; nothing for strings and sparse tensors, which no pass uses, and for any other node.
std::optional<Tensor> constantValue(const ::onnx::NodeProto& node);

/// The outputs of a node that are known without running the model, beyond those that the builder folds (see folded):
/// shapes of values with fixed dimensions, Range, Split, Gather, casts, integer arithmetic, and functions of one
/// operand that are rounded correctly. Nothing if they are not known, are large, or if an operation would overflow.
/// `inputs` has the content of the node's inputs, null where it is unknown; `typeOf` returns the inferred type of a
/// value.
std::optional<std::vector<Tensor>> constantResults(const ::onnx::NodeProto& node, std::span<const Tensor* const> inputs,
                                                   const std::function<TensorType(const std::string&)>& typeOf);

/// The same, including those that the builder folds.
std::optional<std::vector<Tensor>> foldedResults(const ::onnx::NodeProto& node, std::span<const Tensor* const> inputs,
                                                 const std::function<TensorType(const std::string&)>& typeOf);

} // namespace crosswalk
