#pragma once

namespace onnx {
class GraphProto;
class ModelProto;
class NodeProto;
} // namespace onnx

namespace crosswalk {

/// Makes negative dimensions of declared types unknown: some exporters write -1 for them, and onnx's inference takes
/// every dimension for a size.
void forgetNegativeDims(::onnx::ModelProto& model);
void forgetNegativeDims(::onnx::GraphProto& graph);
void forgetNegativeDims(::onnx::NodeProto& node);

} // namespace crosswalk
