#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace crosswalk {

/// How a field of a protobuf message is stored.
enum class WireType : std::uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

/// A field as it stands in the file. Positions count from the start of the file.
struct WireField {
    std::uint32_t number = 0;
    WireType type = WireType::Varint;
    std::uint64_t varint = 0;           ///< of WireType::Varint
    std::span<const std::byte> payload; ///< of any other type
    std::size_t begin = 0;              ///< where the field's tag stands
    std::size_t payloadBegin = 0;
    std::size_t end = 0; ///< behind the payload
};

/// Walks the fields of one message in protobuf's wire format, over bytes that are never copied. A length that leads
/// out of the file is ModelError "truncated", any other nonsense "damaged", both with the position.
class WireReader {
public:
    /// The message is file[begin, end).
    WireReader(std::span<const std::byte> file, std::size_t begin, std::size_t end)
        : m_file(file)
        , m_position(begin)
        , m_end(end)
    {
    }
    /// The message inside a field of type Bytes.
    WireReader(std::span<const std::byte> file, const WireField& field)
        : WireReader(file, field.payloadBegin, field.end)
    {
    }

    /// Steps to the next field; false behind the last one.
    bool next(WireField& field);
    /// A bare number, as packed repeated fields hold them.
    std::uint64_t varint();
    bool atEnd() const { return m_position == m_end; }

private:
    [[noreturn]] void fail(std::uint64_t wanted) const;

    std::span<const std::byte> m_file;
    std::size_t m_position;
    std::size_t m_end;
};

} // namespace crosswalk
