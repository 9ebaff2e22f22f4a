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

/// By bytes that no other kind begins with: beats a file's name.
std::optional<FileKind> recogniseKind(const Probe& probe);
/// By likeness (text) and name.
std::optional<FileKind> guessKind(const Probe& probe);

} // namespace crosswalk
