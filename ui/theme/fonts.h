#pragma once

#include <QFont>

namespace crosswalk::ui {

/// Registers the bundled fonts and makes Inter the application's. Without them the desktop's own font stands in, and
/// pictures differ from machine to machine: says so on the log.
void loadFonts();

/// A font of the canvas: metrics scale linearly with the zoom, as core/layout measured them.
QFont canvasFont(double pixelSize, bool bold = false);
/// That of long lists, which are mostly names and numbers: set by advance widths alone, as on the canvas. To kern all
/// rows anew for each selected node takes a third of that frame.
QFont rowFont();
QFont monospaceFont();

} // namespace crosswalk::ui
