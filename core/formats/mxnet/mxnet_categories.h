#pragma once

#include "core/graph/operator_info.h"

namespace crosswalk::mxnet {

OperatorCategory categoryOf(const Node& node);

} // namespace crosswalk::mxnet
