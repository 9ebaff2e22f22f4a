#pragma once

#include "core/base/is_one_of.h"

#include <optional>
#include <string>
#include <string_view>

namespace crosswalk::pytorch {

/// The operator whose result an in-place operator writes to `self`: aten::add for aten::add_, aten::__and__ for
/// aten::__iand__. Nothing for other operators.
inline std::optional<std::string> operatorOfInPlace(std::string_view op)
{
    if (isOneOf(op, {"aten::__iand__", "aten::__ior__", "aten::__ixor__", "aten::__ilshift__", "aten::__irshift__"})) {
        constexpr std::string_view prefix = "aten::__i";
        return "aten::__" + std::string(op.substr(prefix.size()));
    }
    return op.ends_with('_') && !op.ends_with("__") ? std::optional<std::string>(op.substr(0, op.size() - 1))
                                                    : std::nullopt;
}

} // namespace crosswalk::pytorch
