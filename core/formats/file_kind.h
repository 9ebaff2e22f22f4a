#pragma once

#include "core/formats/format_reader.h"

#include <filesystem>
#include <optional>
#include <string_view>

namespace crosswalk {

/// The kind of a file that no reader accepts, by unambiguous first bytes: overrides a file's name.
std::optional<FileKind> recogniseKind(const Probe& probe);
/// By heuristics (text) and name.
std::optional<FileKind> guessKind(const Probe& probe);

/// The first bytes of a file, as text.
std::string_view headOf(const Probe& probe);
/// Whether a zip archive has a member whose name contains `part`. If its directory is damaged, only the first bytes
/// are searched.
bool hasMemberLike(const Probe& probe, std::string_view part);
/// The first character of a text that is not blank; a blank if there is none.
char firstCharacter(std::string_view text);

/// Whether a reader recognises a file as a model, not as mere weights, by its content.
bool isModelFile(const std::filesystem::path& file);

} // namespace crosswalk
