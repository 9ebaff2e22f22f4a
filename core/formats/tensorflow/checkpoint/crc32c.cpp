#include "core/formats/tensorflow/checkpoint/crc32c.h"

#include <array>
#include <cstring>

namespace crosswalk::tensorflow {
namespace {

constexpr std::uint32_t polynomial = 0x82f63b78; // reflected
constexpr std::size_t stride = 8;

using Tables = std::array<std::array<std::uint32_t, 256>, stride>;

/// tables[k][b]: the contribution of byte b to the CRC if k more bytes follow.
constexpr Tables makeTables()
{
    Tables tables = {};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t crc = byte;
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? polynomial : 0);
        }
        tables[0][byte] = crc;
    }
    for (std::size_t k = 1; k < stride; ++k) {
        for (std::size_t byte = 0; byte < 256; ++byte) {
            const std::uint32_t before = tables[k - 1][byte];
            tables[k][byte] = (before >> 8U) ^ tables[0][before & 0xffU];
        }
    }
    return tables;
}

constexpr Tables tables = makeTables();

} // namespace

std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t crc)
{
    crc = ~crc;
    for (; bytes.size() >= stride; bytes = bytes.subspan(stride)) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data(), stride);
        word ^= crc;
        crc = 0;
        for (std::size_t k = 0; k < stride; ++k) {
            crc ^= tables[stride - 1 - k][(word >> (8 * k)) & 0xffU];
        }
    }
    for (const std::byte byte : bytes) {
        crc = (crc >> 8U) ^ tables[0][(crc ^ static_cast<std::uint32_t>(byte)) & 0xffU];
    }
    return ~crc;
}

} // namespace crosswalk::tensorflow
