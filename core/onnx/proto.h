#pragma once

// onnx's generated headers, quiet under our warnings. For .cpp files of core only: they are heavy.

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <onnx/onnx_pb.h>
#pragma GCC diagnostic pop

#include "core/graph/value_type.h"

namespace crosswalk {

/// Type and shape of a tensor type; anything else (sequences, maps) is unknown.
TensorType fromProto(const ::onnx::TypeProto& type);
/// The type of any value: tensors, sequences, optionals, maps, opaque types. Types nested more than 16 deep are
/// unknown.
ValueType valueTypeOf(const ::onnx::TypeProto& type);
/// Unknown dimensions stay unset.
void toProto(const TensorType& type, ::onnx::TypeProto& proto);

} // namespace crosswalk
