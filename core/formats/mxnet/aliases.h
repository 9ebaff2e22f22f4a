#pragma once

#include <string_view>

namespace crosswalk::mxnet {

/// The canonical name under which MXNet registers an operator: `_Plus` and `_plus` are `elemwise_add`, `Softmax` is
/// `SoftmaxOutput`. A name that is not an alias is returned unchanged.
std::string_view canonicalName(std::string_view op);

} // namespace crosswalk::mxnet
