#pragma once

#include <compare>
#include <string>
#include <string_view>

namespace crosswalk::mxnet {

/// A name with every number in it replaced by '#': equal for names that differ only in numbers, such as dense2_weight
/// and dense10_weight.
std::string withoutNumbers(std::string_view name);

/// Compares two names with their numbers as numbers: dense2_weight before dense10_weight.
std::strong_ordering naturalOrder(std::string_view a, std::string_view b);

} // namespace crosswalk::mxnet
