#pragma once

#include "core/layout/scene.h"

#include <QString>

namespace crosswalk::ui {

/// The operator of a box, or the word for an input, output or constant.
QString boxTitle(const SceneNode& box);

} // namespace crosswalk::ui
