#pragma once

#include "core/graph/operator_info.h"

namespace crosswalk::mxnet {

/// MXNet's operators, by their names in files.
const OperatorInfo& operatorInfo();

} // namespace crosswalk::mxnet
