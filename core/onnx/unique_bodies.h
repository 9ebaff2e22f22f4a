#pragma once

namespace onnx {
class FunctionProto;
class ModelProto;
class NodeProto;
} // namespace onnx

namespace crosswalk {

/// Renames values inside the bodies of a node where another body of the node has a value of the same name, or where a
/// body captures one. The names of bodies without a common name, of captures, inputs and outputs stay. For inference:
/// onnx keeps what it propagates in one table for all bodies, by name.
void makeBodiesUnique(::onnx::NodeProto& node);

/// The same for all bodies of a function, or of a model and of each of its functions; none of them keeps a name of a
/// value that the function or graph has itself.
void makeBodiesUnique(::onnx::FunctionProto& function);
void makeBodiesUnique(::onnx::ModelProto& model);

} // namespace crosswalk
