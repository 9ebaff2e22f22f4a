#pragma once

#include "core/layout/scene.h"

#include <optional>
#include <stop_token>

namespace crosswalk {

/// At most `count` boxes of a scene, laid out: those around a box along the way that leads through it, or those with
/// which the longest way begins. What is left out is one box above and one below, which say how many they stand for.
Scene partOfScene(const Scene& whole, std::optional<std::uint32_t> around, std::uint32_t count,
                  std::stop_token stop = {});

} // namespace crosswalk
