#pragma once

#include "core/base/result.h"
#include "core/graph/tensor_type.h"

#include <QString>

namespace crosswalk::ui {

/// A shape as people write it: "2,3,224", "N x 3 x 224 x 224", "N 3"; a word is a free dimension, nothing is a
/// scalar's shape. The problem says which dimension is wrong, and how it should look.
Result<Shape> parseShape(const QString& text);
/// As parseShape takes it: "N, 3, 224, 224"; "?" for an unknown dimension.
QString shapeText(const Shape& shape);
/// "float32 N×3×224×224"; empty when nothing is known.
QString typeText(const TensorType& type);

QString fromUtf8(std::string_view text);
/// "102 MB", "1.3 kB".
QString bytesText(std::uint64_t bytes);
/// "25.6 M", "812".
QString countText(std::uint64_t count);
/// "41 ms", "3.2 s".
QString secondsText(double seconds);

} // namespace crosswalk::ui
