#pragma once

#include "core/formats/keras/hdf5/object.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace crosswalk::keras::hdf5 {

enum class LayoutKind { Compact, Contiguous, Chunked, Virtual };

/// How a dataset lies in its file.
struct Layout {
    LayoutKind kind = LayoutKind::Compact;
    std::span<const std::byte> content; ///< of a compact dataset
    Address address = undefinedAddress; ///< of a contiguous dataset, or of the index of the chunks
    std::uint64_t size = 0;             ///< bytes of a contiguous dataset
    std::vector<std::uint64_t> chunk;   ///< elements of a chunk along each axis
    unsigned index = 0;                 ///< the kind of index, 0 for a B-tree of version 1
    bool hasRawEdges = false;           ///< chunks that cross the end of an axis are not filtered
    std::uint64_t filteredSize = 0;     ///< of a single chunk
    std::uint32_t filterMask = 0;       ///< of a single chunk
};

Layout layoutOf(const FileView& file, const Object& dataset, const Datatype& type, const Dataspace& space);

/// What is done to the bytes of a chunk before they are written.
struct Filter {
    std::uint16_t id = 0;
    std::vector<std::uint32_t> values;
};

/// Throws ModelError "unsupported-file" for filters that cannot be undone. `path` is the dataset's, for messages.
std::vector<Filter> filtersOf(const FileView& file, const Object& dataset, const std::string& path);

/// All elements of a chunked dataset as the file has them; those of chunks that are absent are the fill value. Throws
/// "damaged" before it allocates if the file cannot contain that many, or if they are more than `most` bytes.
std::vector<std::byte> readChunks(const FileView& file, const Object& dataset, const Layout& layout,
                                  const std::vector<Filter>& filters, const Dataspace& space, std::uint32_t each,
                                  std::uint64_t most, const std::string& path);

} // namespace crosswalk::keras::hdf5
