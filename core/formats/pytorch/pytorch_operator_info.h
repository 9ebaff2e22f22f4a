#pragma once

#include "core/graph/operator_info.h"

namespace crosswalk::pytorch {

const OperatorInfo& operatorInfo();

} // namespace crosswalk::pytorch
