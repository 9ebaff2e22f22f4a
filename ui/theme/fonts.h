#pragma once

#include <QFont>

namespace crosswalk::ui {

/// Registers the bundled fonts and makes Inter the application font. Without them the desktop's font is used, so that
/// pictures differ between machines; a warning is logged.
void loadFonts();

/// A font for the canvas: metrics scale linearly with the zoom, as core/layout assumes.
QFont canvasFont(double pixelSize, bool bold = false);
/// The font for long lists, which contain mostly names and numbers: laid out by advance widths alone, as on the canvas.
/// Kerning all rows for each selected node would take a third of that frame.
QFont rowFont();
QFont monospaceFont();

} // namespace crosswalk::ui
