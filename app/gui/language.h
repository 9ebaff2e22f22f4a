#pragma once

namespace crosswalk::ui::gui {

/// Translates the window and Qt's own texts into the user's language, if there is a translation.
void installTranslations();

} // namespace crosswalk::ui::gui
