#pragma once

#include <string_view>

namespace crosswalk::tensorflow {

/// What an operator computes, in one line; empty for an operator without documentation.
std::string_view operatorText(std::string_view op);

} // namespace crosswalk::tensorflow
