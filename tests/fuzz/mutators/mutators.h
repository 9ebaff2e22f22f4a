#pragma once

#include "tests/fuzz/mutators/draw.h"

#include <optional>
#include <string>
#include <string_view>

namespace crosswalk::fuzz {

/// Mutations that keep the structure of a file, which those of bytes nearly always destroy: a length before each field,
/// brackets, checksums. What has no further structure is mutated by libFuzzer, with its dictionary. Each returns
/// nothing for bytes of another structure.

/// A message of protocol buffers, without its schema: fields are removed, repeated, exchanged, or get another value.
std::optional<std::string> mutatedMessage(std::string_view bytes, Draw& draw);

/// JSON: the same, by value.
std::optional<std::string> mutatedJson(std::string_view bytes, Draw& draw);

/// A zip archive: one member is mutated by its own structure, renamed or removed; all checksums are correct.
std::optional<std::string> mutatedArchive(std::string_view bytes, Draw& draw);

/// A pickle, or several in turn: by instruction.
std::optional<std::string> mutatedPickle(std::string_view bytes, Draw& draw);

/// Code of TorchScript: by line, and by word, number and argument list.
std::optional<std::string> mutatedScript(std::string_view bytes, Draw& draw);

/// By libFuzzer, to at most `limit` bytes.
std::string mutatedBytes(std::string_view bytes, std::size_t limit);
/// By libFuzzer, to a few bytes more.
std::string mutatedBytes(std::string_view bytes);

/// A file of any kind.
std::string mutatedFile(std::string_view bytes, Draw& draw);

/// LLVMFuzzerCustomMutator for an input that consists of `prefix` bytes and a file.
std::size_t mutateInput(std::uint8_t* data, std::size_t size, std::size_t limit, std::uint32_t seed,
                        std::size_t prefix);

} // namespace crosswalk::fuzz
