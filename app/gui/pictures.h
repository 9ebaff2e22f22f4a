#pragma once

#include "app/gui/arguments.h"

namespace crosswalk::ui::gui {

/// Writes a picture of the window with the model open and everything settled. Exit status.
int takeScreenshot(const Arguments& arguments);

/// Writes a picture of one whole graph, by the painter of the window. Exit status.
int renderGraph(const Arguments& arguments);

} // namespace crosswalk::ui::gui
