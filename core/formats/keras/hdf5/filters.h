#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace crosswalk::keras::hdf5 {

struct Filter;

/// Bytes of a chunk as they were before the filters whose bit in `mask` is not set; nothing if they are damaged. `size`
/// is that of the chunk without filters.
std::vector<std::byte> unfiltered(std::span<const std::byte> bytes, const std::vector<Filter>& filters,
                                  std::uint32_t mask, std::size_t size);

bool canBeUndone(const Filter& filter);
const char* filterName(std::uint16_t id); ///< "unknown" for those without a name

} // namespace crosswalk::keras::hdf5
