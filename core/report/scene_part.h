#pragma once

#include "core/report/picture.h"

namespace crosswalk {

inline constexpr std::uint32_t partSize = 60; ///< boxes that can be looked through one by one

/// A scene that is too long to be read, with all but `count` of its boxes in two closed groups: what comes before and
/// what comes behind. Those are drawn that stand around a box along the way that leads through it, or with which the
/// longest way begins. No boxes when stopped.
FoldedPicture partForPicture(const Scene& whole, std::optional<std::uint32_t> around, std::uint32_t count = partSize,
                             std::stop_token stop = {});

} // namespace crosswalk
