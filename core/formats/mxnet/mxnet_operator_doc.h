#pragma once

#include "core/graph/operator_info.h"

#include <string_view>

namespace crosswalk::mxnet {

/// MXNet has no schemas: our own descriptions of its operators, and the default values of their attributes.
OperatorDoc operatorDoc(std::string_view op);

} // namespace crosswalk::mxnet
