#pragma once

#include "core/graph/tensor_type.h"
#include "crosswalk/result.h"

#include <QString>

#include <cstdint>
#include <string_view>

namespace crosswalk::ui {

/// Parses a shape: "2,3,224", "N x 3 x 224 x 224", "N 3". A name is a dynamic dimension, an empty text is a scalar. The
/// error names the invalid dimension and the expected form.
Result<Shape> parseShape(const QString& text);
/// In a form that parseShape accepts: "N, 3, 224, 224"; "?" for an unknown dimension.
QString shapeText(const Shape& shape);
/// "float32 N×3×224×224", with "*" for a dimension that only a run determines; empty if nothing is known.
QString typeText(const TensorType& type);

/// "N×3×224×224" of a tensor with dimensions, for the label of an edge; empty for a scalar, and if nothing is known.
QString edgeShapeText(const TensorType& type);

/// Text as it is. Text of a file is shown by displayText().
QString fromUtf8(std::string_view text);
/// Text of a file, as widgets show it (visibleLine): it cannot forge a line, nor hide its content.
QString displayText(std::string_view text);
QString displayText(const QString& text);
/// A message in one line: those of libraries have line ends between sentences.
QString messageText(std::string_view message);
/// "102 MB", "1.3 kB".
QString bytesText(std::uint64_t bytes);
/// "25.6 M", "812".
QString countText(std::uint64_t count);
/// "41 ms", "3.2 s".
QString secondsText(double seconds);

} // namespace crosswalk::ui
