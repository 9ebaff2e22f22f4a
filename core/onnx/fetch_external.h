#pragma once

#include "core/onnx/external_data.h"
#include "core/onnx/proto.h"

namespace crosswalk {

/// Copies external tensors of attributes and bodies into the proto. They are small.
void fetchExternal(::onnx::NodeProto& node, ExternalData& external);

} // namespace crosswalk
