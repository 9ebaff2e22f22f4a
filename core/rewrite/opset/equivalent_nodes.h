#pragma once

#include "core/onnx/proto.h"

namespace crosswalk {

class NodeReplacement;

/// Replaces nodes that a lower opset does not have in this form by equivalent nodes, which onnx's version converter can
/// convert; in bodies as well. `model` has opset `from`, and keeps it. Also infers the types of the model's values.
void useEquivalentNodes(::onnx::ModelProto& model, int from, int to);

// The equivalents. Each emits the nodes that replace a node, or returns false if it does not apply.

/// A reduction with the attribute noop_with_empty_axes, if it has no axes or the attribute is 0: what a reduction
/// computes of each element.
bool reductionOfNoAxes(NodeReplacement& at);
/// An operand that becomes an attribute, if its content can be computed: axes of reductions, Squeeze and Unsqueeze,
/// parts of a Split.
bool storedOperand(NodeReplacement& at);
/// A reduction over axes that are known only when the model runs.
bool reductionOverComputedAxes(NodeReplacement& at);
/// Pad without axes.
bool padOfAllAxes(NodeReplacement& at);
/// Split with sizes instead of a number of parts.
bool splitBySizes(NodeReplacement& at);
/// Resize without axes.
bool resizeOfAllAxes(NodeReplacement& at);
/// AveragePool with dilations, as a convolution.
bool dilatedAveragePool(NodeReplacement& at);
/// BitShift of signed integers.
bool signedShift(NodeReplacement& at);
/// BitwiseAnd, BitwiseOr, BitwiseXor and BitwiseNot.
bool bitwiseOperator(NodeReplacement& at);
/// BitCast between integers of one width.
bool bitCastOfIntegers(NodeReplacement& at);
/// CumProd, as a Scan.
bool cumulativeProduct(NodeReplacement& at);
/// TensorScatter.
bool scatteredSequence(NodeReplacement& at);
/// DFT along an axis that is known only when the model runs.
bool transformAlongComputedAxis(NodeReplacement& at);
/// SpaceToDepth with mode = CRD.
bool spaceToDepthByColumns(NodeReplacement& at);
/// Mod of floating-point numbers whose result has the sign of the divisor.
bool floatModulo(NodeReplacement& at);
/// Any operator that does not accept a type, with Casts around it.
bool withCasts(NodeReplacement& at);

} // namespace crosswalk
