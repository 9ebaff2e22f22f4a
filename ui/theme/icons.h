#pragma once

#include <QIcon>
#include <QLatin1String>

namespace crosswalk::ui {

enum class IconTint { Text, Accent, OnAccent, Decomposed, Approximate, Unsupported, Folded, Exact };

/// Icon `:/icons/NAME.svg` in a colour of the current theme, sharp at every scale. Follows later theme changes.
/// The icon of the program, for windows.
QIcon applicationIcon();
QIcon icon(QLatin1String name, IconTint tint = IconTint::Text);
QPixmap iconPixmap(QLatin1String name, const QColor& color, int size, double deviceRatio);

} // namespace crosswalk::ui
