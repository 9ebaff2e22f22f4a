#pragma once

#include "core/base/byte_reader.h"
#include "core/graph/tensor.h"

#include <memory>
#include <string_view>

namespace crosswalk::mxnet {

/// Reads one array of a .params file, of any generation, at the reader's position. `file`: the reader's whole content.
/// `what`: the array's name for errors.
Tensor readNdarray(ByteReader& reader, const std::shared_ptr<const SourceFile>& file, std::string_view what);

} // namespace crosswalk::mxnet
