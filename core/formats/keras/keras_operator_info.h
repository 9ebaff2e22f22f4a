#pragma once

#include "core/graph/operator_info.h"

namespace crosswalk::keras {

const OperatorInfo& operatorInfo();

} // namespace crosswalk::keras
