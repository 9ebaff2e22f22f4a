#pragma once

#include "core/formats/read_model.h"

#include <span>

namespace crosswalk {

/// How sure a format is that a file is its own.
enum class Match : std::uint8_t { No, ByName, ByContent };

/// All that a format may look at before anything is parsed.
struct Probe {
    std::string_view fileName;
    std::span<const std::byte> bytes; ///< the whole file, mapped: look at its beginning only
};

/// One source format. Readers keep no state, so a row of a table is all there is.
struct FormatReader {
    std::string_view name; ///< as the user reads it: "Apache MXNet"
    Match (*match)(const Probe& probe);
    /// Throws ModelError.
    LoadedModel (*read)(const ReadRequest& request, const std::shared_ptr<const MappedFile>& file);
};

/// Every format of the program. Content decides first, in this order, then the name.
std::span<const FormatReader> formatReaders();

} // namespace crosswalk
