#pragma once

#include "core/onnx/onnx_model.h"
#include "core/onnx/proto.h"

namespace crosswalk {

/// A copy of the proto with complete initializers, as onnx's checker and inference require them. Content that is not in
/// the proto is marked as external. Short lists of integers (such as the sizes of a Split) are included, because
/// inference reads them.
::onnx::ModelProto withExternalStubs(const OnnxModel& model);
/// The same in an arena, which releases the copy at once: that of a large graph consists of millions of messages.
::onnx::ModelProto& withExternalStubs(const OnnxModel& model, ::google::protobuf::Arena& arena);

/// The same as withExternalStubs(), but with the nodes of the original where they are complete: for the checker, which
/// only reads.
class CompleteModel {
public:
    /// The model must outlive this object.
    explicit CompleteModel(const OnnxModel& model);
    ::onnx::ModelProto& proto() { return *m_proto; }

private:
    ::google::protobuf::Arena m_arena;
    ::onnx::ModelProto* m_proto;
};

/// Whether an initializer of a model is complete in this sense.
bool isComplete(const ::onnx::TensorProto& initializer, const Tensor& content);
void complete(::onnx::TensorProto& initializer, const Tensor& content); ///< one that is not
::onnx::TensorProto completed(const ::onnx::TensorProto& initializer, const Tensor& content);

/// Whether withExternalStubs omitted the content of this initializer.
bool isExternalStub(const ::onnx::TensorProto& initializer);

} // namespace crosswalk
