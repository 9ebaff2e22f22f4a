#pragma once

#include <compare>
#include <string_view>

namespace crosswalk::mxnet {

/// Whether two names are equal but for the numbers in them: dense2_weight and dense10_weight.
bool differInNumbersOnly(std::string_view a, std::string_view b);

/// Order of two names with the numbers in them read as numbers: dense2_weight before dense10_weight.
std::strong_ordering naturalOrder(std::string_view a, std::string_view b);

} // namespace crosswalk::mxnet
