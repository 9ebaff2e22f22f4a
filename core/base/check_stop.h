#pragma once

#include "core/base/diagnostic.h"

#include <stop_token>
#include <string>
#include <string_view>

namespace crosswalk {

/// Throws ModelError "cancelled" once the user has stopped an activity. Cheap enough for every node.
inline void checkStop(const std::stop_token& stop, std::string_view activity = "reading the model")
{
    if (stop.stop_requested()) {
        throw ModelError("cancelled", std::string(activity) + " was cancelled");
    }
}

} // namespace crosswalk
