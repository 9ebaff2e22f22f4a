#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace crosswalk::tensorflow {

/// CRC-32C (Castagnoli, RFC 3720 appendix B.4) of bytes. `crc` is the CRC of the preceding bytes.
std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t crc = 0);

/// The form in which LevelDB and TensorFlow store a CRC: otherwise a CRC over bytes that contain CRCs is weak.
inline std::uint32_t maskedCrc(std::uint32_t crc)
{
    return ((crc >> 15U) | (crc << 17U)) + 0xa282ead8U;
}

} // namespace crosswalk::tensorflow
