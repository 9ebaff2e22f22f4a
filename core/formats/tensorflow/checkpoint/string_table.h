#pragma once

#include "core/base/source_file.h"

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>

namespace crosswalk::tensorflow {

/// Whether bytes end like a table.
bool endsAsTable(std::span<const std::byte> bytes);

/// Reads a sorted table of strings in the format of LevelDB (table_format.md in its documentation), the format of a
/// checkpoint's index file: calls `entry` with each key and value in order. Both are valid during the call only. Checks
/// every block's CRC and unpacks compressed blocks (snappy). Throws ModelError "truncated" or "damaged" with the offset
/// of the block.
void readTable(const SourceFile& file, const std::function<void(std::string_view key, std::string_view value)>& entry);

} // namespace crosswalk::tensorflow
