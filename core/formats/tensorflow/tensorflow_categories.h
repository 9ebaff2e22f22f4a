#pragma once

#include "core/graph/operator_info.h"

namespace crosswalk::tensorflow {

OperatorCategory categoryOf(const Node& node);

} // namespace crosswalk::tensorflow
