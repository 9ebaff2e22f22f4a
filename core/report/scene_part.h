#pragma once

#include "core/report/picture.h"

#include <cstdint>
#include <optional>
#include <stop_token>

namespace crosswalk {

inline constexpr std::uint32_t partSize = 60; ///< number of boxes that a reader can inspect

/// A part of a scene that is too long to read: `count` boxes are drawn, and all others are in two closed groups, "not
/// drawn, before" and "not drawn, behind". The drawn boxes surround the box `around` on the longest path through it, or
/// are the first ones of the longest path. Has no boxes if stopped.
FoldedPicture partForPicture(const Scene& whole, std::optional<std::uint32_t> around, std::uint32_t count = partSize,
                             std::stop_token stop = {});

} // namespace crosswalk
