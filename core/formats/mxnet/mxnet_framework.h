#pragma once

#include "core/convert/framework.h"

namespace crosswalk::mxnet {

/// Apache MXNet's operators, for the driver.
const Framework& framework();

} // namespace crosswalk::mxnet
