#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace crosswalk::tensorflow {

/// The messages of TensorFlow that a file can consist of.
enum class FileMessage : std::uint8_t { None, GraphDef, MetaGraphDef, SavedModel };

/// The message that a file with this beginning contains. `head` may end anywhere.
FileMessage messageOfFile(std::span<const std::byte> head);

} // namespace crosswalk::tensorflow
