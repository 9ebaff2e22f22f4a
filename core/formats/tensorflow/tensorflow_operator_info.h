#pragma once

#include "core/graph/operator_info.h"

namespace crosswalk::tensorflow {

/// TensorFlow's operators.
const OperatorInfo& operatorInfo();

} // namespace crosswalk::tensorflow
