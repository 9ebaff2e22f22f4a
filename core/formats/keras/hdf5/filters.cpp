#include "core/formats/keras/hdf5/filters.h"

#include "core/formats/keras/hdf5/dataset.h"
#include "core/formats/keras/hdf5/lzf_filter.h"
#include "core/formats/keras/hdf5/scale_offset_filter.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <zlib.h>

namespace crosswalk::keras::hdf5 {
namespace {

constexpr std::uint16_t deflateFilter = 1;
constexpr std::uint16_t shuffleFilter = 2;
constexpr std::uint16_t fletcherFilter = 3;
constexpr std::uint16_t nbitFilter = 5;
constexpr std::uint16_t scaleOffsetFilter = 6;
constexpr std::uint16_t lzfFilter = 32000;
constexpr std::size_t checksumSize = 4;

std::vector<std::byte> inflated(std::span<const std::byte> bytes, std::size_t room)
{
    std::vector<std::byte> out(room);
    z_stream stream{};
    if (bytes.size() > std::numeric_limits<uInt>::max() || room > std::numeric_limits<uInt>::max() ||
        inflateInit(&stream) != Z_OK) {
        return {};
    }
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data())); // zlib does not write to it
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(room);
    const bool isWhole = inflate(&stream, Z_FINISH) == Z_STREAM_END;
    out.resize(isWhole ? stream.total_out : 0);
    inflateEnd(&stream);
    return out;
}

/// The first bytes of all elements come first, then the second ones, and so on.
std::vector<std::byte> unshuffled(std::span<const std::byte> bytes, std::size_t each)
{
    std::vector<std::byte> out(bytes.begin(), bytes.end());
    const std::size_t count = each > 1 ? bytes.size() / each : 0;
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < each; ++j) {
            out[i * each + j] = bytes[j * count + i];
        }
    }
    return out;
}

std::uint32_t fletcher32(std::span<const std::byte> bytes)
{
    constexpr std::size_t block = 360; // words whose sums fit 32 bits
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    const auto folded = [](std::uint32_t sum) { return (sum & 0xffffU) + (sum >> 16U); };
    for (std::size_t i = 0; i < bytes.size();) {
        const std::size_t end = std::min(bytes.size(), i + 2 * block);
        for (; i < end; i += 2) {
            const auto low = i + 1 < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i + 1]) : 0U;
            first += (std::to_integer<std::uint32_t>(bytes[i]) << 8U) + low;
            second += first;
        }
        first = folded(first);
        second = folded(second);
    }
    return folded(second) << 16U | folded(first);
}

/// Files of old versions have the bytes of each half of the checksum in the other order.
bool hasChecksum(std::span<const std::byte> bytes)
{
    const auto content = bytes.first(bytes.size() - checksumSize);
    std::uint32_t stored = 0;
    std::memcpy(&stored, bytes.data() + content.size(), sizeof stored);
    const std::uint32_t sum = fletcher32(content);
    const std::uint32_t swapped = (sum & 0xff00ff00U) >> 8U | (sum & 0x00ff00ffU) << 8U;
    return stored == sum || stored == swapped;
}

} // namespace

std::vector<std::byte> unfiltered(std::span<const std::byte> bytes, const std::vector<Filter>& filters,
                                  std::uint32_t mask, std::size_t size)
{
    const std::size_t room = size + checksumSize * filters.size();
    std::vector<std::byte> current(bytes.begin(), bytes.end());
    for (std::size_t i = filters.size(); i-- > 0;) {
        if (i < 32 && (mask >> i & 1U) != 0) {
            continue;
        }
        switch (filters[i].id) {
        case deflateFilter:
            current = inflated(current, room);
            break;
        case shuffleFilter:
            current = unshuffled(current, filters[i].values.empty() ? 1 : filters[i].values.front());
            break;
        case fletcherFilter:
            if (current.size() < checksumSize || !hasChecksum(current)) {
                return {};
            }
            current.resize(current.size() - checksumSize);
            break;
        case lzfFilter:
            current = decompressedLzf(current, room);
            break;
        case nbitFilter: // of numbers without unused bits
            break;
        case scaleOffsetFilter:
            current = decompressedScaleOffset(current, filters[i].values, size);
            break;
        default:
            return {};
        }
    }
    if (current.size() != size) {
        current.clear();
    }
    return current;
}

bool canBeUndone(const Filter& filter)
{
    switch (filter.id) {
    case deflateFilter:
    case shuffleFilter:
    case fletcherFilter:
    case lzfFilter:
        return true;
    case nbitFilter: // its settings tell whether the numbers have unused bits
        return filter.values.size() > 1 && filter.values[1] != 0;
    case scaleOffsetFilter:
        return isKnownScaleOffset(filter.values);
    default:
        return false;
    }
}

const char* filterName(std::uint16_t id)
{
    switch (id) {
    case 4:
        return "SZIP";
    case 5:
        return "N-bit";
    case 6:
        return "scale-offset";
    case 32001:
        return "Blosc";
    case 32004:
        return "LZ4";
    case 32008:
        return "Bitshuffle";
    case 32015:
        return "Zstandard";
    default:
        return "unknown";
    }
}

} // namespace crosswalk::keras::hdf5
