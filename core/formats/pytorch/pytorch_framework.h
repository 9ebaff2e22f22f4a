#pragma once

#include "core/convert/framework.h"

namespace crosswalk::pytorch {

const Framework& framework();

} // namespace crosswalk::pytorch
