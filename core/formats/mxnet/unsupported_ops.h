#pragma once

#include "core/convert/framework.h"

#include <span>
#include <string_view>

namespace crosswalk::mxnet {

/// An operator that MXNet registers but that has no translation, and why.
struct UnsupportedOperator {
    std::string_view name; ///< canonical; "_backward_*" stands for all that compute a gradient
    Support support;       ///< TrainingOnly or NotSupported
    std::string_view why;
};

/// Null for an operator with a translation, or one that MXNet does not register.
const UnsupportedOperator* findUnsupported(std::string_view name);
std::span<const UnsupportedOperator> unsupportedOperators();

} // namespace crosswalk::mxnet
