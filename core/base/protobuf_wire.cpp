#include "core/base/protobuf_wire.h"

#include "core/base/diagnostic.h"

#include <fmt/format.h>

namespace crosswalk {

bool WireReader::next(WireField& field)
{
    if (atEnd()) {
        return false;
    }
    field.begin = m_position;
    const std::uint64_t tag = varint();
    const std::uint64_t number = tag >> 3U;
    const auto type = static_cast<unsigned>(tag & 7U);
    const bool isKnownType = type == 0 || type == 1 || type == 2 || type == 5; // 3 and 4 (groups) are deprecated
    if (number == 0 || number >= (1U << 29U) || !isKnownType) {
        throw ModelError("damaged",
                         fmt::format("damaged, or of another format: no field begins at byte {}", field.begin));
    }
    field.number = static_cast<std::uint32_t>(number);
    field.type = static_cast<WireType>(type);
    std::uint64_t size = 0;
    switch (field.type) {
    case WireType::Varint:
        field.varint = varint();
        break;
    case WireType::Fixed32:
        size = 4;
        break;
    case WireType::Fixed64:
        size = 8;
        break;
    case WireType::Bytes:
        size = varint();
        break;
    }
    if (size > m_end - m_position) {
        fail(size);
    }
    field.payloadBegin = m_position;
    field.payload = m_file.subspan(m_position, static_cast<std::size_t>(size));
    m_position += static_cast<std::size_t>(size);
    field.end = m_position;
    return true;
}

std::uint64_t WireReader::varint()
{
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        if (atEnd()) {
            fail(1);
        }
        const auto byte = static_cast<std::uint64_t>(m_file[m_position++]);
        value |= (byte & 0x7fU) << shift;
        if ((byte & 0x80U) == 0) {
            return value;
        }
    }
    throw ModelError("damaged",
                     fmt::format("damaged, or of another format: a number does not end at byte {}", m_position));
}

void WireReader::fail(std::uint64_t wanted) const
{
    if (m_end == m_file.size()) {
        throw ModelError("truncated", fmt::format("the file ends too soon: {} bytes expected at byte {}, {} left",
                                                  wanted, m_position, m_end - m_position));
    }
    throw ModelError("damaged", fmt::format("{} bytes expected at byte {}, but the enclosing message has {} left",
                                            wanted, m_position, m_end - m_position));
}

} // namespace crosswalk
