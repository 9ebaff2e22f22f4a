#pragma once

#include "core/onnx/onnx_model.h"
#include "core/onnx/proto.h"

namespace crosswalk {

/// A copy of the proto with complete initializers, as onnx's checker and inference require them. Content that is not in
/// the proto is marked as external. Short lists of integers (such as the sizes of a Split) are included, because
/// inference reads them. So are default attributes without which inference fails.
::onnx::ModelProto withExternalStubs(const OnnxModel& model);
/// The same in an arena, which releases the copy at once: that of a large graph consists of millions of messages.
::onnx::ModelProto& withExternalStubs(const OnnxModel& model, ::google::protobuf::Arena& arena);

/// Whether withExternalStubs omitted the content of this initializer.
bool isExternalStub(const ::onnx::TensorProto& initializer);

} // namespace crosswalk
