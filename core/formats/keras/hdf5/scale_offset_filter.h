#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace crosswalk::keras::hdf5 {

/// Whether the settings of a scale-offset filter (its client data) can be undone: integers, and numbers with so many
/// decimal digits.
bool isKnownScaleOffset(std::span<const std::uint32_t> settings);
/// The numbers of a chunk of `size` bytes, of which it has the least one and the distances from it in few bits each;
/// nothing if it is damaged.
std::vector<std::byte> decompressedScaleOffset(std::span<const std::byte> bytes,
                                               std::span<const std::uint32_t> settings, std::size_t size);

} // namespace crosswalk::keras::hdf5
