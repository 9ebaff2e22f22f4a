#pragma once

#include "core/graph/operator_info.h"

namespace crosswalk::mxnet {

/// MXNet's operators, by the names that files have.
const OperatorInfo& operatorInfo();

} // namespace crosswalk::mxnet
