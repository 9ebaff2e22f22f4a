#pragma once

#include "core/convert/framework.h"

namespace crosswalk {

/// ONNX as a source: every operator stays unchanged.
const Framework& onnxFramework();

} // namespace crosswalk
