#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

namespace crosswalk {

/// A place in a file.
struct MappedPlace {
    std::filesystem::path path;
    std::uint64_t offset = 0;
};

/// Where bytes in memory lie in a file that MappedFile has mapped; nothing for bytes outside every mapping. Several
/// threads may call this.
std::optional<MappedPlace> mappedPlaceOf(std::span<const std::byte> bytes);

} // namespace crosswalk
