#pragma once

#include "core/graph/tensor.h"

#include <QLocale>
#include <QString>

#include <cstdint>

namespace crosswalk::ui {

/// A number with four digits: "0.01235", "-3.2e-7".
QString roundedText(double value);
/// The shortest text that identifies the value in its floating-point type: "0.1" for the float32 nearest to 0.1.
QString shortestText(double value, ElementType type, const QLocale& locale = QLocale());
/// An element of a numeric tensor in its shortest form; integers have all their digits.
QString elementText(const Tensor& tensor, std::int64_t element, const QLocale& locale = QLocale());

} // namespace crosswalk::ui
