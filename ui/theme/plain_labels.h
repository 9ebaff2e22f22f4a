#pragma once

namespace crosswalk::ui {

/// From now on, labels and tool tips of the application show plain text. By default Qt guesses from a text whether it
/// is HTML, so a node called `<img src=...>` would be drawn as a picture. A label whose text the program writes as HTML
/// says so: setTextFormat(Qt::RichText).
void showPlainLabels();

} // namespace crosswalk::ui
