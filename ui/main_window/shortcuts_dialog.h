#pragma once

class QWidget;

namespace crosswalk::ui {

/// Lists what keys and mouse do.
void showShortcuts(QWidget* parent);

} // namespace crosswalk::ui
