#include "core/base/byte_reader.h"

#include <fmt/format.h>

namespace crosswalk {

void ByteReader::fail(std::uint64_t size, std::string_view what) const
{
    throw ModelError("truncated", fmt::format("the file ends inside {}: {} bytes expected at offset {}, {} left", what,
                                              size, m_position, remaining()));
}

} // namespace crosswalk
