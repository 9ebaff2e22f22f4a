#pragma once

namespace onnx {
class ModelProto;
}

namespace crosswalk {

/// Makes negative dimensions of declared types unknown: some exporters write -1 for them, and onnx's inference takes
/// every dimension for a size.
void forgetNegativeDims(::onnx::ModelProto& model);

} // namespace crosswalk
