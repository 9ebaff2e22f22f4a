#pragma once

#include "core/onnx/writer.h"
#include "core/verify/verify.h"

namespace crosswalk::ui {

/// How a model is written, and the tolerance for recorded tensors.
struct ExportSettings {
    WriteOptions write;
    Tolerance tolerance;
};

} // namespace crosswalk::ui
