#pragma once

#include "core/formats/tensorflow/checkpoint/tensor_slice.h"
#include "core/formats/tensorflow/data_type.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace crosswalk::tensorflow {

/// A tensor as the index of a checkpoint lists it.
struct BundleEntry {
    DataType type = DataType::Invalid;
    Ints dims;
    std::int64_t shard = 0;
    std::uint64_t offset = 0;  ///< in the shard's file
    std::uint64_t size = 0;    ///< bytes there
    std::uint32_t crc = 0;     ///< masked; of the stored bytes
    std::vector<Slice> slices; ///< the parts of a partitioned variable, each with an entry; no bytes then
};

/// Reads a BundleEntryProto. Throws ModelError "damaged" or "truncated".
BundleEntry parseBundleEntry(std::span<const std::byte> message);

} // namespace crosswalk::tensorflow
