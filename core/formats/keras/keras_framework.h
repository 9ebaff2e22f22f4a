#pragma once

#include "core/convert/framework.h"

namespace crosswalk::keras {

const Framework& framework();

} // namespace crosswalk::keras
