#pragma once

#include "core/base/byte_reader.h"
#include "core/graph/tensor.h"

#include <memory>
#include <string_view>

namespace crosswalk::mxnet {

/// Reads one array of a .params file, of any generation, where the reader stands. `file` is what the reader reads, from
/// its first byte on. `what` names the array in errors.
Tensor readNdarray(ByteReader& reader, const std::shared_ptr<const SourceFile>& file, std::string_view what);

} // namespace crosswalk::mxnet
