#pragma once

#include "core/graph/graph.h"

#include <functional>
#include <optional>
#include <string_view>

namespace crosswalk::tensorflow {

/// A comparison of the number of a step with the lengths of samples.
struct LengthTest {
    ValueId step;
    ValueId lengths;
    bool isPast = true; ///< step >= lengths; false: step < lengths
};

/// `node` returns the node that computes a value with an operator, or null; `isStep` returns whether an operand is the
/// number of a step. Nothing if the value is not such a comparison.
std::optional<LengthTest> lengthTestOf(ValueId value,
                                       const std::function<const Node*(ValueId, std::string_view op)>& node,
                                       const std::function<bool(ValueId)>& isStep);

} // namespace crosswalk::tensorflow
