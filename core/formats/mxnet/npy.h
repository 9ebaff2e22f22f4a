#pragma once

#include "core/graph/tensor.h"

#include <memory>
#include <string_view>

namespace crosswalk::mxnet {

/// The array of a .npy file, which stays in the file. `what` names it in errors. Throws ModelError "truncated" or
/// "damaged".
Tensor readNpy(const std::shared_ptr<const SourceFile>& file, std::string_view what);

} // namespace crosswalk::mxnet
