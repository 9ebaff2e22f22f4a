#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace crosswalk::keras::hdf5 {

/// Undoes LZF, the filter of h5py. At most `room` bytes; nothing for damaged input.
std::vector<std::byte> decompressedLzf(std::span<const std::byte> bytes, std::size_t room);

} // namespace crosswalk::keras::hdf5
