// LZF is a sequence of literal runs and back references. A control byte below 32 is followed by so many literal bytes
// plus one. Any other has the length of a reference less two in its upper three bits (7: one more byte is added to it)
// and the upper five bits of its distance less one, whose lower bits are the next byte.

#include "core/formats/keras/hdf5/lzf_filter.h"

#include <cstdint>
#include <cstring>

namespace crosswalk::keras::hdf5 {
namespace {

constexpr std::size_t firstReference = 32;
constexpr std::size_t longReference = 7;

/// Whether the input fits the output exactly or ends before it; the number of bytes, 0 for damaged input.
std::size_t decompressed(std::span<const std::uint8_t> in, std::span<std::uint8_t> out)
{
    std::size_t from = 0;
    std::size_t to = 0;
    while (from < in.size()) {
        const std::size_t control = in[from++];
        if (control < firstReference) {
            const std::size_t length = control + 1;
            if (length > in.size() - from || length > out.size() - to) {
                return 0;
            }
            std::memcpy(out.data() + to, in.data() + from, length);
            from += length;
            to += length;
            continue;
        }
        std::size_t length = control >> 5U;
        if (length == longReference) {
            if (from == in.size()) {
                return 0;
            }
            length += in[from++];
        }
        length += 2;
        if (from == in.size()) {
            return 0;
        }
        const std::size_t distance = ((control & 31U) << 8U) + in[from++] + 1;
        if (distance > to || length > out.size() - to) {
            return 0;
        }
        for (std::size_t i = 0; i < length; ++i, ++to) { // a reference may overlap what it writes
            out[to] = out[to - distance];
        }
    }
    return to;
}

} // namespace

std::vector<std::byte> decompressedLzf(std::span<const std::byte> bytes, std::size_t room)
{
    std::vector<std::byte> out(room);
    out.resize(decompressed({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()},
                            {reinterpret_cast<std::uint8_t*>(out.data()), room}));
    return out;
}

} // namespace crosswalk::keras::hdf5
