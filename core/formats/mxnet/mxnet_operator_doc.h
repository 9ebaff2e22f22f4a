#pragma once

#include "core/graph/operator_info.h"

namespace crosswalk::mxnet {

/// MXNet has no schemas: what its operators do, in our words, and what they assume when not told.
OperatorDoc operatorDoc(std::string_view op);

} // namespace crosswalk::mxnet
