#pragma once

// While shapes are inferred an unknown size bears a symbol of its own ("?7"), so that equal ones are told from others.
// None leaves in a file or in what the user reads.

#include "core/graph/tensor_type.h"

namespace crosswalk {

inline constexpr char unknownDimMark = '?';

inline bool isUnknownDim(const Dim& dim)
{
    return dim.symbol().starts_with(unknownDimMark);
}

/// Whether a size has neither a number nor a name for the user.
inline bool isUnnamed(const Dim& dim)
{
    return dim.isUnknown() || isUnknownDim(dim);
}

/// Makes sizes unknown that bear a fresh symbol.
inline void clearUnknownDims(Shape& shape)
{
    for (Dim& dim : shape) {
        if (isUnknownDim(dim)) {
            dim = Dim();
        }
    }
}

} // namespace crosswalk
