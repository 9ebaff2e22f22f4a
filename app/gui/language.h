#pragma once

namespace crosswalk::ui::gui {

/// The window in the user's language, where there is a translation; Qt's own texts with it.
void installTranslations();

} // namespace crosswalk::ui::gui
