#pragma once

#include "core/onnx/writer.h"
#include "core/verify/verify.h"

namespace crosswalk::ui {

/// How a model is written, and how near recorded tensors it must come.
struct ExportSettings {
    WriteOptions write;
    Tolerance tolerance;
};

} // namespace crosswalk::ui
