#pragma once

#include <Qt>

namespace crosswalk::ui {

/// The roles of a cell that is edited with a list: ChoicesRole returns value, text, value, text...; CurrentChoiceRole
/// returns the current value.
enum ChoiceRole { ChoicesRole = Qt::UserRole + 100, CurrentChoiceRole };

} // namespace crosswalk::ui
