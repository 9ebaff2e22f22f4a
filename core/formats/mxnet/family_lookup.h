#pragma once

#include "core/formats/mxnet/op_table.h"

#include <algorithm>
#include <span>
#include <string_view>

namespace crosswalk::mxnet {

/// Whether a family has the operator.
inline bool lists(std::span<const OpRow> family, std::string_view op)
{
    return std::any_of(family.begin(), family.end(), [&](const OpRow& row) { return row.name == op; });
}

inline bool lists(std::span<const std::string_view> names, std::string_view op)
{
    return std::find(names.begin(), names.end(), op) != names.end();
}

} // namespace crosswalk::mxnet
