#pragma once

#include "app/gui/arguments.h"

namespace crosswalk::ui::gui {

/// Writes a picture of the window with the model open, after all background work is done. Returns the exit status.
int takeScreenshot(const Arguments& arguments);

/// Writes a picture of one whole graph as the window draws it. Returns the exit status.
int renderGraph(const Arguments& arguments);

} // namespace crosswalk::ui::gui
