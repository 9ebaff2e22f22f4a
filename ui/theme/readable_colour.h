#pragma once

#include "ui/theme/theme.h"

namespace crosswalk::ui {

/// A text colour that can be read on `ground`: `wanted` if its contrast is sufficient, otherwise black or white.
inline QColor readableOn(const QColor& ground, const QColor& wanted)
{
    constexpr double sufficient = 4.5; // on any ground, black or white has it
    if (contrast(ground, wanted) >= sufficient) {
        return wanted;
    }
    return contrast(ground, Qt::white) > contrast(ground, Qt::black) ? Qt::white : Qt::black;
}

} // namespace crosswalk::ui
