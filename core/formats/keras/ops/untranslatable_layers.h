#pragma once

#include "core/formats/keras/ops/layer.h"

#include <string>

namespace crosswalk::keras {

/// Why a class of layers has no translation, and what the user can do.
struct Untranslatable {
    std::string message;
    std::string hint;
};
Untranslatable whyUntranslatable(const Layer& layer);

} // namespace crosswalk::keras
