#pragma once

#include "crosswalk/shape.h"

#include <QString>

namespace crosswalk::ui {

/// A number with four digits: "0.01235", "-3.2e-7".
QString roundedText(double value);
/// The shortest text that stands for the value in its type: "0.1" for the float32 nearest to 0.1.
QString shortestText(double value, ElementType type);

} // namespace crosswalk::ui
