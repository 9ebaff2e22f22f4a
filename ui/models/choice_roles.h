#pragma once

#include <Qt>

namespace crosswalk::ui {

/// What a model answers for a cell that is edited by a list: value, text, value, text...; and the value in force.
enum ChoiceRole { ChoicesRole = Qt::UserRole + 100, CurrentChoiceRole };

} // namespace crosswalk::ui
