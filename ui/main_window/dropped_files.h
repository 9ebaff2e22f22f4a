#pragma once

class QDragEnterEvent;

namespace crosswalk::ui {

/// Takes what is dragged over a window where it is files of this machine.
void acceptFiles(QDragEnterEvent& event);

} // namespace crosswalk::ui
