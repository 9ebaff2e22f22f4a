#pragma once

class QDragEnterEvent;

namespace crosswalk::ui {

/// Accepts a drag over a window if it contains local files.
void acceptFiles(QDragEnterEvent& event);

} // namespace crosswalk::ui
