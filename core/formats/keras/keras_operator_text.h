#pragma once

#include <string_view>

namespace crosswalk::keras {

/// What a layer or an operation computes, in one line; empty for one without documentation.
std::string_view operatorText(std::string_view op);

} // namespace crosswalk::keras
