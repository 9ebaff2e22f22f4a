#pragma once

#include "core/graph/tensor.h"

#include <QString>

namespace crosswalk::ui {

/// Writes a tensor as a NumPy file (bfloat16 and narrower floats as float32), atomically. Returns an error message, or
/// an empty string on success.
QString writeNpy(const Tensor& tensor, const QString& path);

} // namespace crosswalk::ui
