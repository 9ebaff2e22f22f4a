#pragma once

#include "core/base/source_file.h"
#include "core/formats/tensorflow/checkpoint/bundle_entry.h"
#include "core/graph/tensor.h"

namespace crosswalk::tensorflow {

/// The strings of an entry, which must be inside the shard: the varint of each length, the masked CRC over the lengths
/// (each as 4 bytes, or 8 if necessary), then all the text. Throws ModelError "damaged" or "truncated".
Tensor readStrings(const SourceFile& shard, const BundleEntry& entry);

} // namespace crosswalk::tensorflow
