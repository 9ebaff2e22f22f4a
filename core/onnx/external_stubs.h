#pragma once

#include "core/onnx/model.h"
#include "core/onnx/proto.h"

namespace crosswalk {

/// A copy of the proto whose initializers pass for whole tensors, so that onnx's own functions take it: content that
/// is not there counts as external, but for lists of integers (the sizes of a Split, say), which inference looks into.
::onnx::ModelProto withExternalStubs(const OnnxModel& model);

/// Whether withExternalStubs has left the content of this initializer out.
bool isExternalStub(const ::onnx::TensorProto& initializer);

} // namespace crosswalk
