#include "core/formats/keras/hdf5/scale_offset_filter.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace crosswalk::keras::hdf5 {
namespace {

// The settings by their places.
constexpr std::size_t kindPlace = 0; ///< 0: decimal digits of floating-point numbers, 2: integers
constexpr std::size_t digitsPlace = 1;
constexpr std::size_t classPlace = 3; ///< 0: integers, 1: floating-point numbers
constexpr std::size_t sizePlace = 4;
constexpr std::size_t orderPlace = 6;
constexpr std::size_t hasFillPlace = 7;
constexpr std::size_t fillPlace = 8;
constexpr std::size_t settingCount = 20;

constexpr std::size_t headSize = 21; ///< the number of bits, the least number, and room

/// Numbers of few bits in a row, the highest bit first.
class BitReader {
public:
    explicit BitReader(std::span<const std::byte> bytes)
        : m_bytes(bytes)
    {
    }

    std::uint64_t next(unsigned bits)
    {
        std::uint64_t value = 0;
        for (unsigned i = 0; i < bits; ++i, ++m_place) {
            value = value << 1U | (std::to_integer<unsigned>(m_bytes[m_place / 8]) >> (7 - m_place % 8) & 1U);
        }
        return value;
    }

private:
    std::span<const std::byte> m_bytes;
    std::size_t m_place = 0;
};

std::uint64_t littleEndian(std::span<const std::byte> bytes)
{
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) {
        value = value << 8U | std::to_integer<std::uint64_t>(bytes[i]);
    }
    return value;
}

/// The bits of a number at a distance from the least one, of which there are so many in one unit.
template <class Number, class Bits>
std::uint64_t numberAt(std::uint64_t distance, std::uint64_t least, double inUnit)
{
    const auto low = std::bit_cast<Number>(static_cast<Bits>(least));
    using Whole = std::make_signed_t<Bits>; // as HDF5 takes the distance
    const auto whole = static_cast<Number>(static_cast<Whole>(static_cast<Bits>(distance)));
    return std::bit_cast<Bits>(whole / static_cast<Number>(inUnit) + low);
}

} // namespace

bool isKnownScaleOffset(std::span<const std::uint32_t> settings)
{
    if (settings.size() < settingCount) {
        return false;
    }
    const std::uint32_t size = settings[sizePlace];
    const bool isInteger = settings[classPlace] == 0 && settings[kindPlace] == 2;
    const bool isFloat = settings[classPlace] == 1 && settings[kindPlace] == 0 && (size == 4 || size == 8);
    return (isInteger && std::has_single_bit(size) && size <= 8) || isFloat;
}

std::vector<std::byte> decompressedScaleOffset(std::span<const std::byte> bytes,
                                               std::span<const std::uint32_t> settings, std::size_t size)
{
    const std::size_t each = settings[sizePlace];
    if (bytes.size() < headSize || size % each != 0) {
        return {};
    }
    const auto bits = littleEndian(bytes.first(4));
    const std::size_t leastSize = std::min<std::size_t>(std::to_integer<std::size_t>(bytes[4]), 8);
    const std::uint64_t least = littleEndian(bytes.subspan(5, leastSize));
    const auto packed = bytes.subspan(headSize);
    const std::size_t count = size / each;
    if (bits > 8 * each || bits * count > packed.size() * 8) {
        return {};
    }
    const bool isBigEndian = settings[orderPlace] != 0;
    if (bits == 8 * each) { // not packed
        if (size > packed.size()) {
            return {};
        }
        std::vector<std::byte> out(packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(size));
        for (std::size_t i = 0; isBigEndian && i < size; i += each) {
            std::ranges::reverse(std::span(out).subspan(i, each));
        }
        return out;
    }
    const std::uint64_t fill =
        settings[fillPlace] | (each == 8 ? std::uint64_t{settings[fillPlace + 1]} << 32U : std::uint64_t{0});
    const std::uint64_t last = (std::uint64_t{1} << bits) - 1; // stands for the fill value
    const bool hasFill = settings[hasFillPlace] != 0;
    const double inUnit = std::pow(10.0, static_cast<std::int32_t>(settings[digitsPlace]));
    const bool isFloat = settings[classPlace] == 1;
    BitReader reader(packed);
    std::vector<std::byte> out(size);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t distance = reader.next(static_cast<unsigned>(bits));
        std::uint64_t number = distance + least;
        if (hasFill && distance == last) {
            number = fill;
        } else if (isFloat) {
            number = each == 4 ? numberAt<float, std::uint32_t>(distance, least, inUnit)
                               : numberAt<double, std::uint64_t>(distance, least, inUnit);
        }
        for (std::size_t k = 0; k < each; ++k) {
            const std::size_t place = isBigEndian ? each - 1 - k : k;
            out[i * each + place] = static_cast<std::byte>(number >> (8 * k) & 255U);
        }
    }
    return out;
}

} // namespace crosswalk::keras::hdf5
