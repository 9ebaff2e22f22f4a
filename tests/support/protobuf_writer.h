#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace crosswalk::test {

/// Builds a message in protobuf's wire format field by field.
class Message {
public:
    Message& number(std::uint32_t field, std::uint64_t value)
    {
        varint(std::uint64_t{field} << 3U);
        return varint(value);
    }
    Message& bytes(std::uint32_t field, std::string_view value)
    {
        varint((std::uint64_t{field} << 3U) | 2U);
        varint(value.size());
        m_content += value;
        return *this;
    }
    Message& message(std::uint32_t field, const Message& value) { return bytes(field, value.m_content); }
    Message& fixed32(std::uint32_t field, std::uint32_t value)
    {
        varint((std::uint64_t{field} << 3U) | 5U);
        for (unsigned shift = 0; shift < 32; shift += 8) {
            m_content += static_cast<char>((value >> shift) & 0xffU);
        }
        return *this;
    }
    Message& number(std::uint32_t field, float value) { return fixed32(field, std::bit_cast<std::uint32_t>(value)); }
    /// Appends a number without a tag, as in packed fields.
    Message& varint(std::uint64_t value)
    {
        while (value >= 0x80) {
            m_content += static_cast<char>(value | 0x80U);
            value >>= 7U;
        }
        m_content += static_cast<char>(value);
        return *this;
    }
    const std::string& content() const { return m_content; }

private:
    std::string m_content;
};

} // namespace crosswalk::test
