#pragma once

#include "core/graph/tensor.h"

#include <QString>

namespace crosswalk::ui {

/// Writes a tensor as NumPy reads it (bfloat16 and narrower floats as float32), whole or not at all. The problem in
/// words, empty when it is written.
QString writeNpy(const Tensor& tensor, const QString& path);

} // namespace crosswalk::ui
