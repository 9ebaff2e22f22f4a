#pragma once

#include "core/onnx/writer.h"
#include "core/verify/verify.h"

namespace crosswalk::ui {

/// How a model is written, the tolerance for recorded tensors, and the limits of runs.
struct ExportSettings {
    WriteOptions write;
    Tolerance tolerance;
    RuntimeLimits limits = {};
};

} // namespace crosswalk::ui
