#pragma once

#include "core/graph/tensor_type.h"

#include <algorithm>

namespace crosswalk {

/// Whether a dimension that was given or inferred can be the expected one: an open one may be any size.
inline bool fitsDim(const Dim& given, const Dim& expected)
{
    return !given.isFixed() || !expected.isFixed() || given.size == expected.size;
}

/// The same of shapes, which must have equal ranks.
inline bool fitsShape(const Shape& given, const Shape& expected)
{
    return std::ranges::equal(given, expected, fitsDim);
}

} // namespace crosswalk
