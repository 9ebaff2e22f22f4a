#pragma once

#include "core/formats/format_reader.h"

#include <optional>
#include <string_view>

namespace crosswalk {

/// What a file is that no reader takes, as far as it can be seen, and what to do about it.
struct FileKind {
    std::string_view name; ///< "a PNG image"
    std::string_view hint = {};
};
std::optional<FileKind> recogniseKind(const Probe& probe);

} // namespace crosswalk
