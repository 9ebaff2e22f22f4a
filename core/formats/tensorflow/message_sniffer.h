#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace crosswalk::tensorflow {

/// The messages of TensorFlow that a file can consist of.
enum class FileMessage : std::uint8_t { None, GraphDef, MetaGraphDef, SavedModel };

/// Which one a file is that begins so. `head` may end anywhere.
FileMessage messageOfFile(std::span<const std::byte> head);

} // namespace crosswalk::tensorflow
