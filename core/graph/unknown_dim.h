#pragma once

// While shapes are inferred an unknown size bears a symbol of its own ("?7"), so that equal ones are told from others.
// None leaves in a file or in what the user reads.

#include "core/graph/tensor_type.h"

namespace crosswalk {

inline constexpr char unknownDimMark = '?';

inline bool isUnknownDim(const Dim& dim)
{
    return dim.symbol.starts_with(unknownDimMark);
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
