#pragma once

#include <QFontMetrics>
#include <QString>

namespace crosswalk::ui {

/// Shortens the name of a node to a width, with more of its end, which distinguishes it, than of its beginning:
/// "mod…1_conv2_fwd".
QString elidedName(const QFontMetrics& metrics, const QString& name, int width);

} // namespace crosswalk::ui
