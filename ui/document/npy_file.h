#pragma once

#include "core/graph/tensor.h"

#include <QString>

#include <filesystem>
#include <vector>

namespace crosswalk::ui {

/// Writes a tensor as a NumPy file (bfloat16 and narrower floats as float32), atomically. `sources` are the files that
/// the values come from: they are not replaced, and must not have changed. Returns an error message, or an empty string
/// on success.
QString writeNpy(const Tensor& tensor, const QString& path, const std::vector<std::filesystem::path>& sources = {});

} // namespace crosswalk::ui
