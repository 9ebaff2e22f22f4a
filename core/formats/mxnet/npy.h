#pragma once

#include "core/graph/tensor.h"

#include <memory>
#include <string_view>

namespace crosswalk::mxnet {

/// The array of a .npy file that lies as `size` bytes at `offset` of another file; it stays there. `what` names it in
/// errors. Throws ModelError "truncated" or "damaged".
Tensor readNpy(const std::shared_ptr<const MappedFile>& file, std::uint64_t offset, std::uint64_t size,
               std::string_view what);

} // namespace crosswalk::mxnet
