#pragma once

#include "core/formats/tensorflow/lowering/step_matcher.h"

#include <optional>

namespace crosswalk::tensorflow {

/// Stored bounds of a value; low <= high.
struct StepClip {
    double low = 0;
    double high = 0;
    friend bool operator==(const StepClip&, const StepClip&) = default;
};

struct Clipped {
    StepClip clip;
    ValueId argument;
};

/// clip(x, low, high), as one node or as a minimum and a maximum in either order.
std::optional<Clipped> clippedOf(const StepMatcher& step, ValueId value);

} // namespace crosswalk::tensorflow
