#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace crosswalk::pytorch {

/// Operators whose result is a view of `self` if its elements lie in memory in their order, and may be a copy
/// otherwise.
inline bool isViewOfContiguous(std::string_view op)
{
    static constexpr auto names = std::to_array<std::string_view>(
        {"aten::contiguous", "aten::flatten", "aten::ravel", "aten::reshape", "aten::reshape_as"});
    return std::find(names.begin(), names.end(), op) != names.end();
}

} // namespace crosswalk::pytorch
