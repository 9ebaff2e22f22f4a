#pragma once

#include "core/convert/framework.h"

namespace crosswalk::tensorflow {

const Framework& framework();

} // namespace crosswalk::tensorflow
