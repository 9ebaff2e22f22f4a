#pragma once

#include "core/base/diagnostic.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace crosswalk {

static_assert(std::endian::native == std::endian::little, "every format read here is little-endian and read in place");

/// Reads little-endian values from bytes of a file, never past their end: a length that the file does not have
/// is a ModelError "truncated" that says where.
class ByteReader {
public:
    explicit ByteReader(std::span<const std::byte> bytes)
        : m_bytes(bytes)
    {
    }

    std::size_t position() const { return m_position; }
    std::size_t remaining() const { return m_bytes.size() - m_position; }
    bool atEnd() const { return remaining() == 0; }

    template <typename T>
    T read(std::string_view what)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        T value;
        std::memcpy(&value, take(sizeof(T), what).data(), sizeof(T));
        return value;
    }

    /// The next `size` bytes, in place.
    std::span<const std::byte> take(std::uint64_t size, std::string_view what)
    {
        if (size > remaining()) {
            fail(size, what);
        }
        const auto bytes = m_bytes.subspan(m_position, static_cast<std::size_t>(size));
        m_position += static_cast<std::size_t>(size);
        return bytes;
    }

    std::string_view text(std::uint64_t size, std::string_view what)
    {
        const auto bytes = take(size, what);
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }

private:
    [[noreturn]] void fail(std::uint64_t size, std::string_view what) const;

    std::span<const std::byte> m_bytes;
    std::size_t m_position = 0;
};

} // namespace crosswalk
