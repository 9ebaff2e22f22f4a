#pragma once

#include "core/base/diagnostic.h"

#include <stop_token>

namespace crosswalk {

/// Throws ModelError "cancelled" once the user has stopped the reading of a model. Cheap enough for every node.
inline void checkStop(const std::stop_token& stop)
{
    if (stop.stop_requested()) {
        throw ModelError("cancelled", "reading the model was cancelled");
    }
}

} // namespace crosswalk
