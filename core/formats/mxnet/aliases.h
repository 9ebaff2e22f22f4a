#pragma once

#include <string_view>

namespace crosswalk::mxnet {

/// The one name under which MXNet keeps an operator: `_Plus` and `_plus` are `elemwise_add`, `Softmax` is
/// `SoftmaxOutput`. A name that is no alias comes back as it is.
std::string_view canonicalName(std::string_view op);

} // namespace crosswalk::mxnet
