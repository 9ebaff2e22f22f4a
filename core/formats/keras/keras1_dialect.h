#pragma once

#include "core/formats/keras/config_value.h"

#include <string>

namespace crosswalk::keras {

/// Brings the class and the settings of a layer of Keras 1 to the names that Keras 2 gave them. What Keras 2 no longer
/// has keeps its name.
void translateKeras1(std::string& className, ConfigValue& config);

} // namespace crosswalk::keras
