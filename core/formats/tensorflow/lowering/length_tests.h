#pragma once

#include "core/graph/graph.h"

#include <array>
#include <functional>
#include <optional>
#include <string_view>

namespace crosswalk::tensorflow {

/// Operators by which a step compares its number with the lengths of samples.
inline constexpr auto lengthTests = std::to_array<std::string_view>({"Greater", "GreaterEqual", "Less", "LessEqual"});

/// A comparison of the number of a step with lengths: step >= lengths, or its negation.
struct LengthTest {
    ValueId lengths;
    std::int64_t step = 0;
    bool isReached = true; ///< true past the end; false: the negation
};

/// Nothing if neither operand, or both, are known numbers, or if the operands are in the order of another test.
std::optional<LengthTest> lengthTest(std::string_view op, ValueId left, ValueId right,
                                     const std::function<std::optional<std::int64_t>(ValueId)>& number);

} // namespace crosswalk::tensorflow
