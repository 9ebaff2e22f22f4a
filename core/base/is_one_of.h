#pragma once

#include <algorithm>
#include <initializer_list>
#include <span>
#include <string_view>

namespace crosswalk {

/// Whether the name is in a short list.
inline bool isOneOf(std::string_view name, std::span<const std::string_view> names)
{
    return std::ranges::find(names, name) != names.end();
}
inline bool isOneOf(std::string_view name, std::initializer_list<std::string_view> names)
{
    return isOneOf(name, std::span(names.begin(), names.size()));
}

} // namespace crosswalk
