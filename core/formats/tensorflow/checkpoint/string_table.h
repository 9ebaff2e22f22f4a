#pragma once

#include "core/base/source_file.h"

#include <functional>
#include <string_view>

namespace crosswalk::tensorflow {

/// Whether bytes end as a table does.
bool endsAsTable(std::span<const std::byte> bytes);

/// Reads a sorted table of strings in the format of LevelDB (table_format.md in its documentation), which a
/// checkpoint's index file has: calls `entry` with each key and value in order. Both are valid during the call only.
/// Every block's CRC is checked, compressed blocks (snappy) are unpacked. Throws ModelError "truncated" or "damaged"
/// with the offset of the block.
void readTable(const SourceFile& file, const std::function<void(std::string_view key, std::string_view value)>& entry);

} // namespace crosswalk::tensorflow
